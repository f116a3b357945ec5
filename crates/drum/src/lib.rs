//! Disk repository with update management (Lee, Leonard, Wang, Loguinov: *IRLbot: Scaling to 6 Billion Pages
//! and Beyond*, TWEB 2009, §IV-C): check, update and check+update over <key, value, aux> in batches, at the
//! price of sequential disk only. Knows no URL.
//!
//! * [`Drum`]: append [`Request`]s, merge buckets one at a time ([`MergeJob`], on any thread), get a
//!   [`Verdict`] for each check in the order of discovery. Memory is bounded by its [`Config`].
//! * [`Value`]: what is kept with a key; `()` makes a set.
//! * [`Cut`]: everything so far, written; the caller syncs its files where it likes. [`Drum::open`] returns to
//!   its [`Manifest`] after whatever happened since.
//! * [`Clock`]: recent keys (§V); one for all DRUMs of a process, asked before anything is appended.
//! * [`Found`]: point look-ups, for people. [`Traffic`]: the bytes that α is made of.
//!
//! The files are drawn in `docs/formats/drum.md`.
//!
//! What is in which file:
//!
//! * what is appended: `drum`, of `bucket`s, each a `batch` in memory and a `segment` on disk, of `block`s with columns of numbers and of text (`front` coding, under `packing`); a
//!   `request` is what each began as
//! * a merge: `merging` begins and ends it on the owner's side, `merge` is the job; it reads `requests`, brings them in order by `sort`, and `merge_keys` passes once
//!   through the `key_file` (sorted keys by `elias_fano`, with a `value` each)
//! * what stays: `manifest` of a `cut`, `recovery` to it, `names` of files
//! * what is asked: the `clock` of recent keys, `lookup` of one key, `scan` of all; `traffic` counts bytes. `config` shapes it all.

mod batch;
mod block;
mod bucket;
mod clock;
mod config;
mod cut;
mod drum;
mod elias_fano;
mod error;
mod front;
mod key_file;
pub mod limits;
mod lookup;
mod manifest;
mod merge;
mod merge_keys;
mod merging;
mod names;
mod packing;
mod recovery;
mod request;
mod requests;
mod scan;
mod segment;
mod sort;
mod traffic;
mod value;

pub use clock::Clock;
pub use config::Config;
pub use cut::Cut;
pub use drum::Drum;
pub use error::{Error, Result};
pub use lookup::Found;
pub use manifest::Manifest;
pub use merge::{MergeJob, Merged};
pub use packing::Packing;
pub use request::{Request, Verdict};
pub use traffic::Traffic;
pub use value::Value;

#[cfg(test)]
mod tests;
