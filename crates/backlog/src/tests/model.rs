//! A backlog beside plain maps and queues, through the steps of a caller: appends, jobs that overlap them, cuts whose
//! sync comes later, reopenings.

use crate::{
    Backlog, Config, Cut, DirectoryWriter, Finished, Job, JobQueues, Key, Manifest, Outputs, QueueId,
    Released, Result, RunWriter, Section,
};
use disk::{Mode, SharedDisk, replace_file};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use stdx::Rng;

pub(super) const DIR: &str = "shard";
pub(super) const CHECKPOINT: &str = "checkpoint";
/// Few entries fill a block, few blocks a file.
pub(super) const TINY: Config = Config { block_bytes: 120, queue_file_bytes: 400, level: 1 };

type Records = BTreeMap<Key, Vec<u8>>;

#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Append {
        queue: u8,
        seed: u64,
    },
    Flush,
    TakeHead {
        nth: u64,
    },
    /// Begins a job and runs it; what it brings back waits.
    StartJob {
        seed: u64,
    },
    FinishJob,
    AbandonJob,
    /// Names a cut; its files are not synced yet.
    Cut,
    /// Syncs the cut, writes the checkpoint, lets older files go.
    Commit,
}

/// What the backlog should hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) directory: Records,
    pub(super) queues: BTreeMap<QueueId, VecDeque<Vec<u8>>>,
    pub(super) sections: Vec<Held>,
}

/// A pointer, and what it should point at. A number tells it from others when pointers change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    id: u64,
    section: Section,
    entries: VecDeque<Vec<u8>>,
}

/// What a job is to leave behind, had nothing happened beside it.
struct Expected {
    directory: Records,
    queues: BTreeMap<QueueId, JobQueue>,
    new: Vec<Held>,
    moved: Vec<Moved>,
}

/// A section that the job copied; what is left of it is where it was or in the copy.
struct Moved {
    id: u64,
    from: Section,
    to: Section,
}

/// The sections of a job.
struct Sections {
    run: RunWriter,
    new: Vec<Held>,
    moved: Vec<Moved>,
    released: Released,
}

#[derive(Default, Clone)]
struct JobQueue {
    unread: VecDeque<Vec<u8>>,
    appended: VecDeque<Vec<u8>>,
    /// What the owner had appended without flushing, and what it appends meanwhile.
    of_owner: VecDeque<Vec<u8>>,
}

/// A caller and its model.
pub(super) struct Caller {
    pub(super) disk: SharedDisk,
    pub(super) backlog: Backlog,
    pub(super) model: Model,
    job: Option<(Finished, Expected)>,
    cut: Option<(Cut, Model)>,
    /// What the checkpoint on disk stands for.
    pub(super) saved: Vec<Model>,
    next_id: u64,
}

impl Caller {
    pub(super) fn start(disk: SharedDisk) -> Result<Self> {
        let backlog = Backlog::open(disk.clone(), PathBuf::from(DIR), TINY, None)?;
        let model = Model::default();
        Ok(Self { disk, backlog, model, job: None, cut: None, saved: Vec::new(), next_id: 0 })
    }

    /// Goes back to the checkpoint file, which says how many were made when it was written.
    pub(super) fn recover(disk: SharedDisk, mut saved: Vec<Model>) -> Self {
        if disk.stat(Path::new(CHECKPOINT)).unwrap().is_none() {
            return Self::start(disk).unwrap();
        }
        let bytes = disk::read_all(&*disk, Path::new(CHECKPOINT)).unwrap();
        let (made, manifest) = bytes.split_first_chunk().unwrap();
        saved.truncate(u64::from_le_bytes(*made) as usize);
        let manifest = Manifest::from_bytes(manifest).unwrap();
        let backlog = Backlog::open(disk.clone(), PathBuf::from(DIR), TINY, Some(&manifest)).unwrap();
        let model = saved.last().unwrap().clone();
        let next_id = u64::from(u32::MAX) * saved.len() as u64;
        Self { disk, backlog, model, job: None, cut: None, saved, next_id }
    }

    /// Takes a step. After an error the model is what it was.
    pub(super) fn step(&mut self, step: Step) -> Result<()> {
        match step {
            Step::Append { queue, seed } => self.append(QueueId(queue), &entry(seed)),
            Step::Flush => self.backlog.flush(),
            Step::TakeHead { nth } => self.take_head(nth),
            Step::StartJob { seed } if self.job.is_none() => self.start_job(seed),
            Step::StartJob { .. } => Ok(()),
            Step::FinishJob => {
                self.finish_job();
                Ok(())
            }
            Step::AbandonJob => {
                if self.job.take().is_some() {
                    self.backlog.abandon_job();
                }
                Ok(())
            }
            Step::Cut => {
                self.cut = Some((self.backlog.cut()?, self.model.clone()));
                Ok(())
            }
            Step::Commit => self.commit(),
        }
    }

