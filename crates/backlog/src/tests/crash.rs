//! Scripts on a disk that fails at every call in turn: after power loss or a kill the backlog is what the last checkpoint
//! says; after a passing fault or a full disk the step is repeated.

use super::model::{Caller, Step};
use disk::{CrashMode, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk};
use std::sync::Arc;
use stdx::Rng;

fn script(seed: u64) -> Vec<Step> {
    let mut rng = Rng::new(seed);
    (0..90).map(|_| step(&mut rng)).collect()
}

fn step(rng: &mut Rng) -> Step {
    match rng.below(18) {
        0..6 => Step::Append { queue: rng.below(4) as u8, seed: rng.next_u64() },
        6 => Step::TakeHead { nth: rng.next_u64() },
        7..10 => Step::StartJob { seed: rng.next_u64() },
        10..12 => Step::FinishJob,
        12 => Step::AbandonJob,
        13..15 => Step::Cut,
        _ => Step::Commit,
    }
}

fn run(caller: &mut Caller, script: &[Step]) -> crate::Result<()> {
    script.iter().try_for_each(|step| caller.step(*step))
}

fn calls_of(script: &[Step]) -> u64 {
    let disk = FaultyDisk::counting(MemDisk::new());
    let mut caller = Caller::start(Arc::new(disk.clone())).unwrap();
    run(&mut caller, script).unwrap();
    let calls = disk.calls();
    caller.check();
    assert!(calls > 150 && caller.saved.len() > 2, "{calls} calls, {} checkpoints", caller.saved.len());
    calls
}

/// How the caller's process ends.
#[derive(Debug, Clone, Copy)]
enum End {
    PowerLoss(CrashMode),
    Kill,
}

#[test]
fn power_loss_and_kill_at_every_call_lose_nothing() {
    for seed in 0..4 {
        let script = script(seed);
        for call in 0..calls_of(&script) {
            let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
            let mode = CrashMode::ALL[(call % 3) as usize];
            for end in [End::PowerLoss(mode), End::PowerLoss(CrashMode::KeepSome), End::Kill] {
                crash_and_recover(&script, plan, end);
            }
        }
    }
}

fn crash_and_recover(script: &[Step], plan: FaultPlan, end: End) {
    let disk = FaultyDisk::new(MemDisk::new(), plan);
    let saved = match Caller::start(Arc::new(disk.clone())) {
        Ok(mut caller) => {
            let _ = run(&mut caller, script);
            caller.saved
        }
        Err(_) => Vec::new(),
    };
    assert!(disk.failures() > 0, "{plan:?} was not reached");
    let image = match end {
        End::PowerLoss(mode) => disk.inner().crash(mode, &mut Rng::new(plan.call)),
        End::Kill => disk.inner().kill(),
    };
    let mut recovered = Caller::recover(Arc::new(image), saved);
    recovered.check();
    run(&mut recovered, script).unwrap();
    recovered.check();
    recovered.check_nothing_is_left_behind();
}

#[test]
fn a_step_that_failed_may_be_repeated() {
    for seed in 10..12 {
        let script = script(seed);
        let calls = calls_of(&script);
        for (call, fault) in (0..calls).flat_map(|call| [(call, Fault::TornWrite), (call, Fault::Full)]) {
            let disk = FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault, lasts: Lasts::Once });
            let shared: SharedDisk = Arc::new(disk);
            let mut caller = Caller::start(shared.clone()).or_else(|_| Caller::start(shared)).unwrap();
            for step in &script {
                if caller.step(*step).is_err() {
                    caller.check();
                    caller.step(*step).expect("the fault was a passing one");
                }
            }
            caller.check();
            caller.check_nothing_is_left_behind();
        }
    }
}

#[test]
fn a_full_disk_loses_nothing_and_is_left_as_it_was() {
    let script = script(20);
    let whole = MemDisk::new();
    let mut caller = Caller::start(Arc::new(whole.clone())).unwrap();
    run(&mut caller, &script).unwrap();
    for capacity in (0..6000).step_by(37) {
        let disk = MemDisk::with_capacity(capacity);
        let mut caller = Caller::start(Arc::new(disk.clone())).unwrap();
        for step in &script {
            match caller.step(*step) {
                Err(crate::Error::Io(error)) => assert_eq!(error.kind(), std::io::ErrorKind::StorageFull),
                done => done.unwrap(),
            }
            caller.check();
        }
        disk.set_capacity(u64::MAX);
        caller.check_nothing_is_left_behind();
        caller.check();
    }
}
