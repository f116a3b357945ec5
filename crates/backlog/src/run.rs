use crate::{Entries, Result};
use serde::{Deserialize, Serialize};

/// A run's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunId(pub u64);

/// Where a stretch of entries is. Every section that exists is pointed at by exactly one such value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Section {
    /// The run that holds it.
    pub run: RunId,
    /// Where in its file the first block begins.
    pub offset: u64,
    /// Bytes of its blocks.
    pub bytes: u64,
    /// Entries in it.
    pub count: u64,
}

/// The first block of a section.
#[derive(Debug)]
pub struct Head {
    /// Its entries.
    pub entries: Entries,
    /// The section without it; `None` if that was all.
    pub rest: Option<Section>,
}

/// Sections of runs that a job has moved or read, as bytes a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Released {}

/// The runs, and how much of each is pointed at.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct RunSet {}

/// A run as the set knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunUse {
    /// Bytes of all its sections.
    pub total_bytes: u64,
    /// Bytes of those that are pointed at.
    pub live_bytes: u64,
}

/// Reads sections; keeps the files of the runs open.
pub struct RunReader {}

/// Writes a run, section after section.
pub struct RunWriter {}

impl Section {
    /// The part of `self` before `rest`; `None` if that is nothing.
    #[must_use]
    pub fn before(self, _rest: Option<Section>) -> Option<Section> {
        todo!()
    }
}

impl Released {
    /// A section, or what was taken off its front, is no longer pointed at.
    pub fn add(&mut self, _section: Section) {
        todo!()
    }
}

impl RunSet {
    /// The runs, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (RunId, RunUse)> {
        todo!();
        #[allow(unreachable_code)]
        std::iter::empty()
    }

    /// Runs whose sections the next job should move to its own: less than half is pointed at, or there are too many
    /// runs and these are the smallest.
    pub fn to_move(&self) -> Vec<RunId> {
        todo!()
    }
}

impl RunReader {
    /// Reads the first block of a section.
    pub fn head(&mut self, _section: Section) -> Result<Head> {
        todo!()
    }

    /// Shows `see` every entry of a section, first to last.
    pub fn scan(&mut self, _section: Section, _see: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        todo!()
    }
}

impl RunWriter {
    /// Begins a section. The one before must have been ended.
    pub fn begin(&mut self) {
        todo!()
    }

    /// Appends an entry (at most 1 MiB) to the section.
    pub fn push(&mut self, _entry: &[u8]) -> Result<()> {
        todo!()
    }

    /// Appends all of another run's section, block by block as it stands there: checked, not unpacked.
    pub fn copy(&mut self, _source: &mut RunReader, _section: Section) -> Result<()> {
        todo!()
    }

    /// Ends the section; `None` if it has no entries.
    pub fn end(&mut self) -> Result<Option<Section>> {
        todo!()
    }
}
