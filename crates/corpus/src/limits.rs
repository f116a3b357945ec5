//! Every limit of the corpus, with its reason.

/// How much goes into a row group and into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusLimits {
    /// Decoded bytes of a row group. Both writer and reader hold a whole group in memory, so this bounds both;
    /// the writer takes about twice as much while the group is written out.
    pub row_group_bytes: u64,
    /// Rows of a row group; engines share a scan among threads by row groups.
    pub row_group_rows: u64,
    /// Bytes of a file on disk, before the last row group's remainder. What a crash loses is at most one file.
    pub file_bytes: u64,
    /// Rows of a file, which bounds the list of captures in its footer.
    pub file_rows: u64,
}

impl CorpusLimits {
    /// Decoded bytes turned into columns at once; a row may have more.
    pub(crate) fn batch_bytes(&self) -> u64 {
        BATCH_BYTES.min(self.row_group_bytes / BATCHES_PER_GROUP)
    }
}

impl Default for CorpusLimits {
    fn default() -> Self {
        Self { row_group_bytes: 64 << 20, row_group_rows: 50_000, file_bytes: 512 << 20, file_rows: 250_000 }
    }
}

/// Decoded bytes turned into columns at once, and of a page of a column: large enough to amortise the arrays and to find repetitions
/// in (beyond 256 KiB Zstandard takes its faster way, too), still in the processor's cache when it is compressed …
const BATCH_BYTES: u64 = 512 << 10;

/// … and small beside a row group: while a page is compressed it is there five times.
const BATCHES_PER_GROUP: u64 = 8;

/// Rows turned into columns at once, for pages with little text.
pub(crate) const BATCH_ROWS: usize = 1_024;

/// Decoded bytes of one row. Parquet counts a page's bytes in 31 bits; a text is cut by the parse cap long before.
pub const ROW_BYTES_MAX: u64 = 256 << 20;

/// Bytes of the longest minimum or maximum kept in a column's statistics: a prefix serves to skip row groups.
pub(crate) const STATISTICS_BYTES: usize = 64;

/// Of Zstandard. Three, its own default, takes twice the time.
pub(crate) const ZSTD_LEVEL: i32 = 1;

/// Rows decoded at once by [`crate::Reader`].
pub(crate) const READ_ROWS: usize = 256;
