//! `crawl.log` after a crash, and in several files: whatever is missing from it is written again, and nothing twice.

use crawler::{CrawlLog, Failure, FailureKind, Record, crawl_log_files};
use disk::{CrashMode, Disk, Fault, FaultPlan, FaultyDisk, File, Lasts, MemDisk, Mode, SharedDisk, read_all};
use frontier::{Attempt, End, Subject};
use std::io;
use std::path::Path;
use std::sync::Arc;
use stdx::{Rng, Timestamp};

const PATH: &str = "crawl.log";
const ENTRIES: u64 = 5;

/// Room for all entries, and for two of them.
const AMPLE: u64 = 1 << 20;
const SCANT: u64 = 180;

fn records() -> Vec<Vec<u8>> {
    let attempt = |number: u64| Attempt {
        subject: Subject::Name,
        url: format!("http://host{number}.test/"),
        contact: None,
        at: Timestamp::from_ms(number),
        end: End::Failed(Failure { kind: FailureKind::NameNotFound, detail: String::new() }),
    };
    (0..ENTRIES).map(|number| Record::Attempt { shard: 0, attempt: attempt(number) }.encode()).collect()
}

fn write_all(disk: &MemDisk) -> Vec<u8> {
    let mut log = CrawlLog::open(Arc::new(disk.clone()), Path::new(PATH), AMPLE).unwrap();
    log.append(1, records().iter().map(Vec::as_slice)).unwrap();
    log.sync().unwrap();
    read_all(disk, Path::new(PATH)).unwrap()
}

/// Opening a log that was damaged like this, and appending all entries again, gives the whole log.
fn check(damage: impl Fn(&mut dyn File, u64)) {
    let disk = MemDisk::new();
    let whole = write_all(&disk);
    assert_eq!(whole.split(|&byte| byte == b'\n').count() as u64, ENTRIES + 1);
    let mut file = disk.open(Path::new(PATH), Mode::Write).unwrap();
    damage(file.as_mut(), whole.len() as u64);
    assert_eq!(write_all(&disk), whole);
}

#[test]
fn a_log_that_is_whole_stays_as_it_is() {
    check(|_, _| {});
}

#[test]
fn a_torn_last_line_is_written_again() {
    check(|file, len| file.set_len(len - 7).unwrap());
}

#[test]
fn a_log_that_is_gone_is_written_again() {
    check(|file, _| file.set_len(0).unwrap());
}

#[test]
fn a_hole_in_the_middle_is_filled() {
    check(|file, len| file.write_at(&vec![0; len as usize / 3], len / 3).unwrap());
}

#[test]
fn its_name_survives_a_power_loss() {
    let disk = MemDisk::new();
    let whole = write_all(&disk);
    let after = disk.crash(CrashMode::LoseUnsynced, &mut Rng::new(1));
    assert_eq!(read_all(&after, Path::new(PATH)).unwrap(), whole);
}

/// Each entry in a commit of its own, by a process for each, into files that hold two.
fn write_in_files(disk: &SharedDisk) -> io::Result<()> {
    for (seq, record) in (1..).zip(records()) {
        let mut log = CrawlLog::open(disk.clone(), Path::new(PATH), SCANT)?;
        log.append(seq, [record.as_slice()])?;
    }
    Ok(())
}

fn all_files(disk: &SharedDisk) -> Vec<u8> {
    let files = crawl_log_files(disk.as_ref(), Path::new(PATH)).unwrap();
    files.iter().flat_map(|path| read_all(disk.as_ref(), path).unwrap()).collect()
}

#[test]
fn files_that_are_full_are_named_for_what_they_cover() {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    for name in ["crawl.old.log", "crawl.7.log", "other.000000000007.log"] {
        disk.open(Path::new(name), Mode::CreateNew).unwrap();
    }
    write_in_files(&disk).unwrap();
    let files = crawl_log_files(disk.as_ref(), Path::new(PATH)).unwrap();
    let names: Vec<_> = files.iter().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(names, ["crawl.000000000002.log", "crawl.000000000004.log", PATH]);
    assert!(files.iter().all(|path| disk.stat(path).unwrap().unwrap() <= SCANT));
    assert_eq!(all_files(&disk), write_all(&MemDisk::new()));
}

#[test]
fn what_covers_more_than_the_file_that_is_written_is_not_written_again() {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    write_in_files(&disk).unwrap();
    disk.remove(Path::new(PATH)).unwrap();
    assert_eq!(CrawlLog::open(disk.clone(), Path::new(PATH), SCANT).unwrap().next_seq(), 5);
    write_in_files(&disk).unwrap();
    assert_eq!(all_files(&disk), write_all(&MemDisk::new()));
}

/// Whatever call of the disk was the last one, and whatever the power loss took.
#[test]
fn no_crash_loses_a_line_or_doubles_one() {
    let whole = write_all(&MemDisk::new());
    let counting = FaultyDisk::counting(MemDisk::new());
    write_in_files(&(Arc::new(counting.clone()) as SharedDisk)).unwrap();
    for call in 0..counting.calls() {
        for mode in CrashMode::ALL {
            let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
            let faulty = FaultyDisk::new(MemDisk::new(), plan);
            assert!(write_in_files(&(Arc::new(faulty.clone()) as SharedDisk)).is_err());
            let image: SharedDisk = Arc::new(faulty.inner().crash(mode, &mut Rng::new(call)));
            write_in_files(&image).unwrap();
            assert_eq!(all_files(&image), whole, "call {call}, {mode:?}");
        }
    }
}
