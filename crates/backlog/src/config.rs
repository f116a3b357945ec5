/// The shape of a backlog's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Bytes gathered before they are compressed and written as one block.
    pub block_bytes: usize,
    /// A queue begins a new file when its last one has this many bytes. Read files are dropped whole, so this is also
    /// what a queue may hold of bytes that nobody needs.
    pub queue_file_bytes: u64,
    /// The level that zstd compresses with; negative ones are faster still.
    pub level: i32,
}

impl Default for Config {
    fn default() -> Self {
        Self { block_bytes: 64 << 10, queue_file_bytes: 8 << 20, level: 1 }
    }
}
