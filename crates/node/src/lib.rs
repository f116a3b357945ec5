//! The loop: runs a [`crawler::Crawler`] against the real clock, network and disk.
//!
//! It carries out what the machine asks and tells it what came of it; it has no branch on the state of the crawl. Threads:
//! the caller's runs the machine; each *fetch core* has an event loop of its own and always the same hosts; the *archive*
//! thread makes commits durable and reads captures back; *parsers* turn captures into links and rows; the *corpus* thread
//! writes rows; *workers* do the merges of shards. Every channel is bounded by what the machine lets be under way at once, so none of them ever blocks the
//! machine.

mod archivist;
mod control;
mod corpus_writer;
mod error;
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
mod watched;
mod witness;
mod worker;

pub use control::{Answer, Control, Look, Reply, channel};
pub use error::NodeError;
pub use lookback::{Lookback, is_noted, note};
pub use purge::{Purge, purge, taken_down};
pub use run::{Ended, NodeConfig, Sight, Survey, order, revive, run, survey};
pub use witness::{Witness, Witnessed};
