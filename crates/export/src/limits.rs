//! What an export holds in memory, and why.

/// Lines of a block of the compressed index: Common Crawl's, and what its readers expect to unpack for one URL.
pub const BLOCK_LINES: u64 = 3_000;
/// Bytes after which a block ends early: lines are a few hundred bytes, and hostile ones must not add up.
pub const BLOCK_BYTES: usize = 8 << 20;
/// Bytes of one line of the index: the longest URL twice (as it is and as a key), escaped.
pub const LINE_BYTES: usize = 1 << 20;
/// Bytes gathered before they are written.
pub(crate) const WRITE_BYTES: usize = 1 << 20;
/// Level of compression: these files are written once and read for long.
pub(crate) const LEVEL: i32 = 6;
