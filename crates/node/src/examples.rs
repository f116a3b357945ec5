//! What tests need of everything.

use crate::executor::{Message, Report};
use crate::{Lookback, NodeConfig, Witnessed};
use archive::{ArchiveConfig, Body, Capture, Location};
use corpus::CorpusLimits;
use crawler::{
    BudgetFunction, CaptureSeq, CrawlConfig, DelayPolicy, FrontierConfig, FrontierMemory, Kind, Operator,
    PageText, ParseJob, Paths, Placement, Retention, RetryPolicy, Rules, SeedBudgets, Source, Star, Wants,
};
use crossbeam_channel::{Receiver, bounded};
use fetch::FetchConfig;
use std::net::Ipv4Addr;
use std::sync::Arc;
use stdx::WallTime;
use weburl::{Folding, Scope, ScopeRules};

/// Somebody who reports, and what the loop would hear.
pub(crate) fn report() -> (Report, Receiver<Message>) {
    let (sender, messages) = bounded(8);
    (Report::new(sender), messages)
}

/// A small node, which nobody answers for names.
pub(crate) fn config() -> NodeConfig {
    let nobody = (Ipv4Addr::LOCALHOST, 9).into();
    NodeConfig {
        crawl: crawl_config(),
        fetch: FetchConfig { dns: vec![nobody], ..FetchConfig::new("drumlin-test/0") },
        archive: ArchiveConfig::new("test", "here", 1, weburl::surt),
        lookback: Lookback::None,
        corpus: CorpusLimits::default(),
        fetch_cores: 1,
        parsers: 1,
        body_bytes: 1 << 20,
        held_body_bytes: 1 << 20,
        low_disk_bytes: 0,
        witnessed: Witnessed::default(),
    }
}

pub(crate) fn crawl_config() -> CrawlConfig {
    let memory = FrontierMemory {
        resident_bytes: 256 << 10,
        buffer_bytes: 8 << 10,
        bucket_bytes: 1 << 20,
        recent_keys: 1 << 10,
    };
    CrawlConfig {
        frontier: FrontierConfig {
            delay: DelayPolicy::default(),
            retry: RetryPolicy::default(),
            seed: 1,
            memory,
            paths: Paths::Any,
            star: Star { function: BudgetFunction::default(), seeds: SeedBudgets::Unlimited },
        },
        server_delay_ms: 250,
        server_floor_ms: 100,
        groups: Arc::default(),
        concurrency: 4,
        depth: None,
        limit: None,
        size_limit: None,
        time_limit_ms: None,
        patience_ms: 0,
        body_bytes: 1 << 20,
        fetch_ms: 1_000,
        parse_bytes: 1 << 20,
        text: PageText::Visible,
        link_bytes: 1 << 20,
        young_bytes: 1 << 20,
        parses: 4,
        unparsed: 16,
        checkpoint_bytes: 1 << 20,
        sitemaps: false,
        preference_files: false,
        keeps_cookies: false,
        retention: Retention::Keep,
        agent: "drumlin-test".to_owned(),
        operator: Operator::Named,
        rules: Arc::new(Rules { scope: ScopeRules::new(Scope::Any), folding: Folding::ALL, seed: 1 }),
        placement: Placement::alone(),
    }
}

/// A page that says nothing.
pub(crate) fn capture(url: &str) -> Capture {
    Capture {
        url: url.to_owned(),
        started: WallTime::default(),
        elapsed_ms: 40,
        address: Ipv4Addr::LOCALHOST.into(),
        protocols: vec!["http/1.1".to_owned()],
        cipher_suite: None,
        handshake: None,
        request_head: b"GET / HTTP/1.1\r\n\r\n".as_slice().into(),
        response_head: b"HTTP/1.1 200 OK\r\n\r\n".as_slice().into(),
        status: 200,
        body: Body::default(),
        truncated: None,
        cut_because: None,
        usage: None,
        unchanged: None,
    }
}

/// To parse a page for everything.
pub(crate) fn job() -> ParseJob {
    ParseJob {
        capture: CaptureSeq(7),
        source: Source::Stored,
        location: Location { serial: 1, offset: 0, length: 100, response_offset: 0, response_length: 100 },
        kind: Kind::Page,
        depth: 0,
        hops: 0,
        wants: Wants { links: true, row: true },
        rules: crawl_config().rules,
    }
}
