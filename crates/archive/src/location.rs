use serde::{Deserialize, Serialize};

/// Where a capture stands in the archive: the group of its request, response and metadata records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location {
    /// The WARC file: see [`crate::Archive::file_name`].
    pub serial: u32,
    /// Where the group begins in the file.
    pub offset: u64,
    /// Bytes of the whole group.
    pub length: u64,
    /// Where the response record begins in the file: CDXJ and corpus point here.
    pub response_offset: u64,
    /// Bytes of the response record.
    pub response_length: u64,
}

/// How far the WARC files are committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WarcPosition {
    pub(crate) serial: u32,
    pub(crate) length: u64,
}

/// A place in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JournalPosition {
    pub(crate) segment: u32,
    pub(crate) offset: u64,
}
