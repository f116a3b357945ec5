//! What waits on disk: the sorted and sequential files of one shard. Knows no URL: keys are pairs of 64-bit hashes,
//! payloads are bytes.
//!
//! * [`Backlog`]: the owner's view of it all. Holds no file open and no context of a compressor; what is in memory is a
//!   few numbers a file.
//! * **Directory**: one immutable file of records sorted by [`Key`], rewritten as a whole by a sequential merge:
//!   [`DirectoryReader`], [`DirectoryWriter`], [`Join`].
//! * **Runs**: immutable files of *sections*, stretches of entries that are read in order. A [`Section`] is a pointer,
//!   kept by the caller wherever it likes; the [`RunSet`] counts how much of each run is still pointed at.
//!   [`RunReader`], [`RunWriter`].
//! * **Queues**: first in, first out, in files that are dropped when they have been read: [`QueueId`], [`JobQueues`].
//! * [`Job`]: reads the old and writes the new on any thread, while the owner goes on; [`Backlog::finish_job`] swaps
//!   everything at once, [`Backlog::abandon_job`] forgets it.
//! * [`Cut`], [`Manifest`]: an exact cut. [`Backlog::open`] returns to it after whatever happened since.
//!
//! Shape of a job:
//!
//! ```text
//! let job = backlog.start_job();                       // owner's thread
//! let (mut new, mut run) = (job.new_directory(), job.new_run());
//! let mut queues = job.queues();
//! let mut join = job.join()?;
//! while let Some(known) = join.next(arrivals.peek_key())? { … new.push(key, payload)?; … }
//! let finished = job.finish(Outputs { directory: Some(new), run, queues, released })?;
//! backlog.finish_job(finished);                        // owner's thread
//! ```
//!
//! The files are drawn in `docs/formats/backlog.md`.

mod backlog;
mod config;
mod directory;
mod entries;
mod error;
mod job;
pub mod limits;
mod manifest;
mod queue;
mod run;

pub use backlog::Backlog;
pub use config::Config;
pub use directory::{DirectoryReader, DirectoryWriter, Join, Key, Record};
pub use entries::Entries;
pub use error::{Error, Result};
pub use job::{Finished, Job, Outputs};
pub use manifest::{Cut, Manifest};
pub use queue::{JobQueues, QueueId};
pub use run::{Head, Released, RunId, RunReader, RunSet, RunUse, RunWriter, Section};
