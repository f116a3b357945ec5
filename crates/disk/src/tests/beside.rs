use crate::{Beside, Disk, MemDisk, Mode, read_all, replace_file};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

const OURS: &str = "state/seeds";
const THEIRS: &str = "earlier/archive/file";

fn two() -> (MemDisk, Beside) {
    let (own, other) = (MemDisk::new(), MemDisk::new());
    own.create_dir(Path::new("state")).unwrap();
    other.create_dir(Path::new("archive")).unwrap();
    replace_file(&own, Path::new(OURS), b"ours").unwrap();
    replace_file(&other, Path::new("archive/file"), b"theirs").unwrap();
    let both = Beside::new(Arc::new(own), "earlier", Arc::new(other.clone()));
    (other, both)
}

#[test]
fn both_are_read() {
    let (_, both) = two();
    assert_eq!(read_all(&both, Path::new(OURS)).unwrap(), b"ours");
    assert_eq!(read_all(&both, Path::new(THEIRS)).unwrap(), b"theirs");
    assert_eq!(both.stat(Path::new(THEIRS)).unwrap(), Some(6));
    assert_eq!(both.list(Path::new("earlier/archive")).unwrap(), ["file"]);
    assert_eq!(both.list(Path::new("")).unwrap(), ["state"]);
}

#[test]
fn the_other_cannot_be_changed() {
    let (other, both) = two();
    let theirs = Path::new(THEIRS);
    for mode in [Mode::Write, Mode::CreateNew, Mode::Truncate, Mode::OpenOrCreate] {
        assert_eq!(both.open(theirs, mode).err().unwrap().kind(), ErrorKind::PermissionDenied, "{mode:?}");
    }
    let refused = [
        both.remove(theirs),
        both.rename(theirs, Path::new("state/taken")),
        both.rename(Path::new(OURS), theirs),
        both.create_dir(Path::new("earlier/new")),
        both.remove(Path::new("./earlier/archive/file")),
        both.make_durable(&[theirs.to_owned()]),
    ];
    for result in refused {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::PermissionDenied);
    }
    assert_eq!(read_all(&other, Path::new("archive/file")).unwrap(), b"theirs");
}

#[test]
fn a_name_that_only_begins_alike_is_our_own() {
    let (_, both) = two();
    both.create_dir(Path::new("earlier-still")).unwrap();
    assert_eq!(both.list(Path::new("")).unwrap(), ["earlier-still", "state"]);
}
