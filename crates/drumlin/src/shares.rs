//! What `--memory` is divided into, when the program itself is taken off. What is left over, a fifth, is for threads,
//! connections, checkpoints, cookies where they are kept, and whatever a parser has in hand.

use crawler::FrontierMemory;
use crawler::limits::{JOBS_AT_ONCE, SHARDS, UNPARSED_CAPTURES};
use fetch::Limits;

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
    /// Files of shards that are not durable yet.
    pub(crate) young: u64,
    /// URLs of one page or sitemap.
    pub(crate) links: u64,
    /// The rest.
    left_over: u64,
    /// Lines of the index that are sorted at once.
    pub(crate) index: u64,
    /// Where payloads are that may come again.
    pub(crate) payloads: u64,
    /// Addresses of names, of all fetch cores.
    names: u64,
    /// Sessions of TLS that may be resumed, of all fetch cores.
    sessions: u64,
}

/// What the caches of a fetch core hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NetworkCaches {
    pub(crate) names: usize,
    pub(crate) tls_session_bytes: u64,
}

/// The program as it is mapped from its file, as far as a crawl touches it: 17 MiB, and static data.
const PROGRAM_BYTES: u64 = 20 << 20;

/// What a page that was meant badly takes while it is parsed; a test of `crawler` measures it.
const PARSE_BYTES: u64 = 24 << 20;

/// The heads of a request and its response, if they are long: most servers take and give no more. Ordinary ones are a tenth.
const HEAD_BYTES: u64 = 8 << 10;

/// A name with its addresses, in the cache.
const NAME_BYTES: u64 = 512;

/// A job takes up to this many times the bytes at which a bucket is due: what waits is unpacked, of which twice as much makes a bucket due
/// and up to twice that may wait by the time it is merged.
const JOB_FACTOR: u64 = 4;

/// Buffers of a shard, in eighths of the one for discoveries: records of outcomes take two, links between domains one.
const BUFFER_EIGHTHS: u64 = 8 + 2 + 1;

/// A buffer gains nothing beyond this.
const BUFFER_MAX_BYTES: u64 = 256 << 10;

/// What a key takes in the cache of recent ones.
const KEY_BYTES: u64 = 8;

impl Shares {
    /// Divides `memory` bytes.
    pub(crate) fn of(memory: u64) -> Self {
        let memory = memory.saturating_sub(PROGRAM_BYTES);
        Self {
            bodies: memory / 64 * 10,
            row_group: memory / 32,
            resident: memory / 16 * 3,
            buffers: memory / 16,
            jobs: memory / 16 * 3,
            recent: memory / 64,
            young: memory / 64,
            links: memory / 32,
            left_over: memory / 64 * 13,
            index: memory / 128,
            payloads: memory / 64,
            names: memory / 128,
            sessions: memory / 64 * 3,
        }
    }

    /// Parsers, of the threads there are for them: one at least, and as many as half of what is left over has room for.
    pub(crate) fn parsers(self, threads: usize) -> usize {
        threads.min((self.left_over / 2 / PARSE_BYTES) as usize).max(1)
    }

    /// Captures that may wait for a parser: as many as a quarter of what is left over has room for.
    pub(crate) fn unparsed(self) -> usize {
        UNPARSED_CAPTURES.min((self.left_over / 4 / HEAD_BYTES) as usize).max(1)
    }

    /// What the cookies of all sites may take, where they are kept.
    pub(crate) fn cookies(self) -> u64 {
        self.left_over / 32
    }

    /// What a fetch core may remember when there are so many.
    pub(crate) fn of_a_core(self, cores: usize) -> NetworkCaches {
        let names = self.names / NAME_BYTES / cores as u64;
        NetworkCaches {
            names: Limits::default().names.min(names as usize),
            tls_session_bytes: self.sessions / cores as u64,
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
