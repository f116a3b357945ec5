//! What waits on disk: the sorted and the sequential files of one shard. Knows no URL: keys are pairs of 64-bit
//! hashes, payloads are bytes.
//!
//! * [`Backlog`]: the owner's view of it all.
//! * The **directory**: one immutable file of records sorted by [`Key`], rewritten as a whole by a sequential merge.
//!   [`DirectoryReader`], [`DirectoryWriter`], [`Join`]; a [`DirectoryView`] is for whoever only looks.
//! * **Runs**: immutable files of *sections*, stretches of entries that are read in order. A [`Section`] points at one
//!   and is kept by the caller wherever it likes; the [`RunSet`] counts how much of each run is still pointed at.
//!   [`RunReader`], [`RunWriter`].
//! * **Queues**: first in, first out, in files that are dropped when they have been read. [`JobQueues`].
//! * [`Job`]: reads the old files and writes the new ones on any thread, while the owner goes on.
//!   [`Backlog::finish_job`] swaps everything at once, [`Backlog::abandon_job`] forgets it.
//! * [`Manifest`]: an exact cut. [`Backlog::open`] returns to it after whatever happened since.
//!
//! A job in outline:
//!
//! ```text
//! let job = backlog.start_job();                            // the owner
//! let (mut new, mut run) = (job.new_directory(), job.new_run());
//! let (mut old, mut runs, mut queues) = (job.join()?, job.runs(), job.queues());
//! while let Some(joined) = old.next(arrivals.first_key())? {
//!     …; run.begin(); run.push(entry)?; let section = run.end()?; …; new.push(joined.key, payload)?;
//! }
//! let finished = job.finish(Outputs { directory: Some(new), run, queues, released })?;
//! backlog.finish_job(finished);                             // the owner
//! ```
//!
//! The files are drawn in `docs/formats/backlog.md`.

mod backlog;
mod block;
mod config;
mod directory;
mod entries;
mod error;
mod job;
pub mod limits;
mod manifest;
mod names;
mod queue;
mod recovery;
mod run;
mod store;

pub use backlog::Backlog;
pub use config::Config;
pub use directory::{DirectoryReader, DirectoryView, DirectoryWriter, Join, Joined, Key, Record};
pub use entries::Entries;
pub use error::{Error, Result};
pub use job::{Finished, Job, Outputs};
pub use manifest::{Cut, Manifest};
pub use queue::{JobQueues, QueueId};
pub use run::{Head, Released, RunId, RunReader, RunSet, RunUse, RunWriter, Section};

#[cfg(test)]
mod tests;
