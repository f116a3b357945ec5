use crate::limits::MAX_BLOCK_BYTES;

/// The shape of a backlog's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Bytes gathered before they are compressed and written as one block; at most 64 KiB.
    pub block_bytes: usize,
    /// A queue begins a new file when its last one has this many bytes. Files are dropped whole, so this is also what a
    /// queue may hold of bytes that have been read.
    pub queue_file_bytes: u64,
    /// The level that zstd compresses with. Below 0 it codes no entropy, which in blocks of a few entries is most of
    /// the work: sections of 20 entries are written and read twice as fast at -3 as at 1, and take a quarter more.
    pub level: i32,
}

impl Default for Config {
    fn default() -> Self {
        Self { block_bytes: MAX_BLOCK_BYTES, queue_file_bytes: 8 << 20, level: -3 }
    }
}

impl Config {
    pub(crate) fn assert_within_limits(&self) {
        assert!((1..=MAX_BLOCK_BYTES).contains(&self.block_bytes), "blocks of {} bytes", self.block_bytes);
    }
}
