use crate::limits::{BLOCK_BYTES, EDGE_BUFFER_SHARE, QUEUE_FILE_BYTES, RECORD_BUFFER_SHARE};
use crate::{DelayPolicy, RetryPolicy, Star};
use drum::Packing;

/// What a frontier is told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontierConfig {
    /// How long hosts and groups are left alone.
    pub delay: DelayPolicy,
    /// When to try again.
    pub retry: RetryPolicy,
    /// The crawl's seed: identities of hosts and domains, and the lottery among classes.
    pub seed: u64,
    /// What one shard may take of memory.
    pub memory: Memory,
    /// Whether a shorter path to a page that is known counts.
    pub paths: Paths,
    /// Budgets of domains.
    pub star: Star,
}

/// What one shard may take of memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Hosts, their rules and the URLs at hand.
    pub resident_bytes: u64,
    /// Discoveries gathered before they are written, uncompressed. A job takes up to four times the bytes of `bucket_bytes`
    /// while it runs.
    pub buffer_bytes: usize,
    /// A job is due when this many bytes of discoveries wait, compressed, or twice as many uncompressed.
    pub bucket_bytes: u64,
    /// Recent discoveries remembered, to drop the repeated ones before they cost anything; eight bytes each.
    pub recent_keys: usize,
}

/// Whether a shorter path to a page that is known counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paths {
    /// The first path found is good: no limit on depth.
    Any,
    /// The shortest counts: under a limit on depth, links of a page may be admissible by one path and not by another.
    Shortest,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            resident_bytes: 64 << 20,
            buffer_bytes: 64 << 10,
            bucket_bytes: 16 << 20,
            recent_keys: 1 << 16,
        }
    }
}

impl Memory {
    pub(crate) fn seen(self) -> drum::Config {
        let (buffer_bytes, bucket_bytes) = (self.buffer_bytes, self.bucket_bytes);
        drum::Config { bucket_bits: 0, buffer_bytes, bucket_bytes, packing: Packing::Packed }
    }

    /// One record an outcome, against some fifty discoveries a page.
    pub(crate) fn records(self) -> drum::Config {
        self.share(RECORD_BUFFER_SHARE)
    }

    pub(crate) fn edges(self) -> drum::Config {
        self.share(EDGE_BUFFER_SHARE)
    }

    pub(crate) fn backlog() -> backlog::Config {
        backlog::Config { block_bytes: BLOCK_BYTES, queue_file_bytes: QUEUE_FILE_BYTES, level: 1 }
    }

    fn share(self, share: usize) -> drum::Config {
        let buffer_bytes = (self.buffer_bytes / share).max(drum::limits::MIN_BUFFER_BYTES);
        let bucket_bytes = (self.bucket_bytes / share as u64).max(buffer_bytes as u64);
        drum::Config { bucket_bits: 0, buffer_bytes, bucket_bytes, packing: Packing::Bare }
    }
}
