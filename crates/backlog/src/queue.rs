use crate::{Entries, Result};

/// A queue's number within its backlog. A queue is there as soon as something is appended to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueId(pub u8);

/// The queues in the hands of a job. What the job appends it does not read.
pub struct JobQueues {}

impl JobQueues {
    /// Appends an entry (at most 1 MiB).
    pub fn append(&mut self, _queue: QueueId, _entry: &[u8]) -> Result<()> {
        todo!()
    }

    /// Takes the first block off a queue; `None` when everything that was there when the job began has been taken.
    pub fn read(&mut self, _queue: QueueId) -> Result<Option<&Entries>> {
        todo!()
    }

    /// Everything in `from`, read and appended, goes behind everything in `onto`; `from` is empty then. Moves no
    /// byte on disk.
    pub fn splice(&mut self, _from: QueueId, _onto: QueueId) -> Result<()> {
        todo!()
    }

    /// Entries in a queue that can be read.
    pub fn readable(&self, _queue: QueueId) -> u64 {
        todo!()
    }

    /// Entries in a queue, those appended by the job too.
    pub fn len(&self, _queue: QueueId) -> u64 {
        todo!()
    }
}
