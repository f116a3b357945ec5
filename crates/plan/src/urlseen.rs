//! How many bytes go to and from the disk to check URLs against those seen before (§IV).
//!
//! The overhead of checking n URLs with R bytes of memory is ω(n, R) = α(n, R)·b·n bytes: α says how often each byte
//! of URL text moves.

/// A stream of URLs to check, in the letters of §IV-B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stream {
    /// U: URLs seen before the first check.
    pub seen: f64,
    /// p: probability that a checked URL is new.
    pub unique: f64,
    /// b: bytes of a URL in the queue.
    pub url_bytes: f64,
    /// H: bytes of a URL's hash.
    pub hash_bytes: f64,
    /// P: bytes of a pointer in memory.
    pub pointer_bytes: f64,
}

impl Stream {
    /// 2UH + pHn: what rewriting the sorted hashes moves, averaged over a crawl of `n` checks, per pass.
    pub fn rewritten_bytes(&self, n: f64) -> f64 {
        2.0 * self.seen * self.hash_bytes + self.unique * self.hash_bytes * n
    }

    /// H + P: bytes of a hash in memory.
    fn hash_in_memory(&self) -> f64 {
        self.hash_bytes + self.pointer_bytes
    }
}

/// Equation (1): α of Mercator-B, with `n` checks and `ram` bytes.
pub fn alpha_mercator_b(stream: &Stream, n: f64, ram: f64) -> f64 {
    2.0 * stream.rewritten_bytes(n) * stream.hash_in_memory() / (stream.url_bytes * ram) + 2.0 + stream.unique
}

/// Equation (2): α of Polybot, whose file of seen URLs has `compressed_bytes` (bq) a URL.
pub fn alpha_polybot(stream: &Stream, compressed_bytes: f64, n: f64, ram: f64) -> f64 {
    let rewritten = compressed_bytes * (2.0 * stream.seen + stream.unique * n);
    let in_memory = stream.url_bytes + 4.0 * stream.pointer_bytes;
    2.0 * rewritten * in_memory / (stream.url_bytes * ram) + stream.unique
}

/// What DRUM is given (§IV-D).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrumSpace {
    /// R: bytes of memory.
    pub ram: f64,
    /// D: bytes of disk for the buckets.
    pub disk: f64,
    /// M: bytes of buffer for each open file.
    pub buffer: f64,
}

/// Theorem 2, equation (7): α of DRUM with `n` checks. The theorem asks for R ≥ 2Δ(1 + P/H), Δ = 32 MB.
pub fn alpha_drum(stream: &Stream, space: &DrumSpace, n: f64) -> f64 {
    let DrumSpace { ram, disk, buffer } = *space;
    let (b, h) = (stream.url_bytes, stream.hash_bytes);
    let rewritten = stream.rewritten_bytes(n);
    let lambda = 8.0 * buffer * disk * stream.hash_in_memory() / (h + b);
    let passes = if ram * ram < lambda {
        8.0 * buffer * stream.hash_in_memory() * rewritten / (b * ram * ram)
    } else {
        (h + b) * rewritten / (b * disk)
    };
    passes + alpha_drum_least(stream)
}

/// α″min = 2 + p + 2H/b: no method that stores hashes and uncompressed URLs on disk can do with less.
pub fn alpha_drum_least(stream: &Stream) -> f64 {
    2.0 + stream.unique + 2.0 * stream.hash_bytes / stream.url_bytes
}

/// Equation (17): the disk space beyond which `ram` bytes of memory are what limits DRUM.
pub fn drum_disk_for(stream: &Stream, ram: f64, buffer: f64) -> f64 {
    ram * ram * (stream.hash_bytes + stream.url_bytes) / (8.0 * buffer * stream.hash_in_memory())
}

/// Theorem 3, equation (18): pages a second that URL checks allow, with `disk_rate` (W) bytes a second, `alpha`, and
/// `links` (l) URLs a page of `url_bytes` (b).
pub fn pages_per_s(disk_rate: f64, alpha: f64, url_bytes: f64, links: f64) -> f64 {
    disk_rate / (alpha * url_bytes * links)
}
