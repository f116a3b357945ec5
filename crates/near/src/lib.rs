//! Which texts say nearly the same: found in passes over sorted files, in bounded memory, however many there are.
//!
//! * [`Tables`]: 64-bit fingerprints (`SimHash`) on disk; all that differ in at most three bits are found, exactly (Manku,
//!   Jain, Das Sarma: *Detecting Near-Duplicates for Web Crawling*, WWW 2007, §3), a batch at a time.
//! * [`Survey`], then [`Comparison`]: two passes over the texts. The first finds candidates, by their fingerprints and by
//!   bands of `MinHash`es of word 5-grams (Broder 1997; 14 bands of 8, as `FineWeb` has them, or more of fewer for less similar texts); the second compares the
//!   candidates' sets of 5-grams, so that nothing is called a duplicate on a sketch's word. Groups name further pairs, who is
//!   like a member and its representative, and these are compared in turn until none is near.
//! * [`Groups`]: which texts say what an earlier one says. Each is near the one that stands for it, and no two that stand for others, or for
//!   themselves alone, are near each other.
//! * [`ShingleSet`]: the word 5-grams of a text, and how similar two are (Jaccard).
//!
//! The files are drawn in `docs/formats/near.md`.
//!
//! What is in which file:
//!
//! * fingerprints: `tables`, each a `table_file`, searched by a `join` with a batch; `manifest` says which files they are
//! * texts: `survey` takes their `words`, `shingles` and `minhash`es; `candidates` and `leaders` pair those that share a band; `comparison` holds the sets of shingles
//!   of these in a `spool` and compares them `part` by part, in `rounds`; `groups` and `naming` say who stands for whom
//! * for both: `sorter` of pairs on disk, `peeked` while they are read, `scratch` for what lasts no longer, `traffic` counted

mod candidates;
mod comparison;
mod error;
mod groups;
mod join;
mod leaders;
pub mod limits;
mod manifest;
mod minhash;
mod naming;
mod part;
mod peeked;
mod rounds;
mod scratch;
mod shingles;
mod sorter;
mod spool;
mod survey;
mod table_file;
mod tables;
mod traffic;
mod words;

pub use comparison::Comparison;
pub use error::{Error, Result};
pub use naming::{Groups, Member};
pub use shingles::{ShingleSet, Similarity};
pub use survey::{Config, Survey};
pub use tables::{Entry, Match, Tables};
pub use traffic::Traffic;

#[cfg(test)]
mod tests;
