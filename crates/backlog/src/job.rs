use crate::directory::{DirectoryCut, DirectoryReader, DirectoryWriter, Join};
use crate::error::Result;
use crate::manifest::Manifest;
use crate::queue::{JobQueues, Queues};
use crate::run::{Released, RunCut, RunId, RunReader, RunWriter, Section};
use crate::store::Store;
use std::collections::BTreeSet;
use std::ops::Range;

/// One pass over a backlog's files, on any thread: reads the old, writes the new. What it hands out is independent of
/// it and of each other.
pub struct Job {
    pub(crate) store: Store,
    /// What there was when the job began.
    pub(crate) before: Manifest,
    /// Set aside for its files: the directory's, the run's, and those of queue files.
    pub(crate) generations: Range<u64>,
    pub(crate) to_move: BTreeSet<RunId>,
}

/// What a job has made.
pub struct Outputs {
    /// The new directory, from [`Job::new_directory`]; `None`: the old one stands.
    pub directory: Option<DirectoryWriter>,
    /// The new run, from [`Job::new_run`]; without sections there is none.
    pub run: RunWriter,
    /// The queues, from [`Job::queues`], as the job leaves them.
    pub queues: JobQueues,
    /// Sections of older runs that are no longer pointed at, because they were copied or read.
    pub released: Released,
}

/// What a finished job brings back, for [`Backlog::finish_job`](crate::Backlog::finish_job).
#[derive(Debug)]
#[must_use = "until it is given to `finish_job` nothing has happened"]
pub struct Finished {
    pub(crate) generations: Range<u64>,
    pub(crate) directory: NewDirectory,
    pub(crate) run: Option<RunCut>,
    pub(crate) queues: Queues,
    pub(crate) released: Released,
}

#[derive(Debug)]
pub(crate) enum NewDirectory {
    /// The old one stands.
    Unchanged,
    /// In place of the old one; `None` is an empty one.
    Written(Option<DirectoryCut>),
}

impl Job {
    /// The old directory beside arrivals, key by key.
    pub fn join(&self) -> Result<Join> {
        self.directory().map(Join::new)
    }

    /// The old directory; empty if there is none.
    pub fn directory(&self) -> Result<DirectoryReader> {
        DirectoryReader::open(&self.store, self.before.directory)
    }

    /// The new directory, once a job. No file is made before the first block is full.
    pub fn new_directory(&self) -> DirectoryWriter {
        DirectoryWriter::new(self.store.clone(), self.generations.start)
    }

    /// Reads sections of all older runs.
    pub fn runs(&self) -> RunReader {
        RunReader::new(self.store.clone())
    }

    /// The new run, once a job. No file is made before the first block is full.
    pub fn new_run(&self) -> RunWriter {
        RunWriter::new(self.store.clone(), RunId(self.generations.start + 1))
    }

    /// Whether the section should be copied to the new run (or read), because its run is to go.
    pub fn should_move(&self, section: Section) -> bool {
        self.to_move.contains(&section.run)
    }

    /// The queues, once a job.
    pub fn queues(&self) -> JobQueues {
        let generations = self.generations.start + 2..self.generations.end;
        JobQueues::new(self.store.clone(), generations, self.before.queues.clone())
    }

    /// Writes what is not written yet.
    pub fn finish(self, outputs: Outputs) -> Result<Finished> {
        let directory = match outputs.directory {
            Some(writer) => NewDirectory::Written(writer.finish()?),
            None => NewDirectory::Unchanged,
        };
        Ok(Finished {
            generations: self.generations,
            directory,
            run: outputs.run.finish()?,
            queues: outputs.queues.finish()?,
            released: outputs.released,
        })
    }
}
