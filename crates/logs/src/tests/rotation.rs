use crate::{Bounds, CURRENT, RotatingFile};
use disk::{Disk, MemDisk, Mode, read_all};
use std::path::Path;
use std::sync::Arc;

const DIR: &str = "log";

fn open(disk: &MemDisk, bounds: Bounds) -> RotatingFile {
    RotatingFile::open(Arc::new(disk.clone()), Path::new(DIR), bounds).unwrap()
}

fn line(number: u32) -> String {
    format!("{{\"line\":{number:04}}}\n")
}

const LINE_BYTES: u64 = 14;

/// All lines that are there, the oldest first, and the bytes of the largest file.
fn lines(disk: &MemDisk) -> (Vec<u32>, u64) {
    let mut names = disk.list(Path::new(DIR)).unwrap();
    names.sort_by_key(|name| {
        std::cmp::Reverse(
            name.strip_prefix("events.").unwrap().split('.').next().unwrap().parse().unwrap_or(0),
        )
    });
    let files: Vec<Vec<u8>> =
        names.iter().map(|name: &String| read_all(disk, &Path::new(DIR).join(name)).unwrap()).collect();
    let text = String::from_utf8(files.concat()).unwrap();
    let number = |line: &str| line[8..12].parse().unwrap();
    (text.lines().map(number).collect(), files.iter().map(|file| file.len() as u64).max().unwrap())
}

#[test]
fn the_oldest_lines_go_and_no_file_grows_beyond_its_bound() {
    let (disk, bounds) = (MemDisk::new(), Bounds { file_bytes: 10 * LINE_BYTES, files: 3 });
    let mut log = open(&disk, bounds);
    for number in 0..1_000 {
        log.append(&line(number)).unwrap();
        let (there, largest) = lines(&disk);
        assert!(largest <= bounds.file_bytes && there.len() <= 30, "{number}");
        assert_eq!(there, (number + 1 - there.len() as u32..=number).collect::<Vec<_>>());
        assert!(there.len() as u32 >= 21.min(number + 1), "{number}: {}", there.len());
    }
}

#[test]
fn one_file_may_be_all_there_is() {
    let disk = MemDisk::new();
    let mut log = open(&disk, Bounds { file_bytes: 2 * LINE_BYTES, files: 1 });
    (0..5).for_each(|number| log.append(&line(number)).unwrap());
    assert_eq!(lines(&disk).0, [4]);
}

#[test]
fn a_run_that_was_killed_in_the_middle_of_a_line_leaves_whole_ones() {
    let (disk, bounds) = (MemDisk::new(), Bounds { file_bytes: 1_000, files: 2 });
    let mut log = open(&disk, bounds);
    (0..3).for_each(|number| log.append(&line(number)).unwrap());
    drop(log);
    let killed = disk.kill();
    let path = Path::new(DIR).join(CURRENT);
    let mut file = killed.open(&path, Mode::Write).unwrap();
    file.write_at(b"{\"line\":00", 3 * LINE_BYTES).unwrap();
    let mut log = open(&killed, bounds);
    log.append(&line(3)).unwrap();
    assert_eq!(lines(&killed).0, [0, 1, 2, 3]);
}

#[test]
fn fewer_files_are_allowed_now() {
    let disk = MemDisk::new();
    let mut log = open(&disk, Bounds { file_bytes: LINE_BYTES, files: 5 });
    (0..5).for_each(|number| log.append(&line(number)).unwrap());
    assert_eq!(lines(&disk).0.len(), 5);
    drop(open(&disk, Bounds { file_bytes: LINE_BYTES, files: 2 }));
    assert_eq!(lines(&disk).0, [3, 4]);
}
