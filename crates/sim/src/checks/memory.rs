use super::Findings;
use crate::Setup;
use crawler::limits::{JOBS_AT_ONCE, SHARDS};

/// Judges that memory is bounded by configuration, not by the crawl (ARCHITECTURE.md, promise 4). What is held somebody else has to
/// count, for instance the allocator: the crawler's own account is not asked.
#[derive(Debug)]
pub struct BoundedMemory {
    bound: u64,
    /// The most that was held.
    pub peak: u64,
    /// What was found wrong.
    pub findings: Findings,
}

/// A job takes up to this many times the bytes at which a bucket is due (`docs/memory.md`).
const JOB_FACTOR: u64 = 4;

/// Buffers of a shard, in eighths of the one for discoveries.
const BUFFER_EIGHTHS: u64 = 11;

/// A key in the cache of recent ones.
const KEY_BYTES: u64 = 8;

/// The heads of a request and its response.
const HEAD_BYTES: u64 = 8 << 10;

/// What a shard takes that holds nothing: its tables, its place in others, the names of its files.
const SHARD_BYTES: u64 = 24 << 10;

impl BoundedMemory {
    /// Judges a crawl without bodies that was told this.
    pub fn new(setup: &Setup) -> Self {
        Self { bound: promised(setup), peak: 0, findings: Findings::default() }
    }

    /// What a crawl may hold, in bytes.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// After so many pages the crawl holds this many bytes.
    pub fn holds(&mut self, pages: u64, bytes: u64) {
        self.peak = self.peak.max(bytes);
        if bytes > self.bound {
            self.findings
                .add(|| format!("{bytes} bytes after {pages} pages, where {} are promised", self.bound));
        }
    }
}

/// Every share of the memory, as `docs/memory.md` has them.
fn promised(setup: &Setup) -> u64 {
    let (crawl, archive, frontier) = (&setup.crawl, &setup.archive, &setup.crawl.frontier.memory);
    let shards = SHARDS as u64;
    let hosts = shards * frontier.resident_bytes;
    let buffers = shards * frontier.buffer_bytes as u64 * BUFFER_EIGHTHS / 8;
    let jobs = JOBS_AT_ONCE as u64 * JOB_FACTOR * frontier.bucket_bytes;
    let recent = shards * frontier.recent_keys as u64 * KEY_BYTES;
    let links = 2 * crawl.link_bytes;
    let heads = (crawl.unparsed + crawl.concurrency) as u64 * HEAD_BYTES;
    let files = crawl.young_bytes + (archive.index_bytes + archive.payload_bytes) as u64;
    hosts + buffers + jobs + recent + links + heads + files + shards * SHARD_BYTES
}
