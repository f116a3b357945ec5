use crate::budget::Budgets;
use crate::irlbot;
use crate::urlseen::{DrumSpace, Stream};
use serde::Serialize;
use thiserror::Error;

/// A crawl to be planned, and the node it runs on. The default values name where they were measured; they describe
/// the web that was met there, not the one you will meet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Inputs {
    /// N: pages to fetch.
    pub pages: f64,
    /// Days to fetch them in.
    pub days: f64,

    /// l: distinct links of a page (116 on 400 saved pages; 59 in the paper's crawl).
    pub links: f64,
    /// p: share of checked links that are new (0.11 after the paper's first billion pages, Figure 7a).
    pub unique: f64,
    /// π: share of links that the cache of recent URLs lets through (Table VI).
    pub misses: f64,
    /// b: bytes of a URL with what goes along with it in queues (§VIII-A).
    pub url_bytes: f64,
    /// H: bytes of a key in the seen-set.
    pub key_bytes: f64,
    /// URLs known before the crawl.
    pub seen: f64,

    /// Bytes of a page on the wire (mean of 400 pages, gzip).
    pub page_bytes: f64,
    /// Bytes of a page decoded (mean of the same).
    pub page_decoded_bytes: f64,
    /// Bytes of request, response headers and metadata that the archive adds to a page. An estimate.
    pub record_bytes: f64,
    /// Bytes of a page's row in the corpus, compressed. An estimate.
    pub row_bytes: f64,
    /// Bytes of a request (1.8 TB in 7.6 billion, §VIII-A).
    pub request_bytes: f64,

    /// Pages that a host gives (6.38 billion from 117.6 million, §VIII).
    pub pages_per_host: f64,
    /// Pages that a pay-level domain gives (from 33.8 million, §VIII-B).
    pub pages_per_domain: f64,
    /// E\[Bx\]: expected budget of a domain in pages (§VII-B).
    pub mean_budget: f64,
    /// Name look-ups a page (260 million, §VIII-B).
    pub lookups_per_page: f64,
    /// Bytes of a robots.txt (254 GB from 117.6 million hosts, §VIII-A).
    pub robots_bytes: f64,
    /// Seconds between two contacts with a host.
    pub host_delay_s: f64,
    /// Seconds from connecting to the end of a response. An estimate.
    pub response_s: f64,

    /// Cores of a node.
    pub cores: f64,
    /// Processor milliseconds of a page, from connecting to the archived and parsed page: `docs/measured.md`, a real crawl, one answer a connection.
    pub cpu_ms_per_page: f64,
    /// µ: look-ups a second and core in the cache of recent URLs (20 ns each).
    pub cache_checks_per_s: f64,
    /// R: bytes of memory for URL checks on a node.
    pub ram_bytes: f64,
    /// D: bytes of disk for DRUM's buckets on a node.
    pub bucket_bytes: f64,
    /// M: bytes of buffer for each open bucket.
    pub buffer_bytes: f64,
    /// Bytes a second that a node's disks read or write.
    pub disk_bytes_per_s: f64,
    /// Share of that for URL checks (§IV-E).
    pub disk_share: f64,
    /// Bits a second of a node's network, each way.
    pub net_bits_per_s: f64,
    /// Share of processor, network and disk that is planned with; the rest is for nights, peaks and dead nodes.
    pub load: f64,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            pages: 10e9,
            days: 5.0,
            links: 116.0,
            unique: 1.0 / 9.0,
            misses: irlbot::TABLE_VI_MISSES,
            url_bytes: 110.0,
            key_bytes: 8.0,
            seen: 0.0,
            page_bytes: 42e3,
            page_decoded_bytes: 243.5e3,
            record_bytes: 2e3,
            row_bytes: 2.5e3,
            request_bytes: 237.0,
            pages_per_host: 54.3,
            pages_per_domain: 189.0,
            mean_budget: 11.0,
            lookups_per_page: 0.0408,
            robots_bytes: 2_160.0,
            host_delay_s: 1.0,
            response_s: 0.5,
            cores: 16.0,
            cpu_ms_per_page: 1.1,
            cache_checks_per_s: 50e6,
            ram_bytes: 8e9,
            bucket_bytes: 1e12,
            buffer_bytes: irlbot::BUFFER_BYTES,
            disk_bytes_per_s: 1e9,
            disk_share: 0.15,
            net_bits_per_s: 10e9,
            load: 0.7,
        }
    }
}