    /// Panics unless the backlog holds what the model does.
    pub(super) fn check(&self) {
        self.backlog.check_invariants();
        for queue in (0..4).map(QueueId) {
            let mut found = VecDeque::new();
            self.backlog.scan_queue(queue, |entry| found.push_back(entry.to_vec())).unwrap();
            assert_eq!(self.backlog.queue_len(queue), found.len() as u64);
            assert_eq!(found, self.model.queues.get(&queue).cloned().unwrap_or_default(), "{queue:?}");
        }
        for held in &self.model.sections {
            let mut found = VecDeque::new();
            self.backlog.scan_section(held.section, |entry| found.push_back(entry.to_vec())).unwrap();
            assert_eq!(found, held.entries, "{:?}", held.section);
        }
        let pointed_at = self.model.sections.iter().map(|held| held.section.bytes).sum::<u64>();
        assert_eq!(self.backlog.runs().live_bytes(), pointed_at);
        assert_eq!(self.backlog.records(), self.model.directory.len() as u64);
        for (key, payload) in &self.model.directory {
            assert_eq!(self.backlog.look_up(*key).unwrap().as_ref(), Some(payload), "{key:?}");
        }
    }

    /// Panics if the directory holds anything but the files of the last cut.
    pub(super) fn check_nothing_is_left_behind(&mut self) {
        self.step(Step::FinishJob).unwrap();
        self.step(Step::Cut).unwrap();
        let files: Vec<String> = self.cut.as_ref().unwrap().0.manifest.files().into_keys().collect();
        self.step(Step::Commit).unwrap();
        assert_eq!(self.disk.list(Path::new(DIR)).unwrap(), files);
    }

    fn append(&mut self, queue: QueueId, entry: &[u8]) -> Result<()> {
        self.backlog.append(queue, entry)?;
        self.model.queues.entry(queue).or_default().push_back(entry.to_vec());
        if let Some((_, expected)) = &mut self.job {
            expected.queues.entry(queue).or_default().of_owner.push_back(entry.to_vec());
        }
        Ok(())
    }

    fn take_head(&mut self, nth: u64) -> Result<()> {
        let sections = &mut self.model.sections;
        if sections.is_empty() {
            return Ok(());
        }
        let place = (nth % sections.len() as u64) as usize;
        let held = &mut sections[place];
        let head = self.backlog.take_head(held.section)?;
        let expected: Vec<Vec<u8>> = held.entries.drain(..head.entries.len()).collect();
        assert!(head.entries.iter().eq(expected.iter().map(Vec::as_slice)));
        match head.rest {
            Some(rest) => held.section = rest,
            None => assert!(sections.remove(place).entries.is_empty()),
        }
        Ok(())
    }

    fn start_job(&mut self, seed: u64) -> Result<()> {
        let job = self.backlog.start_job();
        match self.run(job, seed) {
            Ok(done) => {
                self.job = Some(done);
                Ok(())
            }
            Err(error) => {
                self.backlog.abandon_job();
                Err(error)
            }
        }
    }

    fn run(&mut self, job: Job, seed: u64) -> Result<(Finished, Expected)> {
        let mut rng = Rng::new(seed);
        let (directory, written) = self.run_directory(&job, &mut rng)?;
        let Sections { run, new, moved, released } = self.run_sections(&job, &mut rng)?;
        let (queues, expected) = self.run_queues(&job, &mut rng)?;
        let finished = job.finish(Outputs { directory: written, run, queues, released })?;
        Ok((finished, Expected { directory, queues: expected, new, moved }))
    }

    /// Joins some arrivals: of what is there every fifth goes, the arrivals replace or come.
    fn run_directory(&self, job: &Job, rng: &mut Rng) -> Result<(Records, Option<DirectoryWriter>)> {
        if rng.one_in(4) {
            return Ok((self.model.directory.clone(), None));
        }
        let mut arrivals: Records = (0..rng.below(8)).map(|_| (key(rng), entry(rng.next_u64()))).collect();
        let (mut expected, mut writer) = (BTreeMap::new(), job.new_directory());
        let (mut join, mut known_keys) = (job.join()?, Vec::new());
        while let Some(joined) = join.next(arrivals.first_key_value().map(|(key, _)| *key))? {
            assert_eq!(joined.known, self.model.directory.get(&joined.key).map(Vec::as_slice));
            known_keys.extend(joined.known.map(|_| joined.key));
            let payload = arrivals.remove(&joined.key).or(joined.known.map(<[u8]>::to_vec));
            if let Some(payload) = payload.filter(|_| !rng.one_in(5)) {
                writer.push(joined.key, &payload)?;
                expected.insert(joined.key, payload);
            }
        }
        assert!(known_keys.iter().eq(self.model.directory.keys()));
        Ok((expected, Some(writer)))
    }

