//! Every limit of this crate, with its reason.

/// Bytes after which a WARC file is closed and the next begun: what web archives call a normal file.
pub const WARC_FILE_BYTES: u64 = 1 << 30;

/// Memory for the index: lines of the file being written, which beyond it go to disk in sorted pieces, or the buffers of
/// a merge. At 400 bytes a line that is a gigabyte of captures of 25 KB.
pub const INDEX_BYTES: usize = 16 << 20;

/// Memory for finding payloads that come again: at six bytes a slot, the 700,000 most recent.
pub const PAYLOAD_BYTES: usize = 4 << 20;

/// The shortest body that is archived as a revisit where it comes again. What refers to the original takes 450 bytes of headers,
/// two thirds of it compressed, and whoever reads the page has to open two files.
pub const REVISIT_BYTES: u64 = 1 << 10;

/// Entries of the index of payloads that wait for a disk that is full; what comes then is not noted.
pub const UNWRITTEN_BYTES: usize = 1 << 20;

/// Bytes gathered before they go to the WARC file: large enough for the disk, and no more than one body in memory.
pub const WRITE_BYTES: usize = 1 << 20;

/// Bytes of a body that every connection can take in without asking: what it goes on with when there is no credit.
pub const ARRIVING_BYTES: usize = 32 << 10;

/// The first buffer of a body: most that are not pages fit.
pub const FIRST_BYTES: usize = 4 << 10;

/// The longest body that is read back into memory as a whole; parsers read longer ones as a stream.
pub const STORED_BODY_BYTES: usize = 1 << 20;

/// Bytes of one batch's journal entries, uncompressed; a reader allocates as much for one frame.
pub const FRAME_BYTES: usize = 64 << 20;

/// Bytes after which a checkpoint begins a new journal segment.
pub const SEGMENT_BYTES: u64 = 64 << 20;

/// Frame positions remembered between checkpoints (24 bytes each); beyond it every second is forgotten and
/// a replay begins at most one frame earlier for each halving.
pub const MARKS: usize = 65_536;

/// Bytes of the head of an HTTP message that is read back; `fetch` takes in a quarter of it. An index needs no more of a
/// record.
pub const HEAD_BYTES: usize = 256 << 10;

/// Letters of `hopsFromSeed`; a longer path is written as a count and its last letters, as Heritrix does.
pub const HOPS_SHOWN: u32 = 50;

/// The largest buffer of a run that is merged: more would make reading no faster.
pub const CURSOR_BYTES: usize = 256 << 10;

/// The least buffer of one.
pub const MERGE_CURSOR_BYTES: usize = 4 << 10;

/// How often a group that is kept may move, as what it refers to is taken down; each time it becomes whole, so once would do.
pub const MOVES: usize = 4;

/// Crawls that one may look back on through the others, each the earlier one of the next: a year of weekly crawls.
pub const EARLIER_CRAWLS: usize = 53;

/// Bytes of the names of an earlier crawl's archive files, which are in memory: half a million of them.
pub const EARLIER_NAMES_BYTES: usize = 32 << 20;

/// Revisits that refer to each other in a row: one of what the server says has not been modified to one of an identical payload, and that to a
/// response. Since the first refer on to what the last one did, there are no more.
pub const REFERENCES: usize = 4;

/// Bytes of one step of the search for a sound frame behind a broken one.
pub const SEARCH_BYTES: usize = 1 << 20;
