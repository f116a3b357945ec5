//! What need not stay in memory stays on disk.

use super::*;
use crate::{ALIGNMENT, OsDisk};
use std::ops::Range;

#[track_caller]
fn check(range: Range<u64>) {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    let bytes: Vec<u8> = (0..3 * ALIGNMENT + 100).map(|n| (n % 251) as u8).collect();
    put_synced(&disk, "f", &bytes);
    let mut file = disk.open(Path::new("f"), Mode::Write).unwrap();
    file.let_go(range);
    file.write_at(b"more", bytes.len() as u64).unwrap();
    assert_eq!(get(&disk, "f").unwrap(), [&bytes[..], b"more"].concat());
}

#[test]
fn a_file_that_is_let_go_of_is_the_same() {
    let page = ALIGNMENT as u64;
    check(0..0);
    check(0..3 * page + 100);
    check(10..page + 10);
    check(page..page);
    check(2 * page..9 * page);
    check(u64::MAX - page..u64::MAX);
}
