use super::{RunCut, RunId, Section};
use crate::limits::MAX_RUNS;
use std::collections::{BTreeMap, BTreeSet};

/// The runs, and how much of each is pointed at. A run that nothing points at is not in it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct RunSet {
    runs: BTreeMap<RunId, RunUse>,
}

/// A run as the set knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunUse {
    /// Bytes of all its sections, which is the length of its file.
    pub total_bytes: u64,
    /// Bytes of those that are pointed at.
    pub live_bytes: u64,
}

/// Sections that a job has moved or read, as bytes a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Released {
    bytes: BTreeMap<RunId, u64>,
}

impl Released {
    /// A section, or what was taken off its front, is no longer pointed at.
    pub fn add(&mut self, section: Section) {
        *self.bytes.entry(section.run).or_default() += section.bytes;
    }
}

impl RunSet {
    /// The runs, oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (RunId, RunUse)> {
        self.runs.iter().map(|(id, run)| (*id, *run))
    }

    /// One run; `None` if nothing points at it.
    pub fn get(&self, id: RunId) -> Option<RunUse> {
        self.runs.get(&id).copied()
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Bytes that are pointed at.
    pub fn live_bytes(&self) -> u64 {
        self.runs.values().map(|run| run.live_bytes).sum()
    }

    /// Runs whose sections the next job should move to its own: those less than half of which is pointed at, and, when
    /// there are too many runs, the least of them, until half as many as there may be are left.
    pub fn to_move(&self) -> BTreeSet<RunId> {
        let mut least: Vec<(u64, RunId)> = self.runs.iter().map(|(id, run)| (run.live_bytes, *id)).collect();
        least.sort_unstable();
        let surplus = if least.len() > MAX_RUNS { least.len() - MAX_RUNS / 2 } else { 0 };
        let crowding = least[..surplus].iter().map(|(_, id)| *id);
        let sparse = self
            .runs
            .iter()
            .filter(|(_, run)| run.live_bytes < run.total_bytes.div_ceil(2))
            .map(|(id, _)| *id);
        crowding.chain(sparse).collect()
    }

    pub(crate) fn add(&mut self, run: RunCut) {
        self.insert(run.id, RunUse { total_bytes: run.bytes, live_bytes: run.bytes });
    }

    pub(crate) fn insert(&mut self, id: RunId, run: RunUse) {
        let before = self.runs.insert(id, run);
        assert!(before.is_none(), "run {id:?} is there twice");
    }

    pub(crate) fn release(&mut self, section: Section) {
        self.release_bytes(section.run, section.bytes);
    }

    pub(crate) fn release_all(&mut self, released: &Released) {
        released.bytes.iter().for_each(|(id, bytes)| self.release_bytes(*id, *bytes));
    }

    fn release_bytes(&mut self, id: RunId, bytes: u64) {
        let run = self.runs.get_mut(&id).expect("a section that was pointed at keeps its run");
        run.live_bytes = run.live_bytes.checked_sub(bytes).expect("a section is released once");
        if run.live_bytes == 0 {
            self.runs.remove(&id);
        }
    }
}

impl RunUse {
    pub(crate) fn is_possible(self) -> bool {
        (1..=self.total_bytes).contains(&self.live_bytes)
    }
}
