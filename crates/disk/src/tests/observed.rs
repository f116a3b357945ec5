use super::{get, put};
use crate::{Disk, MemDisk, Mode, Observed, Observer};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Seen(Mutex<Vec<(PathBuf, u64)>>);

impl Observer for Seen {
    fn read(&self, path: &Path, offset: u64) {
        self.0.lock().unwrap().push((path.to_owned(), offset));
    }
}

/// Keeps what goes.
struct Keeper {
    below: MemDisk,
    kept: Mutex<Vec<Option<Vec<u8>>>>,
}

impl Observer for Keeper {
    fn read(&self, _: &Path, _: u64) {}

    fn removing(&self, path: &Path) {
        self.kept.lock().unwrap().push(get(&self.below, path.to_str().unwrap()));
    }
}

#[test]
fn what_is_removed_is_seen_while_it_is_there() {
    let below = MemDisk::new();
    let keeper = Arc::new(Keeper { below: below.clone(), kept: Mutex::default() });
    let disk = Observed::new(Arc::new(below.clone()), keeper.clone());
    put(&disk, "file", b"0123456789");
    disk.remove(Path::new("file")).unwrap();
    assert_eq!(*keeper.kept.lock().unwrap(), [Some(b"0123456789".to_vec())]);
    assert_eq!(get(&below, "file"), None);
}

#[test]
fn what_is_read_is_seen_and_nothing_else_changes() {
    let (below, seen) = (MemDisk::new(), Arc::new(Seen::default()));
    let disk = Observed::new(Arc::new(below.clone()), seen.clone());
    disk.create_dir(Path::new("a")).unwrap();
    put(&disk, "a/file", b"0123456789");
    assert!(seen.0.lock().unwrap().is_empty(), "nobody has read yet");
    assert_eq!(get(&below, "a/file").as_deref(), Some(&b"0123456789"[..]));
    let file = disk.open(Path::new("a/file"), Mode::Read).unwrap();
    let mut part = [0; 4];
    assert_eq!((file.read_at(&mut part, 3).unwrap(), &part), (4, b"3456"));
    assert_eq!(file.read_at(&mut part, 8).unwrap(), 2, "short at the end");
    let path = PathBuf::from("a/file");
    assert_eq!(*seen.0.lock().unwrap(), [(path.clone(), 7), (path, 10)]);
}
