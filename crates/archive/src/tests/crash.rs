//! The disk dies at each of its calls in turn, then the power goes.

use super::*;
use disk::{CrashMode, Fault, FaultPlan, FaultyDisk, Lasts};
use warc::RecordType;

const BATCHES: u64 = 8;
const BATCH: u64 = 3;

/// What a run was promised before it died.
#[derive(Default, Clone)]
struct Promised {
    /// Entries whose commit returned.
    committed: u64,
    /// The last checkpoint that returned.
    checkpointed: u64,
    finished: bool,
}

/// Opens, commits with rotations, checkpoints and finishes; stops at the first error.
fn run(disk: SharedDisk, promised: &mut Promised) -> Result<()> {
    let mut archive = try_open(disk)?.archive;
    for index in 0..BATCHES {
        let first = index * BATCH + 1;
        archive.commit(NOW, &batch(first..first + BATCH))?;
        promised.committed = first + BATCH - 1;
        if index % 3 == 2 {
            archive.checkpoint(promised.committed - 1, Standing::Running, &first.to_le_bytes())?;
            promised.checkpointed = promised.committed - 1;
        }
    }
    archive.finish()?;
    promised.finished = true;
    archive.checkpoint(promised.committed, Standing::Clean, b"end")?;
    promised.checkpointed = promised.committed;
    Ok(())
}

/// Opens what is left and holds it to what was promised.
fn check_survivor(disk: &MemDisk, promised: &Promised) {
    let Opened { mut archive, recovered } = open(disk);
    let entries = ledger_of(disk);
    let there = entries.len() as u64;
    let at_most = (promised.committed + BATCH).min(BATCHES * BATCH);
    assert!(there == promised.committed || there == at_most, "{there} entries of {}", promised.committed);
    assert_eq!(recovered.next_seq, there + 1);
    check_entries(&archive, &entries);
    check_warcs(disk);
    check_recovered(recovered, &entries, promised);
    let temporaries: Vec<_> = ["state", "state/cdxj", "archive"].map(|dir| files(disk, dir, ".tmp")).concat();
    assert_eq!(temporaries, [] as [PathBuf; 0]);
    archive.commit(NOW, &batch(there + 1..there + 4)).expect("goes on");
    archive.finish().expect("finishes");
    let captures = ledger_of(disk).iter().filter(|entry| entry.location.is_some()).count();
    assert_eq!(content(disk, Path::new("archive/index.cdxj")).split(|&b| b == b'\n').count() - 1, captures);
}

fn check_recovered(recovered: Recovered, entries: &[ReplayEntry], promised: &Promised) {
    let covers = recovered.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.covers_seq);
    assert!(covers >= promised.checkpointed, "checkpoint {covers} of {}", promised.checkpointed);
    assert!(!recovered.clean || covers == BATCHES * BATCH || entries.is_empty());
    let replayed: Vec<_> = recovered.replay.map(|entry| entry.expect("readable")).collect();
    let first = replayed.first().map_or(entries.len() as u64 + 1, |entry| entry.seq);
    assert!(first <= covers.max(1) || entries.is_empty());
    assert_eq!(replayed, entries[first as usize - 1..]);
}

fn calls_of_a_run() -> u64 {
    let disk = FaultyDisk::counting(MemDisk::new());
    run(Arc::new(disk.clone()), &mut Promised::default()).expect("runs");
    disk.calls()
}

/// Dies at every call, and looks at the images that may be left.
fn check_deaths(fault: Fault, images: impl Fn(&MemDisk, u64) -> Vec<MemDisk>) {
    let calls = calls_of_a_run();
    assert!(calls > 100, "the script does too little");
    for call in 0..calls {
        let disk = FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault, lasts: Lasts::Forever });
        let mut promised = Promised::default();
        // The last call may be one whose failure harms nothing.
        let _ = run(Arc::new(disk.clone()), &mut promised);
        for image in images(disk.inner(), call) {
            check_survivor(&image, &promised);
        }
    }
}

fn crash_images(disk: &MemDisk, seed: u64) -> Vec<MemDisk> {
    CrashMode::ALL.map(|mode| disk.crash(mode, &mut Rng::new(seed))).to_vec()
}

/// Whoever reads them back in these tests, finds their originals.
#[test]
fn the_script_has_revisits() {
    let disk = MemDisk::new();
    run(Arc::new(disk.clone()), &mut Promised::default()).expect("runs");
    assert_eq!(revisits::revisits(&disk).len(), 3);
}

#[test]
fn power_loss_at_every_call_loses_nothing_committed() {
    check_deaths(Fault::Io, crash_images);
}

#[test]
fn power_loss_in_the_midst_of_a_write_loses_nothing_committed() {
    check_deaths(Fault::TornWrite, |disk, call| {
        vec![disk.kill(), disk.crash(CrashMode::KeepSome, &mut Rng::new(call))]
    });
}

#[test]
fn power_loss_during_recovery_loses_nothing_either() {
    let plan = |call| FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
    for first in (0..calls_of_a_run()).step_by(7) {
        let disk = FaultyDisk::new(MemDisk::new(), plan(first));
        let mut promised = Promised::default();
        let _ = run(Arc::new(disk.clone()), &mut promised);
        let image = disk.inner().kill();
        for call in 0.. {
            let disk = FaultyDisk::new(image.kill(), plan(call));
            let opened = try_open(Arc::new(disk.clone()));
            for image in crash_images(disk.inner(), call) {
                check_survivor(&image, &promised);
            }
            if opened.is_ok() {
                break;
            }
        }
    }
}

/// Found by the simulator: what a failed commit left was cut off, but not durably, and came back with the next power
/// loss, in a file that had been closed meanwhile.
#[test]
fn what_was_cut_off_stays_off() {
    for call in 0..calls_of_a_run() {
        let plan = FaultPlan { call, fault: Fault::Io, lasts: Lasts::Once };
        let disk = FaultyDisk::new(MemDisk::new(), plan);
        let _ = run(Arc::new(disk.clone()), &mut Promised::default());
        let killed = disk.inner().kill();
        let Opened { mut archive, recovered } = open(&killed);
        let next = recovered.next_seq;
        archive.commit(NOW, &batch(next..next + 3)).expect("goes on");
        archive.finish().expect("finishes");
        let image = killed.crash(CrashMode::LoseUnsynced, &mut Rng::new(call));
        let named = ledger_of(&image).iter().filter(|entry| entry.location.is_some()).count() as u64;
        assert_eq!(responses(&image), named, "call {call}");
    }
}

fn responses(disk: &MemDisk) -> u64 {
    let of_file = |path: &PathBuf| {
        let bytes = content(disk, path);
        let records = warc::Reader::new(bytes.as_slice()).map(|record| record.expect("readable"));
        let is_answer = |kind| matches!(kind, RecordType::Response | RecordType::Revisit);
        records.filter(|record| is_answer(record.record_type())).count() as u64
    };
    files(disk, "archive", ".warc.gz").iter().map(of_file).sum()
}

#[test]
fn a_journal_that_cannot_be_listed_is_not_an_empty_one() {
    let disk = FaultyDisk::counting(MemDisk::new());
    run(Arc::new(disk.clone()), &mut Promised::default()).expect("no fault");
    disk.set_plan(Some(FaultPlan { call: disk.calls(), fault: Fault::Io, lasts: Lasts::Once }));
    assert!(ledger(Arc::new(disk.clone())).is_err());
    assert_eq!(ledger(Arc::new(disk)).expect("no fault any more").count() as u64, BATCHES * BATCH);
}
