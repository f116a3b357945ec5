use crate::*;

/// A handle on the files, for one pass over them on any thread.
pub struct Job {}

/// What a job has made.
pub struct Outputs {
    /// The new directory; `None`: the old one stands.
    pub directory: Option<DirectoryWriter>,
    /// The new run; without sections there is none.
    pub run: RunWriter,
    /// The queues as the job leaves them.
    pub queues: JobQueues,
    /// Sections of older runs that were moved or read.
    pub released: Released,
}

/// What a finished job brings back, for [`Backlog::finish_job`](crate::Backlog::finish_job).
#[must_use = "until it is given to `finish_job` nothing has happened"]
pub struct Finished {}

impl Job {
    /// The old directory beside arrivals, key by key.
    pub fn join(&self) -> Result<Join> {
        todo!()
    }

    /// The old directory; empty if there is none.
    pub fn directory(&self) -> Result<DirectoryReader> {
        todo!()
    }

    /// The new directory. No file is made before the first block is full. Once a job.
    pub fn new_directory(&self) -> DirectoryWriter {
        todo!()
    }

    /// Reads sections of all runs.
    pub fn runs(&self) -> RunReader {
        todo!()
    }

    /// The new run. No file is made before the first block is full. Once a job.
    pub fn new_run(&self) -> RunWriter {
        todo!()
    }

    /// Whether the section must be copied to the new run (or read), because its run is to go.
    pub fn must_move(&self, _section: Section) -> bool {
        todo!()
    }

    /// The queues, to read, append and splice. Once a job.
    pub fn queues(&self) -> JobQueues {
        todo!()
    }

    /// Writes what is not written yet.
    pub fn finish(self, _outputs: Outputs) -> Result<Finished> {
        todo!()
    }
}
