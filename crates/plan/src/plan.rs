use crate::inputs::{InputError, Inputs};
use crate::irlbot::COMPRESSED_URL_BYTES;
use crate::nodes::{Bounds, checked_pages_per_s, checks_per_node, processor_pages_per_s};
use crate::urlseen::{alpha_drum, alpha_drum_least, alpha_mercator_b, alpha_polybot};
use crate::{bloom, budget};
use serde::Serialize;

/// What a crawl takes. Totals are of the whole crawl, rates of its mean; per-node figures are of one node out of
/// `nodes`. Prints as a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// What it was computed from.
    pub inputs: Inputs,
    /// Nodes that satisfy every bound.
    pub nodes: u64,
    /// What the nodes are for.
    pub bounds: Bounds,
    /// How fast.
    pub rate: Rate,
    /// On the wire.
    pub network: Network,
    /// What is left behind.
    pub storage: Storage,
    /// Hosts, domains, robots and look-ups.
    pub names: Names,
    /// Queues and seen-set.
    pub frontier: Frontier,
    /// URL checks on one node.
    pub checks: Checks,
}

/// Rates of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// S.
    pub pages_per_s: f64,
    /// S·l: links that pages give.
    pub links_per_s: f64,
    /// S·l·π: links that are checked on disk.
    pub disk_checks_per_s: f64,
    /// Connections open at a time: S times the response time (Little's law).
    pub connections: f64,
    /// Hosts that must have something due at any time: S times response and delay. With fewer, politeness is what
    /// limits the crawl.
    pub hosts_busy: f64,
    /// Pages a second of one node by its processor (Theorem 4).
    pub processor_pages_per_s_per_node: f64,
}

/// Rates on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Network {
    /// Pages and robots.txt in.
    pub in_bits_per_s: f64,
    /// Requests out.
    pub out_bits_per_s: f64,
    /// What the parser sees.
    pub decoded_bytes_per_s: f64,
    /// Links that go from one node to another, after the cache: S·l·π·(1 − 1/m).
    pub exchanged_links_per_s: f64,
    /// The same in bytes, before compression.
    pub exchanged_bytes_per_s: f64,
    /// The same, in and out of one node.
    pub exchanged_bits_per_s_per_node: f64,
}

/// What the crawl leaves on disk.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Storage {
    /// WARC files.
    pub archive_bytes: f64,
    /// Parquet files.
    pub corpus_bytes: f64,
    /// Both, as they are written.
    pub written_bytes_per_s: f64,
}

/// Hosts and what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Names {
    /// Hosts contacted.
    pub hosts: f64,
    /// Pay-level domains contacted.
    pub domains: f64,
    /// Name look-ups that leave the crawler.
    pub lookups_per_s: f64,
    /// One robots.txt a host; long crawls of a host need one a day.
    pub robots_per_s: f64,
}

/// The frontier at the end of the crawl.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Frontier {
    /// L: new URLs a page.
    pub new_urls_per_page: f64,
    /// N·L and those known before.
    pub seen_urls: f64,
    /// Keys of the seen-set, uncompressed.
    pub seen_bytes: f64,
    /// A Bloom filter of the same URLs at 1 %, in memory, which would lose one page in a hundred.
    pub bloom_bytes: f64,
    /// N·(L − 1): found and not fetched.
    pub pending_urls: f64,
    /// The same in queues, uncompressed.
    pub pending_bytes: f64,
    /// Disk traffic of deferred URLs under BEAST (Theorem 7).
    pub beast_bytes_per_s: f64,
    /// The same if all deferred URLs were read at each pass (Theorem 6).
    pub naive_bytes_per_s: f64,
    /// Queues of the last stage (31).
    pub beast_queues: u64,
}

/// URL checks on one node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Checks {
    /// n: URLs that the node checks on disk in the whole crawl.
    pub urls: f64,
    /// α of each method: disk bytes moved for each byte of URL checked.
    pub alpha: Overheads,
    /// Pages a second that each method allows the node (Theorem 3).
    pub pages_per_s: Overheads,
    /// α″min, which no method with uncompressed URLs on disk goes below.
    pub alpha_least: f64,
}

/// A figure for each method of §IV.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Overheads {
    /// Theorem 1, (1).
    pub mercator_b: f64,
    /// Theorem 1, (2).
    pub polybot: f64,
    /// Theorem 2.
    pub drum: f64,
}

