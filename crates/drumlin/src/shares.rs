//! What `--memory` is divided into. What is left over, a quarter, is the program itself, its threads, connections and
//! whatever a parser has in hand.

use crawler::FrontierMemory;
use crawler::limits::{JOBS_AT_ONCE, SHARDS};

/// The parts, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shares {
    /// Bodies under way and those that wait for the disk or the parsers.
    pub(crate) bodies: u64,
    /// A row group of the corpus; it takes this thrice while it is written.
    pub(crate) row_group: u64,
    /// Hosts, their rules and the URLs at hand, of all shards.
    resident: u64,
    /// Discoveries and outcomes gathered before they are written, of all shards.
    buffers: u64,
    /// Merges, all that run at once.
    jobs: u64,
    /// Keys of recent discoveries, of all shards.
    recent: u64,
}

/// A merge takes up to this many times the bytes that wait in its bucket.
const JOB_FACTOR: u64 = 2;

/// Buffers of a shard, in eighths of the one for discoveries: records of outcomes take two, links between domains one.
const BUFFER_EIGHTHS: u64 = 8 + 2 + 1;

/// A buffer gains nothing beyond this.
const BUFFER_MAX_BYTES: u64 = 256 << 10;

/// What a key takes in the cache of recent ones.
const KEY_BYTES: u64 = 8;

impl Shares {
    /// Divides `memory` bytes.
    pub(crate) fn of(memory: u64) -> Self {
        Self {
            bodies: memory / 4,
            row_group: memory / 32,
            resident: memory / 16 * 3,
            buffers: memory / 16,
            jobs: memory / 8,
            recent: memory / 64,
        }
    }

    /// What a shard of the frontier gets when all of them are in use.
    pub(crate) fn of_a_shard(self) -> FrontierMemory {
        let shards = SHARDS as u64;
        FrontierMemory {
            resident_bytes: self.resident / shards,
            buffer_bytes: (self.buffers / shards * 8 / BUFFER_EIGHTHS).min(BUFFER_MAX_BYTES) as usize,
            bucket_bytes: self.jobs / JOBS_AT_ONCE as u64 / JOB_FACTOR,
            recent_keys: (self.recent / shards / KEY_BYTES) as usize,
        }
    }
}

#[cfg(test)]
mod tests;
