//! A scripted caller on a disk that fails at every call in turn: after power loss it recovers from its last
//! checkpoint and appends again what came after; after a passing fault it repeats the call.

use super::fixture::{Log, Model, Sum, Told, check_equal, merge, merge_all, open, tiny};
use crate::{Config, Cut, Drum, Manifest, MergeJob, Request, Result};
use disk::{CrashMode, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk, read_all, replace_file};
use std::path::Path;
use std::sync::Arc;
use stdx::Rng;

const CHECKPOINT: &str = "checkpoint";
const BITS: u8 = 2;

#[derive(Debug, Clone, Copy)]
enum Step {
    Append { key: u64, request: Request<Sum> },
    Merge,
    Start,
    Finish,
    Cut,
    Checkpoint,
}

fn script(seed: u64) -> Vec<Step> {
    let mut rng = Rng::new(seed);
    (0..180).map(|_| step(&mut rng)).collect()
}

fn step(rng: &mut Rng) -> Step {
    match rng.below(20) {
        0 => Step::Merge,
        1 => Step::Start,
        2 => Step::Finish,
        3 => Step::Cut,
        4 => Step::Checkpoint,
        n => {
            let key = rng.below(30).wrapping_mul(0x0888_8888_8888_8889);
            let sum = Sum(rng.below(1000) as u32);
            Step::Append {
                key,
                request: if n < 7 { Request::Update(sum) } else { Request::CheckUpdate(sum) },
            }
        }
    }
}

fn aux(key: u64) -> Vec<u8> {
    format!("http://{key:x}.test/").into_bytes()
}

/// Verdicts arrive in memory; what a checkpoint held of them is known to this test by its step.
struct Caller {
    drum: Drum<Sum>,
    told: Log,
    job: Option<MergeJob<Sum>>,
    cut: Option<Taken>,
    disk: SharedDisk,
    next_step: usize,
}

/// A cut that is not durable yet, and where the caller stood when it was taken.
struct Taken {
    cut: Cut,
    told: Log,
    next_step: usize,
}

/// What the caller's checkpoint holds beside the manifest. The log itself is kept by the test.
#[derive(Default, Clone)]
struct Checkpoints(Vec<Log>);

impl Caller {
    fn start(disk: SharedDisk) -> Result<Self> {
        Ok(Self {
            drum: open(&disk, tiny(BITS), None)?,
            told: Log::new(),
            job: None,
            cut: None,
            disk,
            next_step: 0,
        })
    }

    /// Recovers from the checkpoint file, if it is there.
    fn recover(disk: SharedDisk, checkpoints: &Checkpoints) -> Self {
        let path = Path::new(CHECKPOINT);
        if disk.stat(path).unwrap().is_none() {
            return Self::start(disk).unwrap();
        }
        let bytes = read_all(&*disk, path).unwrap();
        let (numbers, manifest) = bytes.as_chunks::<8>().0.split_at(2);
        let [next_step, nth] = [0, 1].map(|at: usize| u64::from_le_bytes(numbers[at]) as usize);
        assert!(!manifest.is_empty());
        let manifest = Manifest::from_bytes(&bytes[16..]).unwrap();
        let drum = open(&disk, tiny(BITS), Some(&manifest)).unwrap();
        Self { drum, told: checkpoints.0[nth].clone(), job: None, cut: None, disk, next_step }
    }

    fn run(&mut self, script: &[Step], checkpoints: &mut Checkpoints) -> Result<()> {
        while let Some(step) = script.get(self.next_step) {
            self.step(*step, checkpoints)?;
            self.next_step += 1;
            self.drum.check_invariants();
        }
        if let Some(job) = self.job.take() {
            self.drum.abandon_merge(job.bucket());
        }
        merge_all(&mut self.drum, &mut self.told)
    }

    fn step(&mut self, step: Step, checkpoints: &mut Checkpoints) -> Result<()> {
        match step {
            Step::Append { key, request } => self.drum.append(key, request, &aux(key)).map(|_| ()),
            Step::Merge => match self.drum.fullest() {
                Some(bucket) => merge(&mut self.drum, bucket, &mut self.told),
                None => Ok(()),
            },
            Step::Start if self.job.is_none() => {
                if let Some(bucket) = self.drum.fullest() {
                    self.job = self.drum.start_merge(bucket)?;
                }
                Ok(())
            }
            Step::Start => Ok(()),
            Step::Finish => self.finish(),
            Step::Cut => self.cut(),
            Step::Checkpoint => self.checkpoint(checkpoints),
        }
    }

