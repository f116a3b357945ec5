//! What an export holds in memory, and why.

/// Lines of a block of the compressed index: Common Crawl's, and what its readers expect to unpack for one URL.
pub const BLOCK_LINES: u64 = 3_000;
/// Bytes of a line that an export has written, read back whole: a row with its text, and every character escaped.
pub(crate) const EXPORTED_LINE_BYTES: u64 = 64 << 20;

/// Bytes after which a block ends early: lines are a few hundred bytes, and hostile ones must not add up.
pub const BLOCK_BYTES: usize = 8 << 20;
/// Bytes of one line of the index: the longest URL twice (as it is and as a key), escaped.
pub const LINE_BYTES: usize = 1 << 20;
/// Bytes gathered before they are written.
pub(crate) const WRITE_BYTES: usize = 1 << 20;
/// Level of compression: these files are written once and read for long.
pub(crate) const LEVEL: i32 = 6;
/// Bytes of a record's block that are read beside as many as are parsed of a page: heads, and what a coding adds to what is coded.
pub(crate) const RECORD_BYTES: usize = 6 << 20;
/// Bytes of one thing that is sorted: two of the longest URLs and some numbers, or what a robots.txt says of uses.
pub(crate) const ITEM_BYTES: usize = 256 << 10;
/// Bytes of the files in which one host speaks of its pages, those that differ: a hundred of the longest robots.txt.
pub(crate) const HOST_FILES_BYTES: usize = 4 << 20;
/// Bytes read ahead of each run while runs are merged.
pub(crate) const MERGE_BUFFER_BYTES: usize = 64 << 10;
/// Of the memory of an export, the share of a row group on its way into a table: there are up to two copies of it, and what sorts is
/// there as well.
pub(crate) const ROW_GROUP_SHARE: usize = 4;
/// Bytes of rows gathered before they become columns.
pub(crate) const BATCH_BYTES: usize = 1 << 20;
/// Rows gathered, where they are short.
pub(crate) const BATCH_ROWS: usize = 8_192;
/// Hosts up to which distances are counted exactly: 32 times through the graph for each distance, which takes seconds.
pub(crate) const EXACT_HOSTS: u64 = 1 << 16;
/// Distances that are looked at; who is further away adds less than a thousandth each.
pub(crate) const DISTANCES: u32 = 1_024;
/// Iterations of `PageRank`: what is left of the start then is 0.85^150 < 10^-10.
pub(crate) const PAGERANK_ROUNDS: u32 = 150;
/// The change of all ranks together that counts as none.
pub(crate) const PAGERANK_CHANGE: f64 = 1e-10;
/// References of one page that are told: as many as the parser keeps links.
pub(crate) const LINKS: usize = 1 << 16;
/// Bytes of the text of one reference: as much as the parser keeps of an anchor.
pub(crate) const TEXT_BYTES: usize = 512;
/// Lines of a block of the index in a WACZ: what py-wacz writes, and what a browser unpacks for one URL.
pub(crate) const WACZ_BLOCK_LINES: u64 = 1_024;
