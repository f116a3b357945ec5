//! The deliverables built from pages: the text corpus as Parquet, one row a page.
//!
//! A file appears under its final name only when it is whole and durable, and says which captures it holds: so a
//! crawl that was killed, or ran out of disk, writes every row exactly once. Memory is bounded by
//! [`CorpusLimits`], whatever the crawl. The bytes are drawn in `docs/formats/corpus.md`.
//!
//! * [`Row`]: what is known of one page. [`Terms`]: what its owner says of its use.
//! * [`Writer`]: rows into files, closed by size; [`Writer::open`] finds what earlier runs have [`Held`].
//! * [`Reader`]: the rows of one closed file.
//! * [`revise()`]: files without some of their rows.
//! * [`for_each_traits`]: what rows say beside their texts, without reading those.
//! * [`find_duplicates`]: a table beside the files of which rows say nearly the same.
//! * [`Table`]: any other Parquet file, under its final name only when it is whole and durable.
//! * [`Ranges`]: the set of capture numbers that a file holds.

mod batch;
mod columns;
mod duplicates;
mod duplicates_file;
mod error;
mod held;
pub mod limits;
mod open_file;
mod ranges;
mod read;
mod revise;
mod row;
mod schema;
mod sink;
mod source;
mod table;
mod terms;
mod traits;
mod writer;

pub use columns::{for_each_id, for_each_text};
pub use duplicates::{Duplicates, Search, find_duplicates};
pub use duplicates_file::{DUPLICATES_FILE, DuplicatesFooter, duplicates_footer, for_each_duplicate};
pub use error::Error;
pub use held::Held;
pub use limits::CorpusLimits;
pub use ranges::{Ranges, RangesError};
pub use read::Reader;
pub use revise::{Revised, Revision, revise};
pub use row::{Row, crawl_of};
pub use schema::{CAPTURES_KEY, FORMAT, FORMAT_KEY};
pub use table::Table;
pub use terms::{Said, Terms};
pub use traits::{Traits, for_each_traits};
pub use writer::{Closed, Writer, absent_files, closed_files};

#[cfg(test)]
mod tests;