    fn finish(&mut self) -> Result<()> {
        let Some(job) = self.job.take() else { return Ok(()) };
        let (bucket, mut told) = (job.bucket(), Vec::<Told>::new());
        let done = job.run(|verdict| {
            told.push(verdict.into());
            Ok(())
        });
        match done {
            Ok(merged) => self.drum.finish_merge(merged),
            Err(error) => {
                self.drum.abandon_merge(bucket);
                return Err(error);
            }
        }
        self.told.entry(bucket).or_default().extend(told);
        Ok(())
    }

    fn cut(&mut self) -> Result<()> {
        let cut = self.drum.cut()?;
        self.cut = Some(Taken { cut, told: self.told.clone(), next_step: self.next_step + 1 });
        Ok(())
    }

    /// Makes the cut that was taken last durable, or a new one.
    fn checkpoint(&mut self, checkpoints: &mut Checkpoints) -> Result<()> {
        if self.cut.is_none() {
            self.cut()?;
        }
        let taken = self.cut.as_ref().expect("one was taken just now");
        self.disk.make_durable(&taken.cut.sync)?;
        let mut bytes = (taken.next_step as u64).to_le_bytes().to_vec();
        bytes.extend((checkpoints.0.len() as u64).to_le_bytes());
        bytes.extend(taken.cut.manifest.to_bytes());
        checkpoints.0.push(taken.told.clone());
        replace_file(&*self.disk, Path::new(CHECKPOINT), &bytes)?;
        let committed = self.drum.committed(&taken.cut.manifest);
        self.cut = None;
        committed
    }
}

fn model_of(script: &[Step]) -> Model {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut drum = open(&disk, Config { bucket_bytes: 1 << 20, ..tiny(BITS) }, None).unwrap();
    let mut model = Model::default();
    for step in script {
        if let Step::Append { key, request } = *step {
            let bucket = drum.append(key, request, &aux(key)).unwrap();
            model.append(bucket, key, request, &aux(key));
        }
    }
    model
}

fn check_end(mut caller: Caller, model: &Model, context: &str) {
    caller.told.retain(|_, verdicts| !verdicts.is_empty());
    assert_eq!(caller.told, model.verdicts, "{context}");
    check_equal(&caller.drum, model);
}

fn calls_of(script: &[Step]) -> u64 {
    let disk = FaultyDisk::counting(MemDisk::new());
    let mut caller = Caller::start(Arc::new(disk.clone())).unwrap();
    caller.run(script, &mut Checkpoints::default()).unwrap();
    let calls = disk.calls();
    check_end(caller, &model_of(script), "without a fault");
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
    for seed in 0..2 {
        let script = script(seed);
        let (calls, model) = (calls_of(&script), model_of(&script));
        assert!(calls > 200, "the script goes through the disk");
        for call in 0..calls {
            let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
            let mode = CrashMode::ALL[(call % 3) as usize];
            for end in [End::PowerLoss(mode), End::PowerLoss(CrashMode::KeepSome), End::Kill] {
                crash_and_recover(&script, &model, plan, end);
            }
        }
    }
}

fn crash_and_recover(script: &[Step], model: &Model, plan: FaultPlan, end: End) {
    let disk = FaultyDisk::new(MemDisk::new(), plan);
    let mut checkpoints = Checkpoints::default();
    let crashed =
        Caller::start(Arc::new(disk.clone())).and_then(|mut caller| caller.run(script, &mut checkpoints));
    // Removing a file that nobody needs may fail without anyone having to know.
    assert!(crashed.is_err() || disk.failures() > 0);
    let image = match end {
        End::PowerLoss(mode) => disk.inner().crash(mode, &mut Rng::new(plan.call)),
        End::Kill => disk.inner().kill(),
    };
    let mut recovered = Caller::recover(Arc::new(image), &checkpoints);
    recovered.run(script, &mut checkpoints).unwrap();
    check_end(recovered, model, &format!("{plan:?}, {end:?}"));
}

#[test]
fn a_call_that_failed_may_be_repeated() {
    let script = script(7);
    let (calls, model) = (calls_of(&script), model_of(&script));
    for (call, fault) in (0..calls).flat_map(|call| [(call, Fault::TornWrite), (call, Fault::Full)]) {
        let disk = FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault, lasts: Lasts::Once });
        let shared: SharedDisk = Arc::new(disk);
        let mut checkpoints = Checkpoints::default();
        let mut caller = Caller::start(shared.clone()).or_else(|_| Caller::start(shared)).unwrap();
        if caller.run(&script, &mut checkpoints).is_err() {
            caller.run(&script, &mut checkpoints).expect("the fault was a passing one");
        }
        check_end(caller, &model, &format!("{fault:?} at call {call}"));
    }
}
