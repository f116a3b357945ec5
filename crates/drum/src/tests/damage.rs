//! Every bit of every file is under a checksum or has no meaning: a flipped one is an error that names the
//! file, or changes nothing.

use super::fixture::{Log, Sum, checkpoint, merge, merge_all, open, tiny};
use crate::{Drum, Error, Manifest, Request};
use disk::{FormatError, MemDisk, Mode, SharedDisk, read_all};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::Rng;

struct Sample {
    disk: MemDisk,
    manifest: Manifest,
}

fn append(drum: &mut Drum<Sum>, count: u64) {
    let mut rng = Rng::new(count);
    for n in 0..count {
        let sum = Sum(n as u32);
        let request = if n % 3 == 0 { Request::Update(sum) } else { Request::CheckUpdate(sum) };
        drum.append(rng.next_u64(), request, b"http://example.test/some/path").unwrap();
    }
}

/// A key file of several blocks and a bucket file of a few.
fn sample() -> Sample {
    let disk = MemDisk::new();
    let config = crate::Config { buffer_bytes: 64 << 10, bucket_bytes: 1 << 20, ..tiny(0) };
    let mut drum = open(&(Arc::new(disk.clone()) as SharedDisk), config, None).unwrap();
    append(&mut drum, 10_000);
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    append(&mut drum, 30);
    let manifest = checkpoint(&mut drum, &(Arc::new(disk.clone()) as SharedDisk)).unwrap();
    Sample { disk, manifest }
}

fn flip(disk: &MemDisk, path: &Path, at: u64) {
    let mut file = disk::Disk::open(disk, path, Mode::Write).unwrap();
    let mut byte = [0];
    file.read_at(&mut byte, at).unwrap();
    file.write_at(&[byte[0] ^ 0x10], at).unwrap();
}

fn merged(disk: &MemDisk, manifest: &Manifest) -> crate::Result<Log> {
    let mut drum = open(&(Arc::new(disk.clone()) as SharedDisk), tiny(0), Some(manifest))?;
    let mut log = Log::new();
    merge_all(&mut drum, &mut log)?;
    Ok(log)
}

fn check(name: &str, places: impl Iterator<Item = u64>) {
    let sample = sample();
    for at in places {
        let disk = sample.disk.kill();
        flip(&disk, &Path::new("seen").join(name), at);
        let error = merged(&disk, &sample.manifest).expect_err("a flipped bit goes unnoticed");
        assert!(matches!(error, Error::Format(_)), "byte {at}: {error}");
        assert!(error.to_string().contains(name), "byte {at}: {error}");
    }
}

fn file_of(sample: &Sample, kind: &str) -> String {
    sample.manifest.files().into_iter().find(|name| name.starts_with(kind)).unwrap()
}

fn len_of(sample: &Sample, name: &str) -> u64 {
    read_all(&sample.disk, &Path::new("seen").join(name)).unwrap().len() as u64
}

#[test]
fn a_flipped_bit_in_a_bucket_file_is_noticed() {
    let sample = sample();
    let name = file_of(&sample, "bucket");
    check(&name, 0..len_of(&sample, &name));
}

#[test]
fn a_flipped_bit_in_a_key_file_is_noticed() {
    let sample = sample();
    let name = file_of(&sample, "keys");
    let len = len_of(&sample, &name);
    let index_and_footer = 40 + 2 * 16;
    let body = (0..len - index_and_footer).step_by(997).chain(0..80);
    check(&name, body.chain(len - 40..len));
}

#[test]
fn a_key_file_of_another_version_is_told_from_a_damaged_one() {
    const VERSION_AT: u64 = 8;
    let sample = sample();
    flip(&sample.disk, &Path::new("seen").join(file_of(&sample, "keys")), VERSION_AT);
    let error = merged(&sample.disk, &sample.manifest).unwrap_err();
    assert!(matches!(error, Error::Format(FormatError::Version { found: 0x11, known: 1, .. })), "{error}");
}

#[test]
fn a_flipped_bit_in_the_index_is_noticed_by_look_ups() {
    let sample = sample();
    let name = file_of(&sample, "keys");
    flip(&sample.disk, &Path::new("seen").join(&name), len_of(&sample, &name) - 45);
    let disk: SharedDisk = Arc::new(sample.disk);
    let drum = open(&disk, tiny(0), Some(&sample.manifest)).unwrap();
    assert!(matches!(drum.look_up(5), Err(Error::Format(FormatError::Corrupt { .. }))));
}

#[test]
fn a_flipped_bit_in_a_manifest_is_noticed() {
    let bytes = sample().manifest.to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(Manifest::from_bytes(&damaged).is_err(), "byte {at}");
    }
    for len in 0..bytes.len() {
        assert!(Manifest::from_bytes(&bytes[..len]).is_err(), "{len} bytes");
    }
}

#[test]
fn a_file_that_is_missing_or_short_is_named() {
    let sample = sample();
    for name in sample.manifest.files() {
        let path = PathBuf::from("seen").join(&name);
        let disk = sample.disk.kill();
        disk::Disk::open(&disk, &path, Mode::Write).unwrap().set_len(20).unwrap();
        assert!(merged(&disk, &sample.manifest).unwrap_err().to_string().contains(&name));
        disk::Disk::remove(&disk, &path).unwrap();
        assert!(merged(&disk, &sample.manifest).unwrap_err().to_string().contains(&name));
    }
}
