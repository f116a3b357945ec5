use crate::PageText;
use crate::limits::SITEMAP_BODY_BYTES;
use crate::shards::FRONTIER_DIR;
use cluster::Placement;
use disk::{Nursery, SharedDisk};
use frontier::{FrontierConfig, NamedGroups};
use std::path::Path;
use std::sync::Arc;
use weburl::{Folding, Key, KeyHash, ScopeRules, Shard, Url};

/// What the machine is told once, as plain values; the program has validated them.
#[derive(Debug, Clone)]
pub struct CrawlConfig {
    /// Delays, retries, budgets, memory. Whether shorter paths count follows from [`CrawlConfig::depth`], not from here.
    pub frontier: FrontierConfig,
    /// Between two contacts with one server address.
    pub server_delay_ms: u64,
    /// The least a public server address is given.
    pub server_floor_ms: u64,
    /// Hosts that the operator has put under one clock, whatever their domains.
    pub groups: Arc<NamedGroups>,
    /// Requests and look-ups under way at once.
    pub concurrency: usize,
    /// Links from the seeds to follow; `None` for all.
    pub depth: Option<u32>,
    /// Pages to fetch, exactly.
    pub limit: Option<u64>,
    /// Body bytes after which no further page is begun.
    pub size_limit: Option<u64>,
    /// Time of this run after which no further page is begun.
    pub time_limit_ms: Option<u64>,
    /// When nothing is due within this, the crawl saves and exits.
    pub patience_ms: u64,
    /// Body bytes kept of one response.
    pub body_bytes: u64,
    /// Time one response may take.
    pub fetch_ms: u64,
    /// Decoded bytes of one page that are parsed.
    pub parse_bytes: u64,
    /// What of an HTML page becomes the text of its row.
    pub text: PageText,
    /// Bytes of URLs taken from one page or sitemap. While more than that waits for the journal, nothing is parsed.
    pub link_bytes: u64,
    /// Memory for files of shards that are not durable yet; see [`CrawlConfig::nursery`].
    pub young_bytes: u64,
    /// Captures with the parsers at once; what each gives may wait.
    pub parses: usize,
    /// Captures of this run that no parser has yet before nothing is fetched: at most [`crate::limits::UNPARSED_CAPTURES`]. What they hold in
    /// memory is their heads; bodies are under the credit.
    pub unparsed: usize,
    /// A checkpoint is due when this much has been journaled since the last one, or as much as that one weighed;
    /// [`crate::limits::CHECKPOINT_BYTES`] but for tests.
    pub checkpoint_bytes: u64,
    /// Whether sitemaps named by robots.txt are fetched.
    pub sitemaps: bool,
    /// Whether the files are fetched in which a host says what its pages may be used for.
    pub preference_files: bool,
    /// Whether cookies are kept, so that a redirect to itself that sets one may lead on.
    pub keeps_cookies: bool,
    /// What becomes of captures from which everything has been derived.
    pub retention: Retention,
    /// The product token of our user agent, as robots.txt names it.
    pub agent: String,
    /// Whether owners of servers can find out whom to write to.
    pub operator: Operator,
    /// What the crawl is about and how URLs are told apart.
    pub rules: Arc<Rules>,
    /// Which nodes there are, and which of them this is.
    pub placement: Placement,
}

/// What becomes of captures from which everything has been derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// They stay.
    Keep,
    /// Their WARC files go, once a checkpoint says that links and rows are durable. Not under a depth limit, where a
    /// shorter path makes a capture worth reading again.
    Expire,
}

/// Whether owners of servers can find out whom to write to. A crawl of more than one registrable domain must say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// The user agent names somebody.
    Named,
    /// It names nobody.
    Nameless,
}

/// What the crawl is about and how URLs are told apart; shared with the parsers.
#[derive(Debug)]
pub struct Rules {
    /// Scope, inclusions, exclusions.
    pub scope: ScopeRules,
    /// What counts as the same URL.
    pub folding: Folding,
    /// The crawl's seed: identities and shards follow from it.
    pub seed: u64,
}

impl CrawlConfig {
    /// What the machine and the archive of one run are to be given as their disk, both the same: `disk`, to which files of shards come
    /// when a checkpoint names them. Most that their jobs write is gone by then.
    pub fn nursery(&self, disk: SharedDisk) -> SharedDisk {
        Arc::new(Nursery::new(disk, Path::new(FRONTIER_DIR), self.young_bytes))
    }

    /// Bytes of a sitemap, as received and decoded.
    pub(crate) fn sitemap_bytes(&self) -> u64 {
        self.body_bytes.max(SITEMAP_BODY_BYTES)
    }

    /// Tells one set of rules from another: when it changes between runs, what waits is judged anew and the links of
    /// everything archived are derived again.
    pub(crate) fn fingerprint(&self) -> u64 {
        let depth = self.depth.map_or(u64::MAX, u64::from);
        let files = u64::from(!self.sitemaps) | u64::from(self.preference_files) << 1;
        let (depth, files) =
            (depth.wrapping_mul(0x9E37_79B9_7F4A_7C15), files.wrapping_mul(0xC2B2_AE3D_27D4_EB4F));
        self.rules.scope.fingerprint() ^ depth ^ files
    }
}

impl Rules {
    /// A URL's identity.
    pub fn key(&self, url: &Url) -> KeyHash {
        Key::of(url, &self.folding).hash(self.seed)
    }

    /// The same, put together in `room`.
    pub(crate) fn key_in(&self, url: &Url, room: &mut String) -> KeyHash {
        Key::hash_of(url, &self.folding, self.seed, room)
    }

    /// The shard that owns a host.
    pub fn shard(&self, host: &str) -> u8 {
        Shard::of(host, self.seed).0
    }
}