    /// Writes some new sections, moves those that should and some that need not.
    fn run_sections(&mut self, job: &Job, rng: &mut Rng) -> Result<Sections> {
        let (mut run, mut runs) = (job.new_run(), job.runs());
        let (mut new, mut moved, mut released) = (Vec::new(), Vec::new(), Released::default());
        for held in &self.model.sections {
            if job.should_move(held.section) || rng.one_in(4) {
                run.begin();
                run.copy(&mut runs, held.section)?;
                let to = run.end()?.expect("it has entries");
                moved.push(Moved { id: held.id, from: held.section, to });
            }
        }
        for _ in 0..rng.below(4) {
            run.begin();
            let entries: VecDeque<Vec<u8>> = (0..rng.below(9)).map(|_| entry(rng.next_u64())).collect();
            entries.iter().try_for_each(|entry| run.push(entry))?;
            let id = self.next_id;
            self.next_id += 1;
            let section = run.end()?;
            assert_eq!(section.is_none(), entries.is_empty());
            new.extend(section.map(|section| Held { id, section, entries }));
        }
        // One of the new is not wanted after all.
        if rng.one_in(3)
            && let Some(held) = new.pop()
        {
            released.add(held.section);
        }
        Ok(Sections { run, new, moved, released })
    }

    fn run_queues(&self, job: &Job, rng: &mut Rng) -> Result<(JobQueues, BTreeMap<QueueId, JobQueue>)> {
        let mut queues = job.queues();
        let mut expected: BTreeMap<QueueId, JobQueue> = BTreeMap::new();
        for (id, entries) in &self.model.queues {
            let mut unread = entries.clone();
            let of_owner = unread.split_off(queues.readable(*id) as usize);
            expected.insert(*id, JobQueue { unread, of_owner, ..JobQueue::default() });
        }
        for _ in 0..rng.below(12) {
            queue_step(&mut queues, &mut expected, rng)?;
        }
        for (id, queue) in &expected {
            assert_eq!(queues.readable(*id), queue.unread.len() as u64);
            assert_eq!(queues.len(*id), (queue.unread.len() + queue.appended.len()) as u64);
        }
        Ok((queues, expected))
    }

    fn finish_job(&mut self) {
        let Some((finished, expected)) = self.job.take() else { return };
        self.backlog.finish_job(finished);
        self.model.directory = expected.directory;
        let whole = |queue: JobQueue| [queue.unread, queue.appended, queue.of_owner].into_iter().flatten();
        self.model.queues =
            expected.queues.into_iter().map(|(id, queue)| (id, whole(queue).collect())).collect();
        self.model.sections.extend(expected.new);
        for Moved { id, from, to } in expected.moved {
            let now = self.model.sections.iter_mut().find(|held| held.id == id);
            let moved = self.backlog.relocate(from, to, now.as_ref().map(|held| held.section));
            assert_eq!(moved.is_some(), now.is_some());
            if let (Some(held), Some(moved)) = (now, moved) {
                held.section = moved;
            }
        }
    }

    fn commit(&mut self) -> Result<()> {
        let Some((cut, model)) = &self.cut else { return Ok(()) };
        cut.sync.iter().try_for_each(|path| self.disk.open(path, Mode::Write)?.sync())?;
        self.disk.sync_dir(Path::new(DIR))?;
        let bytes = cut.manifest.to_bytes();
        assert_eq!(Manifest::from_bytes(&bytes).unwrap(), cut.manifest);
        let made = self.saved.len() as u64 + 1;
        self.saved.push(model.clone());
        let written =
            replace_file(&*self.disk, Path::new(CHECKPOINT), &[&made.to_le_bytes(), &bytes[..]].concat());
        if written.is_err() {
            // It may have been renamed into place all the same, so the model stays; a repetition makes another.
            return Ok(written?);
        }
        let (cut, _) = self.cut.take().expect("there is a cut");
        self.backlog.committed(&cut.manifest)
    }
}

/// A job splices, reads or appends.
fn queue_step(
    queues: &mut JobQueues,
    expected: &mut BTreeMap<QueueId, JobQueue>,
    rng: &mut Rng,
) -> Result<()> {
    let id = QueueId(rng.below(4) as u8);
    let queue = expected.entry(id).or_default();
    match rng.below(6) {
        0 => {
            let to = QueueId((id.0 + 1) % 4);
            if !queues.is_empty(to) {
                return Ok(());
            }
            queues.splice(id, to)?;
            let taken = std::mem::take(queue);
            queue.of_owner = taken.of_owner;
            let to = expected.entry(to).or_default();
            to.unread = taken.unread;
            to.appended = taken.appended;
        }
        1 | 2 => {
            let block = queues.read(id)?;
            let read: Vec<Vec<u8>> =
                block.into_iter().flat_map(|block| block.iter().map(<[u8]>::to_vec)).collect();
            assert_eq!(read.is_empty(), queue.unread.is_empty());
            assert_eq!(read, queue.unread.drain(..read.len()).collect::<Vec<_>>());
        }
        _ => {
            let entry = entry(rng.next_u64());
            queues.append(id, &entry)?;
            queue.appended.push_back(entry);
        }
    }
    Ok(())
}

/// Few keys, so that they meet.
fn key(rng: &mut Rng) -> Key {
    Key { group: rng.below(5) << 60, host: rng.below(6) }
}

/// Text that compresses, text that does not, nothing, or more than a block.
pub(super) fn entry(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    match rng.below(8) {
        0 => Vec::new(),
        1 => (0..rng.below(300)).map(|_| rng.next_u64() as u8).collect(),
        _ => format!("http://host{}.test/path/{}", rng.below(100), rng.below(1000)).into_bytes(),
    }
}
