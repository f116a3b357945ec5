//! What other people's tools read, made from an archive and its corpus: in one pass, in bounded memory, the same bytes each time. A
//! file has its final name only when it is whole and durable.
//!
//! * [`wet`]: the texts as WARC `conversion` records, as Common Crawl has them.
//! * [`zipnum`]: the CDXJ index in compressed blocks, with the first line of each in `cluster.idx`.
//!
//! The files are drawn in `docs/formats/export.md`.

mod error;
pub mod limits;
mod new_file;
mod wet;
mod zipnum;

pub use error::{Error, Result};
pub use wet::{Wet, wet};
pub use zipnum::{ZipNum, zipnum};

#[cfg(test)]
mod tests;
