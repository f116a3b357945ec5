//! First in, first out: entries in files that are dropped when they have been read.

mod append;
mod job;
mod stretch;

pub(crate) use append::Appending;
pub use job::JobQueues;
pub(crate) use stretch::{Queue, Queues, Stretch};

/// A queue's number within its backlog. A queue is there as soon as something is appended to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueId(pub u8);
