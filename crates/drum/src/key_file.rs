//! Key files: what a bucket holds, sorted, in checksummed blocks; see `docs/formats/drum.md`.

mod format;
mod lookup;
mod reader;
mod writer;

pub(crate) use format::KeyFileId;
pub(crate) use lookup::look_up;
pub(crate) use reader::{KeyBlock, KeyReader};
pub(crate) use writer::KeyWriter;
