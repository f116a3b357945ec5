//! What other people's tools read, made from an archive and its corpus: in one pass, in bounded memory, the same bytes each time. A
//! file has its final name only when it is whole and durable.
//!
//! * [`wet()`]: the texts as WARC `conversion` records, as Common Crawl has them.
//! * [`fineweb()`]: the corpus with all that is known of its rows, in `FineWeb`'s columns, as Parquet or as JSON lines.
//! * [`OwnersConfig`], [`Respect`]: what owners say of the use of their pages, and what is withheld.
//! * [`graph()`]: links between pages and between hosts, and the ranks of hosts.
//! * [`cc_index()`]: the index as a table, in Common Crawl's columns.
//! * [`wacz()`]: archive, index and the list of pages in one file that opens in a browser.
//! * [`wat()`]: records without their payloads, as `metadata` records of JSON.
//! * [`covered_by_exports`], [`covered_by_index`]: what was taken down and is in them all the same.
//! * [`made()`], [`withdraw_all`]: what exports have left, and away with it.
//! * [`zipnum()`]: the CDXJ index in compressed blocks, with the first line of each in `cluster.idx`.
//!
//! The files are drawn in `docs/formats/export.md`.

mod blocks;
mod captures;
mod cc_index;
mod covered;
mod error;
mod fineweb;
mod graph;
mod index_lines;
pub mod limits;
mod made;
mod new_file;
mod owners;
mod scratch;
mod sorter;
mod wacz;
mod wat;
mod wet;
mod zipnum;

pub use captures::Dangling;
pub use cc_index::{CcIndex, cc_index};
pub use covered::{Covered, covered_by_exports, covered_by_index};
pub use error::{Error, Result};
pub use fineweb::{FineWeb, Form, fineweb};
pub use graph::{Graph, GraphConfig, REDIRECT, graph, graph_watched};
pub use made::{made, withdraw_all};
pub use owners::{OwnersConfig, Respect};
pub use wacz::{Wacz, WaczConfig, wacz};
pub use wat::{Wat, WatConfig, wat};
pub use wet::{Wet, wet};
pub use zipnum::{ZipNum, zipnum};

#[cfg(test)]
mod tests;
