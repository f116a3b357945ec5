use crate::{Disk, Mode, OsDisk};
use std::fs;
use std::path::Path;

/// A disk whose directory goes, by its name or whole, while another one comes in its place.
fn check(go: impl FnOnce(&Path)) {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("crawl");
    let disk = OsDisk::new(root.clone()).unwrap();
    disk.open(Path::new("a"), Mode::CreateNew).unwrap();
    go(&root);
    fs::create_dir(&root).unwrap();
    fs::write(root.join("a"), "theirs").unwrap();
    let error = disk.open(Path::new("b"), Mode::CreateNew).map(drop).unwrap_err();
    assert!(error.to_string().contains("another directory has its name"), "{error}");
    assert!(disk.rename(Path::new("a"), Path::new("c")).is_err());
    assert!(disk.remove(Path::new("a")).is_err());
    assert!(disk.create_dir(Path::new("d")).is_err());
    assert!(disk.stat(Path::new("a")).is_err() && disk.free_bytes().is_err());
    let names = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["a"]);
}

#[test]
fn nothing_is_done_in_another_directory_of_the_name() {
    check(|root| fs::remove_dir_all(root).unwrap());
    check(|root| fs::rename(root, root.with_extension("old")).unwrap());
}

#[test]
fn a_directory_that_is_gone_is_no_absent_file() {
    let place = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(place.path().join("crawl")).unwrap();
    fs::remove_dir(place.path().join("crawl")).unwrap();
    let error = disk.stat(Path::new("a")).unwrap_err();
    assert_ne!(error.kind(), std::io::ErrorKind::NotFound);
}
