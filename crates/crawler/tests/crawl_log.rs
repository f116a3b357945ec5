//! `crawl.log` after a crash: whatever is missing from it is written again, and nothing twice.

use crawler::{CrawlLog, Failure, FailureKind, Record};
use disk::{CrashMode, Disk, File, MemDisk, Mode, read_all};
use frontier::{Attempt, End, Subject};
use std::path::Path;
use stdx::{Rng, Timestamp};

const PATH: &str = "crawl.log";
const ENTRIES: u64 = 5;

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
    let mut log = CrawlLog::open(disk, Path::new(PATH)).unwrap();
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
