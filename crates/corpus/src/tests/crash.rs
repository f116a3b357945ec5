use super::{SMALL, check, dir, open, row, rows};
use crate::{Error, Ranges, Writer};
use disk::{CrashMode, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk};
use std::collections::BTreeSet;
use std::sync::Arc;
use stdx::Rng;

const LAST: u64 = 13;

/// What the archive would replay: every capture that is not held.
fn crawl(disk: &SharedDisk) -> Result<(), Error> {
    let (mut writer, held) = Writer::open(Arc::clone(disk), dir(), SMALL)?;
    for capture in (1..=LAST).filter(|&capture| !held.captures.contains(capture)) {
        writer.push(row(capture))?;
    }
    writer.close().map(drop)
}

/// Calls of a crawl on a disk on which nothing fails.
fn calls() -> u64 {
    let disk = FaultyDisk::counting(MemDisk::new());
    let shared: SharedDisk = Arc::new(disk.clone());
    crawl(&shared).unwrap();
    let calls = disk.calls();
    check(&shared, 1..=LAST);
    calls
}

fn faulty(fault: Fault, lasts: Lasts, call: u64) -> FaultyDisk {
    FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault, lasts })
}

#[test]
fn a_crash_at_any_call_loses_and_repeats_no_row() {
    let mut rng = Rng::new(7);
    for call in 0..calls() {
        for mode in CrashMode::ALL {
            let disk = faulty(Fault::TornWrite, Lasts::Forever, call);
            assert!(crawl(&(Arc::new(disk.clone()) as SharedDisk)).is_err(), "call {call}");
            let after: SharedDisk = Arc::new(disk.inner().crash(mode, &mut rng));
            crawl(&after).unwrap();
            check(&after, 1..=LAST);
        }
    }
}

#[test]
fn a_second_crash_during_recovery_neither() {
    let mut rng = Rng::new(8);
    for call in 0..calls() {
        let first = faulty(Fault::TornWrite, Lasts::Forever, call);
        let _ = crawl(&(Arc::new(first.clone()) as SharedDisk));
        let second = FaultyDisk::counting(first.inner().kill());
        let at = rng.next_u64() % 20;
        second.set_plan(Some(FaultPlan { call: at, fault: Fault::Io, lasts: Lasts::Forever }));
        let _ = crawl(&(Arc::new(second.clone()) as SharedDisk));
        let after: SharedDisk = Arc::new(second.inner().crash(CrashMode::ALL[call as usize % 4], &mut rng));
        crawl(&after).unwrap();
        check(&after, 1..=LAST);
    }
}

/// Pushes what is not settled until all is; counts a capture as settled when a closed file says so.
fn push_until_settled(writer: &mut Writer, settled: &mut Ranges) -> u64 {
    let mut errors = 0;
    let mut due: BTreeSet<u64> = (1..=LAST).filter(|&capture| !settled.contains(capture)).collect();
    while !due.is_empty() || !writer.pending().is_empty() {
        let step = match due.pop_first() {
            Some(capture) => writer.push(row(capture)),
            None => writer.close(),
        };
        match step {
            Ok(closed) => closed.iter().for_each(|file| settled.extend(&file.captures)),
            Err(_) => errors += 1,
        }
        due.extend(writer.take_abandoned().iter());
    }
    errors
}

#[test]
fn after_a_failed_call_the_same_writer_goes_on() {
    for fault in [Fault::Io, Fault::TornWrite, Fault::Full] {
        for call in 0..calls() {
            let faulty = faulty(fault, Lasts::Once, call);
            let disk: SharedDisk = Arc::new(faulty.clone());
            let opened = Writer::open(Arc::clone(&disk), dir(), SMALL);
            let (mut writer, _) = opened.unwrap_or_else(|_| open(&disk, SMALL));
            let mut settled = Ranges::new();
            let errors = push_until_settled(&mut writer, &mut settled);
            assert!(errors <= 1, "{fault:?} at {call}: {errors}");
            assert_eq!(settled, (1..=LAST).collect::<Ranges>());
            let lost: SharedDisk =
                Arc::new(faulty.inner().crash(CrashMode::LoseUnsynced, &mut Rng::new(call)));
            check(&lost, 1..=LAST);
            check(&disk, 1..=LAST);
        }
    }
}

#[test]
fn what_a_start_counts_as_held_outlives_a_power_loss() {
    for call in 0..calls() {
        let killed = faulty(Fault::Io, Lasts::Forever, call);
        let _ = crawl(&(Arc::new(killed.clone()) as SharedDisk));
        let after = killed.inner().kill();
        let (_, held) = open(&(Arc::new(after.clone()) as SharedDisk), SMALL);
        let lost: SharedDisk = Arc::new(after.crash(CrashMode::LoseUnsynced, &mut Rng::new(call)));
        assert_eq!(open(&lost, SMALL).1, held, "call {call}");
    }
}

#[test]
fn a_start_removes_unfinished_files() {
    let memory = MemDisk::new();
    let disk: SharedDisk = Arc::new(memory.clone());
    let (mut writer, _) = open(&disk, SMALL);
    (1..=7).for_each(|capture| drop(writer.push(row(capture)).unwrap()));
    assert_eq!(disk.list(dir()).unwrap(), ["pages-00001.parquet", "pages-00002.parquet.open"]);
    let after: SharedDisk = Arc::new(memory.kill());
    drop(open(&after, SMALL));
    assert_eq!(after.list(dir()).unwrap(), ["pages-00001.parquet"]);
}

#[test]
fn a_full_disk_is_told_and_leaves_closed_files_whole() {
    let memory = MemDisk::new();
    let disk: SharedDisk = Arc::new(memory.clone());
    let (mut writer, _) = open(&disk, SMALL);
    (1..=7).for_each(|capture| drop(writer.push(row(capture)).unwrap()));
    memory.set_capacity(0);
    let error = (8..).find_map(|capture| writer.push(row(capture)).err()).unwrap();
    assert!(error.is_disk_full(), "{error}");
    assert_eq!(rows(&*disk), (1..=5).map(row).collect::<Vec<_>>());
    let lost = writer.take_abandoned();
    assert!(lost.contains(6) && lost.contains(7) && writer.pending().is_empty());
    memory.set_capacity(u64::MAX);
    lost.iter().for_each(|capture| drop(writer.push(row(capture)).unwrap()));
    writer.close().unwrap();
    check(&disk, (1..=5).chain(lost.iter()));
}
