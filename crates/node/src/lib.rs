//! The loop: runs a [`crawler::Crawler`] against the real clock, network and disk.
//!
//! It carries out what the machine asks and tells it what came of it; it has no branch on the state of the crawl. Threads:
//! the caller's runs the machine; each *fetch core* has an event loop of its own and always the same hosts; the *archive*
//! thread makes commits durable and reads captures back; *parsers* turn captures into links and rows; the *corpus* thread
//! writes rows; *workers* do the merges of shards; the *sync* thread makes the files of checkpoints durable. Every channel is bounded by what the machine lets be under way at once, so none of them blocks the
//! machine, with one exception: when all else has ended, and the file of the corpus is to be closed, it waits until the *corpus* thread has
//! taken the last rows. A page at which a parser panics is lost, by name; a panic of anybody else who owes the machine an
//! answer ends the node.
//!
//! What is in which file:
//!
//! * the loop: `run`; `executor` hands out what the machine asks for, `pace` is how often it looks for answers, `meters` what the machine cannot know of itself
//! * the threads: `fetch_core`, `archivist`, `parser` and the `rows` it leaves for the `corpus_writer`, `worker`, `syncer`, each under a `vigil` that notices when it panics
//! * what else the loop hears of: `control` by operators, memory by its `gauge`, `space` on the disk
//! * beside a run: `visit` and `purge` of a crawl that does not run, `lookback` on an earlier one; a `witness` sees what goes by, and what has long to be read is `watched`
//! * `examples`: what tests need of everything

mod archivist;
mod control;
mod corpus_writer;
mod error;
#[cfg(test)]
mod examples;
mod executor;
mod fetch_core;
mod gauge;
pub mod limits;
mod lookback;
mod meters;
mod pace;
mod parser;
mod purge;
mod rows;
mod run;
mod space;
mod syncer;
mod vigil;
mod visit;
mod watched;
mod witness;
mod worker;

pub use control::{Answer, Control, Look, Reply, channel};
pub use error::NodeError;
pub use lookback::{Lookback, is_noted, note};
pub use purge::{Purge, purge, taken_down};
pub use run::{Ended, NodeConfig, Sight, Survey, revive, run, survey};
pub use visit::order;
pub use witness::{Witness, Witnessed};
