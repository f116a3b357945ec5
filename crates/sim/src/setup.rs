use archive::ArchiveConfig;
use cluster::{NodeId, Placement};
use corpus::CorpusLimits;
use crawler::{
    BudgetFunction, CrawlConfig, DelayPolicy, FrontierConfig, FrontierMemory, Operator, PageText, Paths,
    Retention, RetryPolicy, Rules, SeedBudgets, Star,
};
use simweb::{Web, WebConfig};
use std::sync::Arc;
use weburl::{Folding, Scope, ScopeRules, Url};

/// A web and where to begin in it.
#[derive(Debug, Clone)]
pub struct Site {
    /// The web.
    pub web: Arc<Web>,
    /// Where the crawl begins.
    pub seeds: Vec<Url>,
}

impl Site {
    /// A web and the roots of its first `seeds` domains.
    pub fn new(config: WebConfig, seeds: u32) -> Self {
        let web = Arc::new(Web::new(config));
        let parse = |url: &String| Url::parse(url).expect("simweb's URLs are URLs");
        let seeds = web.seeds(seeds).iter().map(parse).collect();
        Self { web, seeds }
    }
}

/// Of files of shards that are not durable yet none stays in memory, or some, or all.
const YOUNG_BYTES: [u64; 3] = [0, 16 << 10, 1 << 20];

/// Memory of a shard in which a small crawl never evicts.
const ROOMY: FrontierMemory = FrontierMemory {
    resident_bytes: 256 << 10,
    buffer_bytes: 8 << 10,
    bucket_bytes: 1 << 20,
    recent_keys: 1 << 10,
};

/// What a simulated crawl is told: the machine's configuration and the archive's.
#[derive(Debug, Clone)]
pub struct Setup {
    /// For the machine.
    pub crawl: CrawlConfig,
    /// For the archive.
    pub archive: ArchiveConfig,
    /// For the corpus.
    pub corpus: CorpusLimits,
    /// Bytes of a file of `crawl.log`.
    pub log_file_bytes: u64,
    /// Virtual time of what the machine asks for, but for requests.
    pub times: Times,
}

/// How long things take, in virtual milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// A look-up of a name.
    pub lookup_ms: u64,
    /// What makes the files of a checkpoint durable.
    pub sync_ms: u64,
    /// A group commit, a checkpoint, a reading in the journal.
    pub commit_ms: u64,
    /// A parse.
    pub parse_ms: u64,
    /// A shard's job.
    pub work_ms: u64,
}

impl Times {
    /// A small crawl on a disk that is quick.
    pub const QUICK: Self = Self { lookup_ms: 8, sync_ms: 4, commit_ms: 3, parse_ms: 1, work_ms: 5 };
}

impl Setup {
    /// The defaults of the program, over `scope` of the site's seeds; in small files and with frequent checkpoints, so
    /// that every kind of disk call is met, and more patient, so that what fails at times is got through.
    pub fn new(site: &Site, scope: Scope, seed: u64) -> Self {
        let retry = RetryPolicy {
            base_ms: 2_000,
            overload_ms: 5_000,
            max_ms: 60_000,
            attempts: 12,
            ..RetryPolicy::default()
        };
        let archive = ArchiveConfig {
            max_file_bytes: 256 << 10,
            max_segment_bytes: 64 << 10,
            ..ArchiveConfig::new("sim", "sim", seed, weburl::surt)
        };
        let small = CorpusLimits { row_group_rows: 16, file_rows: 40, ..CorpusLimits::default() };
        Self {
            crawl: CrawlConfig {
                frontier: FrontierConfig {
                    delay: DelayPolicy::default(),
                    retry,
                    seed,
                    memory: ROOMY,
                    paths: Paths::Any,
                    star: Star { function: BudgetFunction::default(), seeds: SeedBudgets::Unlimited },
                },
                server_delay_ms: 250,
                server_floor_ms: 100,
                groups: Arc::default(),
                concurrency: 64,
                depth: None,
                limit: None,
                size_limit: None,
                time_limit_ms: None,
                patience_ms: 600_000,
                body_bytes: 16 << 20,
                fetch_ms: 60_000,
                parse_bytes: 2 << 20,
                text: PageText::Visible,
                link_bytes: 16 << 20,
                young_bytes: YOUNG_BYTES[(seed % 3) as usize],
                parses: 64,
                unparsed: crawler::limits::UNPARSED_CAPTURES,
                checkpoint_bytes: 32 << 10,
                sitemaps: true,
                preference_files: false,
                keeps_cookies: seed.is_multiple_of(2),
                retention: Retention::Keep,
                agent: "drumlin".to_owned(),
                operator: Operator::Named,
                rules: rules(site, scope, seed),
                placement: Placement::alone(),
            },
            archive,
            corpus: small,
            // So few that files fill in every life that is not short.
            log_file_bytes: 8 << 10,
            times: Times::QUICK,
        }
    }

    /// The same over another scope of the site's seeds.
    #[must_use]
    pub fn over(mut self, site: &Site, scope: Scope) -> Self {
        self.crawl.rules = rules(site, scope, self.crawl.rules.seed);
        self
    }

    /// The same for one of several nodes.
    #[must_use]
    pub fn on(mut self, me: NodeId, nodes: &[NodeId]) -> Self {
        self.crawl.placement = Placement::new(me, nodes).expect("one of them");
        self.archive.host = format!("node{}", me.0);
        self.archive.seed ^= u64::from(me.0) << 32;
        self
    }
}

fn rules(site: &Site, scope: Scope, seed: u64) -> Arc<Rules> {
    let mut rules = ScopeRules::new(scope);
    site.seeds.iter().for_each(|seed| rules.add_seed(seed));
    Arc::new(Rules { scope: rules, folding: Folding::ALL, seed })
}