impl Plan {
    /// Plans the crawl; an error names the input that no crawl can have.
    pub fn of(inputs: &Inputs) -> Result<Self, InputError> {
        inputs.check()?;
        let (names, storage, frontier) = (Names::of(inputs), Storage::of(inputs), Frontier::of(inputs));
        let in_bits_per_s = received_bits_per_s(inputs, &names);
        let disk = storage.written_bytes_per_s + frontier.beast_bytes_per_s;
        let bounds = Bounds::of(inputs, in_bits_per_s, disk)?;
        let nodes = bounds.nodes();
        Ok(Self {
            inputs: *inputs,
            nodes,
            bounds,
            rate: Rate::of(inputs),
            network: Network::of(inputs, in_bits_per_s, nodes as f64),
            storage,
            names,
            frontier,
            checks: Checks::of(inputs, nodes as f64),
        })
    }
}

fn received_bits_per_s(inputs: &Inputs, names: &Names) -> f64 {
    8.0 * (inputs.pages_per_s() * inputs.page_bytes + names.robots_per_s * inputs.robots_bytes)
}

impl Rate {
    fn of(inputs: &Inputs) -> Self {
        let pages_per_s = inputs.pages_per_s();
        Self {
            pages_per_s,
            links_per_s: pages_per_s * inputs.links,
            disk_checks_per_s: pages_per_s * inputs.links * inputs.misses,
            connections: pages_per_s * inputs.response_s,
            hosts_busy: pages_per_s * (inputs.response_s + inputs.host_delay_s),
            processor_pages_per_s_per_node: processor_pages_per_s(inputs),
        }
    }
}

impl Network {
    fn of(inputs: &Inputs, in_bits_per_s: f64, nodes: f64) -> Self {
        let pages_per_s = inputs.pages_per_s();
        let exchanged_links_per_s = pages_per_s * inputs.links * inputs.misses * (1.0 - 1.0 / nodes);
        let exchanged_bytes_per_s = exchanged_links_per_s * inputs.url_bytes;
        Self {
            in_bits_per_s,
            out_bits_per_s: 8.0 * pages_per_s * inputs.request_bytes,
            decoded_bytes_per_s: pages_per_s * inputs.page_decoded_bytes,
            exchanged_links_per_s,
            exchanged_bytes_per_s,
            exchanged_bits_per_s_per_node: 8.0 * exchanged_bytes_per_s / nodes,
        }
    }
}

impl Storage {
    fn of(inputs: &Inputs) -> Self {
        let archived = inputs.page_bytes + inputs.record_bytes;
        Self {
            archive_bytes: inputs.pages * archived,
            corpus_bytes: inputs.pages * inputs.row_bytes,
            written_bytes_per_s: inputs.pages_per_s() * (archived + inputs.row_bytes),
        }
    }
}

impl Names {
    fn of(inputs: &Inputs) -> Self {
        let pages_per_s = inputs.pages_per_s();
        Self {
            hosts: inputs.pages / inputs.pages_per_host,
            domains: inputs.pages / inputs.pages_per_domain,
            lookups_per_s: pages_per_s * inputs.lookups_per_page,
            robots_per_s: pages_per_s / inputs.pages_per_host,
        }
    }
}

/// The share of new pages that the Bloom filter of the comparison would take for old.
const BLOOM_FALSE_POSITIVES: f64 = 0.01;

impl Frontier {
    fn of(inputs: &Inputs) -> Self {
        let budgets = inputs.budgets();
        let new_urls_per_page = inputs.new_urls();
        let seen_urls = inputs.seen + inputs.pages * new_urls_per_page;
        let pending_urls = inputs.pages * (new_urls_per_page - 1.0);
        Self {
            new_urls_per_page,
            seen_urls,
            seen_bytes: seen_urls * inputs.key_bytes,
            bloom_bytes: bloom::bytes(seen_urls, BLOOM_FALSE_POSITIVES),
            pending_urls,
            pending_bytes: pending_urls * inputs.url_bytes,
            beast_bytes_per_s: budget::beast_disk_rate(&budgets, inputs.pages),
            naive_bytes_per_s: budget::naive_disk_rate(&budgets, inputs.pages),
            beast_queues: budget::beast_queues(&budgets, inputs.pages),
        }
    }
}

impl Checks {
    fn of(inputs: &Inputs, nodes: f64) -> Self {
        let (stream, urls) = (inputs.stream(nodes), checks_per_node(inputs, nodes));
        let alpha = Overheads {
            mercator_b: alpha_mercator_b(&stream, urls, inputs.ram_bytes),
            polybot: alpha_polybot(&stream, COMPRESSED_URL_BYTES, urls, inputs.ram_bytes),
            drum: alpha_drum(&stream, &inputs.drum_space(), urls),
        };
        let pages_per_s = Overheads {
            mercator_b: checked_pages_per_s(inputs, alpha.mercator_b),
            polybot: checked_pages_per_s(inputs, alpha.polybot),
            drum: checked_pages_per_s(inputs, alpha.drum),
        };
        Self { urls, alpha, pages_per_s, alpha_least: alpha_drum_least(&stream) }
    }
}
