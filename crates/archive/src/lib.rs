//! The log of a crawl: a rolling WARC archive and the journal, made durable together.
//!
//! What [`Archive::commit`] has returned survives power loss, captures and journal entries alike; what it
//! has not returned is gone without a trace after a failure, and the same batch can be committed again.
//!
//! * [`Archive`]: the one object: open and recover, commit, checkpoint, read back, finish.
//! * [`Recovered`], [`Replay`]: what an earlier run left, streaming.
//! * [`ledger`]: every entry of the journal from the beginning, for tools.
//! * [`Capture`], [`CaptureMeta`]: what is archived. [`Location`]: where it went.
//! * [`EarlierCrawl`]: what an earlier crawl was answered, to ask whether it still stands.
//! * [`payload_of`], [`answer_behind`]: what is behind a revisit, for whoever reads WARC files.
//! * [`absent_files`]: closed files that are gone or were cut, and have not expired. [`is_index_whole`]: whether the index is what was made.
//! * [`purge()`]: closed files without what was taken down, while nobody has the archive open.
//! * [`Intake`], [`Spool`]: bodies while they arrive: in memory within a credit, on disk beyond. [`Body`]: one that is
//!   there, wherever it is. No stage holds a long body in memory.
//!
//! The formats are drawn in `docs/formats`: warc, cdxj, journal, checkpoint, payloads.
//!
//! What is in which file:
//!
//! * the way of a `capture`: its `body`, as `arriving` from the network, in memory or in the `spool`; its records, a `group` with `ids` and what the TLS
//!   `handshake` showed; `warclog`, which writes the `tail` of the newest file; `journal`, of `frame`s; the `location` it has then. `archive` does all that by its `config`.
//! * whether it is known: `revisits`, by `payloads` of this crawl and the `earlier` one; `original`, what stands behind a revisit
//! * what an earlier run left: `layout` of names, `checkpoint`, `scan` and `replay` of the journal, `recover`
//! * files that are closed: `index`, a `merge` of theirs; `stored`, which reads a capture back; `absent`; `purge`

mod absent;
mod archive;
mod arriving;
mod body;
mod capture;
mod checkpoint;
mod config;
mod earlier;
mod error;
mod frame;
mod group;
mod handshake;
mod ids;
mod index;
mod journal;
mod layout;
pub mod limits;
mod location;
mod merge;
mod original;
mod payloads;
mod purge;
mod recover;
mod replay;
mod revisits;
mod scan;
mod spool;
mod stored;
mod tail;
mod warclog;

pub use absent::{absent_files, is_index_whole};
pub use archive::{Archive, Committed, Entry, Kept};
pub use arriving::{Arriving, Intake};
pub use body::Body;
pub use capture::{Capture, CaptureMeta, Content, Purpose, Truncation};
pub use checkpoint::{Checkpoint, Standing, has_ended_clean, last_checkpoint};
pub use config::ArchiveConfig;
pub use earlier::{EarlierCrawl, Notable};
pub use error::{Error, Result};
pub use handshake::{Handshake, Leaf, LeafSays, Session};
pub use layout::EARLIER_DIR;
pub use location::Location;
pub use original::{Original, answer_behind, payload_of};
pub use purge::{
    Gone, Moved, Purged, end_purge, for_each_covered, is_purge_unfinished, purge, purge_watched,
};
pub use recover::{Opened, Recovered};
pub use replay::{Replay, ReplayEntry, beginnings, has_journal, ledger, ledger_bytes, ledger_from};
pub use spool::Spool;
pub use stored::{StoredCapture, StoredGroup};

#[cfg(test)]
mod tests;
