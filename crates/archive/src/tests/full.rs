//! A commit that fails counts for nothing and can be made again.

use super::*;
use disk::{CrashMode, Fault, FaultPlan, FaultyDisk, Lasts};

const BATCHES: u64 = 5;

/// Commits in batches of three, without revisits (of which a failing disk makes fewer); a failed batch is committed again after `relief`.
fn run_with_retries(disk: &SharedDisk, relief: impl Fn()) -> Archive {
    let mut archive = loop {
        match Archive::open(disk.clone(), without_revisits(), NOW) {
            Ok(opened) => break opened.archive,
            Err(_) => relief(),
        }
    };
    for index in 0..BATCHES {
        let entries = batch(index * 3 + 1..index * 3 + 4);
        while let Err(error) = archive.commit(NOW, &entries) {
            assert!(matches!(error, Error::Disk(_)), "{error}");
            relief();
        }
    }
    archive
}

fn shared<D: Disk + Clone + 'static>(disk: &D) -> SharedDisk {
    Arc::new(disk.clone())
}

/// The same bytes in the WARC files and the same entries as a run without faults.
#[track_caller]
fn check_like_undisturbed(disk: &MemDisk, mut archive: Archive) {
    check_entries(&archive, &ledger_of(disk));
    archive.finish().expect("finishes");
    check_warcs(disk);
    let calm = MemDisk::new();
    let mut undisturbed = run_with_retries(&shared(&calm), || unreachable!("nothing fails"));
    undisturbed.finish().expect("finishes");
    assert_eq!(ledger_of(disk), ledger_of(&calm));
    let paths = files(&calm, "archive", "");
    assert_eq!(files(disk, "archive", ""), paths);
    for path in paths {
        assert_eq!(content(disk, &path), content(&calm, &path), "{}", path.display());
    }
}

#[test]
fn a_call_that_fails_once_changes_nothing_in_the_end() {
    let counting = FaultyDisk::counting(MemDisk::new());
    run_with_retries(&shared(&counting), || unreachable!("nothing fails"));
    for fault in [Fault::Io, Fault::TornWrite, Fault::Full] {
        for call in 0..counting.calls() {
            let disk = FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault, lasts: Lasts::Once });
            let archive = run_with_retries(&shared(&disk), || {});
            check_like_undisturbed(disk.inner(), archive);
        }
    }
}

#[test]
fn a_disk_that_is_full_for_a_while_changes_nothing_in_the_end() {
    let counting = FaultyDisk::counting(MemDisk::new());
    run_with_retries(&shared(&counting), || unreachable!("nothing fails"));
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::Full, lasts: Lasts::Forever };
        let disk = FaultyDisk::new(MemDisk::new(), plan);
        let archive = run_with_retries(&shared(&disk), || disk.set_plan(None));
        disk.set_plan(None);
        check_like_undisturbed(disk.inner(), archive);
    }
}

#[test]
fn a_retry_at_another_time_leaves_one_file_a_serial() {
    for call in 12..80 {
        let plan = FaultPlan { call, fault: Fault::Io, lasts: Lasts::Forever };
        let disk = FaultyDisk::new(MemDisk::new(), plan);
        let Ok(opened) = try_open(shared(&disk)) else { continue };
        commit_at_later_times(opened.archive, || disk.set_plan(None));
        let archive = open(disk.inner()).archive;
        let entries = ledger_of(disk.inner());
        assert_eq!(entries.len(), 8);
        check_entries(&archive, &entries);
        check_warcs(disk.inner());
    }
}

/// Commits eight entries, each attempt a second after the one before.
fn commit_at_later_times(mut archive: Archive, relief: impl Fn()) {
    let mut now = NOW;
    for n in 1..9 {
        while archive.commit(now, &[entry(n)]).is_err() {
            relief();
            now = WallTime::from_unix_ms(now.unix_ms() + 1000);
        }
    }
}

#[test]
fn a_full_disk_is_recognised_and_what_was_committed_survives_on_it() {
    let disk = MemDisk::with_capacity(9000);
    let mut archive = open(&disk).archive;
    let mut n = 1;
    let error = loop {
        match archive.commit(NOW, &batch(n..n + 1)) {
            Ok(_) => n += 1,
            Err(error) => break error,
        }
    };
    assert!(error.is_disk_full() && n > 3, "{n}: {error}");
    let image = disk.crash(CrashMode::LoseUnsynced, &mut Rng::new(1));
    disk.set_capacity(u64::MAX);
    assert_eq!(archive.commit(NOW, &batch(n..n + 1)).expect("there is room").first_seq, n);
    check_entries(&archive, &ledger_of(&disk));
    image.set_capacity(u64::MAX);
    assert_eq!(open(&image).recovered.next_seq, n);
}
