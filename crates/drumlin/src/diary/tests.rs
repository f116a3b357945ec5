use super::{Diary, LINES_WAITING, Said, Scribe, behind, event, how_it_ended};
use crossbeam_channel::bounded;
use disk::{Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk, read_all};
use logs::{Bounds, CURRENT, Level, RotatingFile};
use node::Ended;
use serde_json::{Value, json};
use snapshot::Snapshot;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use stdx::{Timestamp, WallTime};

const LOG: &str = "log";
const BOUNDS: Bounds = Bounds { file_bytes: 1 << 20, files: 2 };

/// Everything that was said while nobody wrote, as it is in the file afterwards.
fn written(disk: &SharedDisk, level: Option<Level>, say: impl FnOnce(&Diary)) -> Vec<Value> {
    let (said, inbox) = bounded(LINES_WAITING);
    let lost = Arc::new(AtomicU64::new(0));
    let diary = Diary { level, said, lost: lost.clone(), notices: bounded(1).0 };
    say(&diary);
    drop(diary);
    let file = RotatingFile::open(disk.clone(), Path::new(LOG), BOUNDS).unwrap();
    Scribe { file, lost }.serve(&inbox);
    let bytes = read_all(disk.as_ref(), &Path::new(LOG).join(CURRENT)).unwrap();
    bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[test]
fn what_nobody_could_keep_up_with_is_counted_and_blocks_nobody() {
    let more = LINES_WAITING as u64 + 500;
    let lines = written(&(Arc::new(MemDisk::new()) as SharedDisk), Some(Level::Info), |diary| {
        (0..more).for_each(|number| diary.say(&event(Level::Info, "said").with("number", number)));
    });
    let lost = lines.iter().find(|line| line["event"] == "lines-lost").expect("a line says so");
    assert_eq!((&lost["lines"], &lost["level"]), (&json!(500), &json!("warn")));
    let kept: Vec<u64> = lines.iter().filter_map(|line| line["number"].as_u64()).collect();
    assert_eq!(kept, (0..LINES_WAITING as u64).collect::<Vec<_>>());
}

#[test]
fn what_is_of_no_interest_is_not_written() {
    let names = |level| {
        let lines = written(&(Arc::new(MemDisk::new()) as SharedDisk), level, |diary| {
            for level in Level::ALL {
                diary.say(&event(level, level.name()));
            }
        });
        lines.iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(Some(Level::Warn)), ["error", "warn"]);
    assert_eq!(names(Some(Level::Debug)).len(), 4);
    assert!(names(None).is_empty());
}

#[test]
fn a_full_disk_costs_lines_and_nothing_else() {
    let faulty = FaultyDisk::counting(MemDisk::new());
    let disk: SharedDisk = Arc::new(faulty.clone());
    let file = RotatingFile::open(disk.clone(), Path::new(LOG), BOUNDS).unwrap();
    let lost = Arc::new(AtomicU64::new(0));
    let (said, inbox) = bounded(LINES_WAITING);
    let say = |name: &str| said.send(Said::Line(event(Level::Info, name).line())).unwrap();
    faulty.set_plan(Some(FaultPlan { call: faulty.calls(), fault: Fault::Full, lasts: Lasts::Forever }));
    say("while it was full");
    said.send(Said::End).unwrap();
    Scribe { file, lost: lost.clone() }.serve(&inbox);
    assert_eq!(lost.load(std::sync::atomic::Ordering::Relaxed), 1);
    faulty.set_plan(None);
    let file = RotatingFile::open(disk.clone(), Path::new(LOG), BOUNDS).unwrap();
    say("afterwards");
    said.send(Said::End).unwrap();
    Scribe { file, lost }.serve(&inbox);
    let text = String::from_utf8(read_all(disk.as_ref(), &Path::new(LOG).join(CURRENT)).unwrap()).unwrap();
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&events[0]["lines"], &events[1]["event"]), (&json!(1), &json!("afterwards")));
}

#[test]
fn a_clock_that_was_ahead_when_the_crawl_ran_last_is_told() {
    let behind = |ms: u64| behind(Timestamp::from_ms(1_000_000 + ms), WallTime::from_unix_ms(1_000_000));
    assert_eq!(behind(2_000), None, "clocks are corrected");
    let told: Value = serde_json::from_str(&behind(7_200_000).unwrap().line()).unwrap();
    assert_eq!(
        (&told["event"], &told["ms"], &told["level"]),
        (&json!("clock-behind"), &json!(7_200_000), &json!("error"))
    );
}

#[test]
fn a_run_that_found_no_room_says_where() {
    let snapshot = Snapshot { no_room: Some("corpus/1: no space".to_owned()), ..Snapshot::default() };
    let ended = Ended { exit: crawler::Exit::DiskFull, snapshot, waiting: Vec::new() };
    let lines = written(&(Arc::new(MemDisk::new()) as SharedDisk), Some(Level::Error), |diary| {
        diary.say(&how_it_ended(&Ok(ended)));
    });
    assert_eq!((&lines[0]["exit"], &lines[0]["why"]), (&json!("disk-full"), &json!("corpus/1: no space")));
}
