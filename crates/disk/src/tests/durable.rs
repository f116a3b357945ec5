//! Files that are made durable together are, however many there are.

use super::*;
use crate::{CrashMode, MemDisk, OsDisk};
use std::path::PathBuf;
use stdx::Rng;

/// Enough for the operating system's disk to sync them together.
const FILES: usize = 100;

fn put_many(disk: &dyn Disk) -> Vec<PathBuf> {
    disk.create_dir(Path::new("a")).unwrap();
    disk.create_dir(Path::new("b")).unwrap();
    let names = (0..FILES).map(|nth| format!("{}/{nth}", if nth % 2 == 0 { "a" } else { "b" }));
    names.inspect(|name| put(disk, name, name.as_bytes())).map(PathBuf::from).collect()
}

#[test]
fn they_survive_a_crash() {
    let disk = MemDisk::new();
    let files = put_many(&disk);
    disk.make_durable(&files[..FILES / 2]).unwrap();
    let crashed = disk.crash(CrashMode::LoseUnsynced, &mut Rng::new(7));
    for (nth, path) in files.iter().enumerate() {
        let name = path.to_str().unwrap();
        // The others have their names: they are in the same directories.
        let expected = if nth < FILES / 2 { name } else { "" };
        assert_eq!(get(&crashed, name).as_deref(), Some(expected.as_bytes()));
    }
}

#[test]
fn the_operating_system_takes_few_and_many() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    let files = put_many(&disk);
    for count in [0, 1, FILES] {
        disk.make_durable(&files[..count]).unwrap();
    }
}

#[test]
fn directories_are_made_few_and_many() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    let dirs: Vec<PathBuf> = (0..FILES).map(|nth| PathBuf::from(format!("{}/{nth}", nth % 7))).collect();
    for count in [0, 1, FILES] {
        disk.create_dirs(&dirs[..count]).unwrap();
        assert!(dirs[..count].iter().all(|made| dir.path().join(made).is_dir()));
    }
    put(&disk, "file", b"");
    let beyond = [dirs, vec![PathBuf::from("file/dir")]].concat();
    assert!(disk.create_dirs(&beyond).unwrap_err().to_string().contains("/file"));
}

/// Whoever made it may have died before it was durable.
#[test]
fn a_directory_that_is_found_is_made_durable_once() {
    let dir = tempfile::tempdir().unwrap();
    let [before, disk] = [(); 2].map(|()| OsDisk::new(dir.path().to_owned()).unwrap());
    before.create_dir(Path::new("a")).unwrap();
    let doubtful = |dir: &str| disk.make_dir(Path::new(dir)).unwrap();
    assert_eq!(doubtful("a/b"), ["a", "a/b"].map(|name| dir.path().join(name)), "one found, one made");
    disk.clone().create_dir(Path::new("a/b")).unwrap();
    assert!(doubtful("a/b").is_empty());
    let dirs: Vec<PathBuf> = (0..FILES).map(|nth| PathBuf::from(format!("c/{nth}"))).collect();
    before.create_dirs(&dirs).unwrap();
    assert_eq!(doubtful("c/0").len(), 2);
    disk.create_dirs(&dirs).unwrap();
    assert!(doubtful("c/0").is_empty());
}

#[test]
fn one_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    let mut files = put_many(&disk);
    files.push(PathBuf::from("a/missing"));
    for files in [&files[FILES..], &files] {
        let error = disk.make_durable(files).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        assert!(error.to_string().contains("a/missing"), "{error}");
    }
}
