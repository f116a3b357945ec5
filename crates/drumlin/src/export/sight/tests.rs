use super::{Cursor, Sight};
use crate::work::Format;
use disk::{Disk, MemDisk, Mode};
use std::path::Path;
use stdx::Step;

/// A crawl with files of 100 bytes.
fn crawl() -> MemDisk {
    let disk = MemDisk::new();
    for dir in ["archive", "corpus", "state"] {
        disk.create_dir(Path::new(dir)).unwrap();
    }
    let files = [
        "archive/a.warc.gz",
        "archive/b.warc.gz",
        "archive/index.cdxj",
        "corpus/1.parquet",
        "corpus/2.parquet",
    ];
    for path in files {
        disk.open(Path::new(path), Mode::CreateNew).unwrap().write_at(&[0; 100], 0).unwrap();
    }
    disk
}

#[test]
fn how_far_an_export_is_is_how_much_of_its_input_it_has_read() {
    let sight = Sight::new(&crawl(), Format::Text).unwrap();
    let step = |path: &str, offset: u64| sight.step(Path::new(path), offset);
    assert_eq!(step("archive/b.warc.gz", 30), Some(Step::bytes("reading the archive", 130, 200)));
    assert_eq!(step("archive/index.cdxj", 100), Some(Step::bytes("reading the index", 100, 100)));
    // A table is read from its end first: only which one it is tells anything.
    assert_eq!(step("corpus/2.parquet", 100), Some(Step::bytes("reading the corpus", 100, 200)));
    assert_eq!(step("state/export/notices-1", 5), None);
}

#[test]
fn a_crawl_that_has_nothing_yet_has_nothing_to_read() {
    let sight = Sight::new(&MemDisk::new(), Format::Text).unwrap();
    assert!(sight.inputs.iter().all(|input| input.files.is_empty() && input.bytes == 0));
}

/// Of 1000 MB.
fn archive(mb: u64) -> Step {
    Step::bytes("reading the archive", mb << 20, 1000 << 20)
}

#[test]
fn a_look_at_something_else_is_no_step_of_a_reading() {
    let mut cursor = Cursor::default();
    for mb in 0..600 {
        assert_eq!(cursor.follow(archive(mb)) >> 20, mb);
        assert_eq!(cursor.follow(archive(mb / 7)) >> 20, mb, "the original of a revisit");
    }
    let again: Vec<u64> = (0..40).map(|mb| cursor.follow(archive(mb)) >> 20).collect();
    assert!(again[..8].iter().all(|mb| *mb == 599), "{again:?}");
    assert!((9..40).all(|mb| again[mb] == mb as u64), "{again:?}");
    assert_eq!(cursor.follow(Step::bytes("reading the corpus", 5, 9)), 5);
}
