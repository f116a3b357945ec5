use super::Tripwire;
use crate::{Disk, MemDisk, Mode};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// Every mutating call once, between calls that only read.
fn use_all(disk: &Tripwire) {
    let (a, b) = (Path::new("a"), Path::new("b"));
    disk.create_dir(Path::new("dir")).unwrap();
    let mut file = disk.open(a, Mode::CreateNew).unwrap();
    file.write_at(b"hello", 0).unwrap();
    file.set_len(3).unwrap();
    assert_eq!(file.len().unwrap(), 3);
    file.sync().unwrap();
    disk.rename(a, b).unwrap();
    assert_eq!(disk.stat(b).unwrap(), Some(3));
    disk.sync_dir(Path::new("")).unwrap();
    disk.remove(b).unwrap();
}

#[test]
fn the_chosen_call_is_not_made_and_all_before_it_are() {
    for at in 1..=7 {
        let memory = MemDisk::new();
        let disk = Tripwire::with_trip(Arc::new(memory.clone()), at, || panic!("tripped"));
        let tripped = catch_unwind(AssertUnwindSafe(|| use_all(&disk))).is_err();
        assert_eq!(tripped, at <= 6, "call {at}");
        let left = (memory.stat(Path::new("a")).unwrap(), memory.stat(Path::new("b")).unwrap());
        let expected = match at {
            1 => (Some(0), None),
            2 => (Some(5), None),
            3 | 4 => (Some(3), None),
            5 | 6 => (None, Some(3)),
            _ => (None, None),
        };
        assert_eq!(left, expected, "before call {at}");
    }
}
