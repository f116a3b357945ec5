use super::clear;
use disk::{Disk, MemDisk, replace_file};
use std::path::Path;

#[test]
fn what_killed_commands_left_goes() {
    let disk = MemDisk::new();
    clear(&disk).expect("nothing is there");
    for dir in ["state/export", "state/duplicates"] {
        disk.create_dir(Path::new(dir)).expect("memory");
        replace_file(&disk, &Path::new(dir).join("bands-0.tmp"), b"left").expect("memory");
    }
    replace_file(&disk, Path::new("state/seeds.txt"), b"kept").expect("memory");
    clear(&disk).expect("memory");
    for dir in ["state/export", "state/duplicates"] {
        assert_eq!(disk.list(Path::new(dir)).expect("it is there"), Vec::<String>::new(), "{dir}");
    }
    assert!(disk.stat(Path::new("state/seeds.txt")).expect("memory").is_some());
}
