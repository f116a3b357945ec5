//! Tables of every format version, opened forever. `cargo test -p near --test golden -- --ignored` writes those of the present
//! version, once, when there is a new one.

use disk::{Disk, MemDisk, OsDisk, SharedDisk, read_all, replace_file};
use near::{Entry, Match, Tables};
use std::path::Path;
use std::sync::Arc;

const ENTRIES: u64 = 300;

fn golden() -> OsDisk {
    OsDisk::new(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/v1")).to_owned()).unwrap()
}

/// The golden directory in memory, since opening may change it.
fn golden_copy() -> SharedDisk {
    let (golden, copy) = (golden(), MemDisk::new());
    for name in golden.list(Path::new("")).unwrap() {
        replace_file(&copy, Path::new(&name), &read_all(&golden, Path::new(&name)).unwrap()).unwrap();
    }
    Arc::new(copy)
}

fn fingerprint(id: u64) -> u64 {
    (id / 2).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (id % 2) << 40
}

fn make(disk: &SharedDisk) {
    let entries: Vec<Entry> = (0..ENTRIES).map(|id| Entry { fingerprint: fingerprint(id), id }).collect();
    let mut tables = Tables::open(Arc::clone(disk), Path::new("")).unwrap();
    entries.chunks(200).for_each(|batch| tables.add(batch, |_| Ok(())).unwrap());
}

#[test]
fn version_1_is_read() {
    let mut tables = Tables::open(golden_copy(), Path::new("")).unwrap();
    assert_eq!(tables.len(), ENTRIES);
    let mut found = Vec::new();
    let asked = Entry { fingerprint: fingerprint(100) ^ 0b101, id: 1_000 };
    tables
        .look_up(&[asked], |one| {
            found.push(one);
            Ok(())
        })
        .unwrap();
    found.sort_unstable();
    let with = |known, distance| Match { known, new: 1_000, distance };
    assert_eq!(found, [with(100, 2), with(101, 3)]);
}

#[test]
fn version_1_is_what_is_written() {
    let (golden, memory): (SharedDisk, SharedDisk) = (golden_copy(), Arc::new(MemDisk::new()));
    make(&memory);
    let names = golden.list(Path::new("")).unwrap();
    assert_eq!(names, memory.list(Path::new("")).unwrap());
    for name in names {
        let read = |disk: &SharedDisk| read_all(&**disk, Path::new(&name)).unwrap();
        assert!(read(&golden) == read(&memory), "{name} has changed: that takes a new version");
    }
}

#[test]
#[ignore = "writes the golden files"]
fn write_golden_files() {
    let disk: SharedDisk = Arc::new(golden());
    make(&disk);
}
