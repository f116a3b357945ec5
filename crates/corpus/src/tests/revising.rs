//! Files whose rows go.

use super::files::GOLDEN_1;
use super::{SMALL, closed_files, dir, memory, open, row, rows};
use crate::{DUPLICATES_FILE, Revised, Revision, Row, revise};
use disk::{CrashMode, Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk, replace_file};
use std::sync::Arc;
use stdx::Rng;

const LAST: u64 = 13;

/// The fifth goes and the second has moved: one of three files changes.
fn decide(_: &str, url: &str) -> Revision {
    match number(url) {
        5 => Revision::Gone,
        2 => moved(),
        _ => Revision::Stays,
    }
}

fn moved() -> Revision {
    Revision::Moved { warc_file: "example-kept-00001.warc.gz".to_owned(), offset: 17, length: 18 }
}

fn number(url: &str) -> u64 {
    let digits = url.trim_start_matches("https://example.com/").split('?').next().unwrap();
    digits.parse().unwrap()
}

fn written(disk: &SharedDisk) {
    let (mut writer, _) = open(disk, SMALL);
    (1..=LAST).for_each(|capture| drop(writer.push(row(capture)).unwrap()));
    writer.close().unwrap();
}

fn expected() -> Vec<Row> {
    let revised = |capture| match capture {
        5 => None,
        2 => {
            let warc_file = "example-kept-00001.warc.gz".to_owned();
            Some(Row { warc_file, warc_offset: 17, warc_length: 18, ..row(2) })
        }
        capture => Some(row(capture)),
    };
    (1..=LAST).filter_map(revised).collect()
}

fn run(disk: &dyn Disk) -> Result<Revised, crate::Error> {
    revise(disk, dir(), &SMALL, decide)
}

#[test]
fn rows_go_and_their_captures_stay_settled() {
    let disk = memory();
    written(&disk);
    let (_, before) = open(&disk, SMALL);
    assert_eq!(run(&*disk).unwrap(), Revised { files: 1, gone: 1, tables: 0 });
    assert_eq!(rows(&*disk), expected());
    assert!(rows(&*disk).iter().all(|row| row.dump() == "example"), "whatever file they stand in");
    let (_, after) = open(&disk, SMALL);
    assert_eq!(after.captures, before.captures, "nothing is parsed again");
}

#[test]
fn once_more_changes_nothing() {
    let disk = memory();
    written(&disk);
    run(&*disk).unwrap();
    let table = dir().join(DUPLICATES_FILE);
    replace_file(&*disk, &table, b"a table").unwrap();
    assert_eq!(run(&*disk).unwrap(), Revised::default());
    assert!(disk.stat(&table).unwrap().is_some(), "it speaks of these rows");
}

#[test]
fn a_file_can_lose_all_its_rows() {
    let disk = memory();
    written(&disk);
    let all = |_: &str, _: &str| Revision::Gone;
    assert_eq!(revise(&*disk, dir(), &SMALL, all).unwrap(), Revised { files: 3, gone: LAST, tables: 0 });
    assert_eq!((rows(&*disk).len(), closed_files(&*disk).len()), (0, 3));
    assert_eq!(revise(&*disk, dir(), &SMALL, all).unwrap(), Revised::default());
}

/// As a crawl of an earlier version left it.
#[test]
fn a_file_of_the_first_format_loses_rows_too() {
    let disk = memory();
    drop(open(&disk, SMALL));
    replace_file(&*disk, &dir().join("pages-00001.parquet"), GOLDEN_1).unwrap();
    assert_eq!(run(&*disk).unwrap(), Revised { files: 1, gone: 1, tables: 0 });
    let captures: Vec<u64> = rows(&*disk).iter().map(|row| row.capture).collect();
    assert_eq!(captures, [1, 2, 3, 4]);
    assert_eq!(open(&disk, SMALL).1.captures.to_string(), "1-6", "nothing is parsed again");
}

#[test]
fn the_table_of_duplicates_goes_with_the_first_row() {
    let disk = memory();
    written(&disk);
    let table = dir().join(DUPLICATES_FILE);
    replace_file(&*disk, &table, b"a table").unwrap();
    revise(&*disk, dir(), &SMALL, |_, _| Revision::Stays).unwrap();
    assert!(disk.stat(&table).unwrap().is_some());
    assert_eq!(run(&*disk).unwrap(), Revised { files: 1, gone: 1, tables: 1 });
    assert!(disk.stat(&table).unwrap().is_none());
}

#[test]
fn a_crash_at_any_call_leaves_one_generation_or_the_other() {
    let whole = MemDisk::new();
    written(&(Arc::new(whole.clone()) as SharedDisk));
    let counting = FaultyDisk::counting(whole.kill());
    run(&counting).unwrap();
    let mut rng = Rng::new(7);
    for call in 0..counting.calls() {
        for mode in CrashMode::ALL {
            let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
            let faulty = FaultyDisk::new(whole.kill(), plan);
            let _ = run(&faulty);
            let after: SharedDisk = Arc::new(faulty.inner().crash(mode, &mut rng));
            drop(open(&after, SMALL));
            let left = rows(&*after);
            let old: Vec<Row> = (1..=LAST).map(row).collect();
            assert!(left == expected() || left == old, "call {call}");
            run(&*after).unwrap();
            assert_eq!(rows(&*after), expected());
        }
    }
}
