//! Files of every format version, opened forever: bucket files in a directory for each, and there the manifests. `cargo test -p drum --test golden -- --ignored` writes
//! those of the present version, once, when there is a new one.

use disk::{Disk, FormatError, MemDisk, OsDisk, SharedDisk, read_all, replace_file};
use drum::{Config, Drum, Error, Found, Manifest, Packing, Request, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More than a block of them.
const KEYS: u64 = 12_000;
/// As many lie close together, to keep the files small; the others anywhere.
const DENSE: u64 = 11_000;
/// Bytes of text that waits.
const AUX_BYTES: u64 = 10 * 49 + 30 * 50;
const CONFIG: Config =
    Config { bucket_bits: 0, buffer_bytes: 256, bucket_bytes: 1 << 20, packing: Packing::Packed };

/// The least depth at which a URL was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Depth(u8);

impl Value for Depth {
    const SIZE: usize = 1;
    fn encode(&self, out: &mut [u8]) {
        out[0] = self.0;
    }
    fn decode(bytes: &[u8]) -> Self {
        Self(bytes[0])
    }
    fn merge(self, update: Self) -> Self {
        Self(self.0.min(update.0))
    }
}

fn golden(version: &str) -> OsDisk {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"));
    OsDisk::new(root.join(version)).unwrap()
}

fn key(n: u64) -> u64 {
    if n < DENSE { n * 5 + n % 3 } else { n.wrapping_mul(0x9E37_79B9_7F4A_7C15) }
}

/// A DRUM with two blocks of keys and requests of all kinds waiting.
fn make(disk: &SharedDisk) -> Manifest {
    let mut drum = Drum::open(disk.clone(), PathBuf::new(), CONFIG, None).unwrap();
    for n in 0..KEYS {
        drum.append(key(n), Request::CheckUpdate(Depth((n % 7) as u8)), b"").unwrap();
        if drum.waiting() > 10_000 {
            merge_all(&mut drum, &mut Vec::new());
        }
    }
    merge_all(&mut drum, &mut Vec::new());
    for n in 0..40_usize {
        let text = format!("http://www.example.test/a/rather/long/path?page={n}");
        let request = [Request::Check, Request::Update(Depth(0)), Request::CheckUpdate(Depth(1))][n % 3];
        drum.append(key(n as u64 * 500), request, text.as_bytes()).unwrap();
    }
    drum.cut().unwrap().manifest
}

fn merge_all(drum: &mut Drum<Depth>, told: &mut Vec<String>) {
    while let Some(bucket) = drum.fullest() {
        drum.merge_now(bucket, |verdict| {
            told.push(format!("{} {:?}", String::from_utf8_lossy(verdict.aux), verdict.before));
            Ok(())
        })
        .unwrap();
    }
}

/// The golden directory in memory, since opening may change it.
fn golden_copy(version: &str) -> MemDisk {
    let (golden, copy) = (golden(version), MemDisk::new());
    for name in golden.list(Path::new("")).unwrap() {
        let path = Path::new(&name);
        replace_file(&copy, path, &read_all(&golden, path).unwrap()).unwrap();
    }
    copy
}

/// The key files of all versions are the same; the bucket files are not.
#[test]
fn older_versions_are_refused_by_name() {
    refuse("v1", 1);
    refuse("v2", 2);
}

fn refuse(directory: &str, version: u16) {
    let disk = golden_copy(directory);
    let manifest = Manifest::from_bytes(&read_all(&disk, Path::new("manifest")).unwrap()).unwrap();
    let mut drum: Drum<Depth> = Drum::open(Arc::new(disk), PathBuf::new(), CONFIG, Some(&manifest)).unwrap();
    let error = drum.merge_now(0, |_| Ok(())).unwrap_err();
    assert!(
        matches!(error, Error::Format(FormatError::Version { found, known: 3, .. }) if found == version),
        "{error}"
    );
    assert!(error.to_string().contains("bucket-000"), "{error}");
}

#[test]
fn version_3_is_read() {
    check_version_3("manifest", 4 * 12_288);
    check_version_3("manifest-v2", AUX_BYTES);
}

/// The first manifest does not say how much text waits: as much as is likely for the bytes of its file.
fn check_version_3(manifest: &str, aux_bytes: u64) {
    let disk = golden_copy("v3");
    let manifest = Manifest::from_bytes(&read_all(&disk, Path::new(manifest)).unwrap()).unwrap();
    assert_eq!((manifest.keys(), manifest.waiting()), (KEYS, 40));
    let mut drum: Drum<Depth> = Drum::open(Arc::new(disk), PathBuf::new(), CONFIG, Some(&manifest)).unwrap();
    assert_eq!(drum.waiting_aux_bytes(), aux_bytes);
    assert_eq!(drum.look_up(key(500)).unwrap(), Found { value: Some(Depth(3)), waiting: 1 });
    assert_eq!(drum.look_up(key(KEYS)).unwrap(), Found { value: None, waiting: 1 });
    let mut told = Vec::new();
    merge_all(&mut drum, &mut told);
    assert_eq!(told.len(), 27, "40 less 13 mere updates");
    assert!(told.contains(&"http://www.example.test/a/rather/long/path?page=3 Some(Depth(2))".to_owned()));
    assert!(told.contains(&"http://www.example.test/a/rather/long/path?page=24 None".to_owned()));
    assert_eq!(drum.look_up(key(500)).unwrap(), Found { value: Some(Depth(0)), waiting: 0 });
}

#[test]
fn version_3_is_what_is_written() {
    let (golden, memory) = (golden_copy("v3"), MemDisk::new());
    let manifest = make(&(Arc::new(memory.clone()) as SharedDisk));
    assert!(read_all(&golden, Path::new("manifest-v2")).unwrap() == manifest.to_bytes());
    for name in manifest.files().iter().filter(|name| name.starts_with("keys")) {
        let read = |disk: &MemDisk| read_all(disk, Path::new(name)).unwrap();
        assert!(read(&golden) == read(&memory), "{name} has changed: that takes a new version");
    }
}

#[test]
#[ignore = "writes the golden files"]
fn write_golden_files() {
    let disk = golden("v3");
    let manifest = make(&(Arc::new(disk.clone()) as SharedDisk));
    replace_file(&disk, Path::new("manifest-v2"), &manifest.to_bytes()).unwrap();
}