/// Inputs that no crawl can have; the caller's fault.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum InputError {
    /// Not a number above zero.
    #[error("{name} is {}; it must be a number above 0", in_digits(*value))]
    NotPositive {
        /// Field of [`Inputs`].
        name: &'static str,
        /// What it holds.
        value: f64,
    },
    /// A share above one.
    #[error("{name} is {}; a share is at most 1", in_digits(*value))]
    NotAShare {
        /// Field of [`Inputs`].
        name: &'static str,
        /// What it holds.
        value: f64,
    },
    /// Theorem 2 holds from 2Δ(1 + P/H) bytes of memory on.
    #[error("ram_bytes is {ram_bytes}; the disk is read sequentially from {least} on (Theorem 2)")]
    TooLittleMemory {
        /// What was asked for.
        ram_bytes: f64,
        /// The least that serves.
        least: f64,
    },
    /// The crawl would not find `pages` pages.
    #[error("a page gives {new_urls:.2} new URLs (links × unique); below 1 the crawl runs out of pages")]
    RunsDry {
        /// L = l·p.
        new_urls: f64,
    },
    /// No number of nodes in [`crate::limits::NODES_MAX`] keeps up.
    #[error(
        "even {} nodes do not keep up with {} pages a second", crate::limits::NODES_MAX, in_digits(pages_per_s.round())
    )]
    TooFast {
        /// S.
        pages_per_s: f64,
    },
}

/// A number of 300 digits says less than its power of ten.
pub fn in_digits(value: f64) -> String {
    if value.abs() < DIGITS_BELOW { value.to_string() } else { format!("{value:e}") }
}

/// Beyond it the digits of a double are not all meant.
pub(crate) const DIGITS_BELOW: f64 = 1e16;

/// Δ: bytes that are read at once from a bucket (§IV-D).
const READ_BYTES: f64 = 32e6;
/// P: bytes of a pointer in memory.
const POINTER_BYTES: f64 = 4.0;
const SECONDS_PER_DAY: f64 = 86_400.0;

impl Inputs {
    /// Whether a crawl could have these inputs.
    pub fn check(&self) -> Result<(), InputError> {
        for (name, value) in self.positive() {
            if !(value.is_finite() && value > 0.0) {
                return Err(InputError::NotPositive { name, value });
            }
        }
        for (name, value) in self.shares() {
            if value > 1.0 {
                return Err(InputError::NotAShare { name, value });
            }
        }
        let least = 2.0 * READ_BYTES * (1.0 + POINTER_BYTES / self.key_bytes);
        if self.ram_bytes < least {
            return Err(InputError::TooLittleMemory { ram_bytes: self.ram_bytes, least });
        }
        let new_urls = self.new_urls();
        if new_urls < 1.0 { Err(InputError::RunsDry { new_urls }) } else { Ok(()) }
    }

    /// S = N over the time.
    pub fn pages_per_s(&self) -> f64 {
        self.pages / (self.days * SECONDS_PER_DAY)
    }

    /// L = l·p: new URLs a page. The cache takes only links that are not new, so π has no part in it.
    pub fn new_urls(&self) -> f64 {
        self.links * self.unique
    }

    /// What a node out of `nodes` checks on disk: πn/m URLs, of which the new ones are as many as before the cache.
    pub(crate) fn stream(&self, nodes: f64) -> Stream {
        Stream {
            seen: self.seen / nodes,
            unique: (self.unique / self.misses).min(1.0),
            url_bytes: self.url_bytes,
            hash_bytes: self.key_bytes,
            pointer_bytes: POINTER_BYTES,
        }
    }

    /// Memory and disk of a node's checks.
    pub(crate) fn drum_space(&self) -> DrumSpace {
        DrumSpace { ram: self.ram_bytes, disk: self.bucket_bytes, buffer: self.buffer_bytes }
    }

    /// The crawl under budgets.
    pub(crate) fn budgets(&self) -> Budgets {
        Budgets {
            pages_per_s: self.pages_per_s(),
            url_bytes: self.url_bytes,
            new_urls: self.new_urls(),
            mean_budget: self.mean_budget,
            domains: self.pages / self.pages_per_domain,
        }
    }

    fn positive(&self) -> Vec<(&'static str, f64)> {
        let quantities = [
            ("pages", self.pages),
            ("days", self.days),
            ("links", self.links),
            ("url_bytes", self.url_bytes),
            ("key_bytes", self.key_bytes),
            ("page_bytes", self.page_bytes),
            ("page_decoded_bytes", self.page_decoded_bytes),
            ("record_bytes", self.record_bytes),
            ("row_bytes", self.row_bytes),
            ("request_bytes", self.request_bytes),
            ("pages_per_host", self.pages_per_host),
            ("pages_per_domain", self.pages_per_domain),
            ("mean_budget", self.mean_budget),
            ("lookups_per_page", self.lookups_per_page),
            ("robots_bytes", self.robots_bytes),
            ("host_delay_s", self.host_delay_s),
            ("response_s", self.response_s),
            ("cores", self.cores),
            ("cpu_ms_per_page", self.cpu_ms_per_page),
            ("cache_checks_per_s", self.cache_checks_per_s),
            ("ram_bytes", self.ram_bytes),
            ("bucket_bytes", self.bucket_bytes),
            ("buffer_bytes", self.buffer_bytes),
            ("disk_bytes_per_s", self.disk_bytes_per_s),
            ("net_bits_per_s", self.net_bits_per_s),
            ("seen + 1", self.seen + 1.0),
        ];
        quantities.into_iter().chain(self.shares()).collect()
    }

    fn shares(&self) -> [(&'static str, f64); 4] {
        [
            ("unique", self.unique),
            ("misses", self.misses),
            ("disk_share", self.disk_share),
            ("load", self.load),
        ]
    }
}
