//! The configuration as plain values for the crates that do the work.

use crate::config::{Config, Signing};
use crate::exit::BadUsage;
use crate::open_files::Needs;
use crate::shares::{NetworkCaches, Shares};
use archive::ArchiveConfig;
use archive::limits::INDEX_BYTES;
use corpus::CorpusLimits;
use crawler::limits::CHECKPOINT_BYTES;
use crawler::{
    BudgetFunction, CrawlConfig, DelayPolicy, FrontierConfig, Operator, Paths, Placement, Promise, Reach,
    Retention, Rules, SeedBudgets, Star, Stop,
};
use fetch::{Cookies, FetchConfig, Fetcher, Limits, Signer, SigningKey, Sources, system_upstreams};
use node::{Lookback, NodeConfig, Witnessed};
use std::fs;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Scope, ScopeRules};

/// The least a public host is given between two contacts, in milliseconds.
pub(crate) const HOST_FLOOR_MS: u64 = 500;
/// The least a public server address is given.
pub(crate) const SERVER_FLOOR_MS: u64 = 100;

/// First part of WARC file names.
const WARC_PREFIX: &str = "drumlin";

/// URLs of one page or sitemap: 50,000 of 80 bytes, four times what large book indexes have.
const LINK_BYTES: u64 = 4 << 20;

/// A parser has one capture in hand and others that wait, so that it never does.
const PARSES_EACH: usize = 4;

/// A longer body goes to disk: hardly one page in a thousand.
const HELD_BODY_BYTES: usize = 1 << 20;

/// A corpus file is closed at this size or this many rows: what a crash leaves to be parsed again is at most one file.
const CORPUS_FILE_BYTES: u64 = 128 << 20;
const CORPUS_FILE_ROWS: u64 = 25_000;

/// One of them for so many bytes of the memory, where that is less: until the file is closed, each takes 120, and as many
/// while a checkpoint is written.
const BYTES_PER_ROW: u64 = 8 << 10;

/// What the node is told.
pub(crate) fn node_config(config: &Config, scope: ScopeRules) -> anyhow::Result<NodeConfig> {
    Ok(NodeConfig {
        crawl: crawl_config(config, scope),
        fetch: fetch_config(config)?,
        archive: archive_config(config),
        lookback: if config.earlier.is_some() { Lookback::Earlier } else { Lookback::None },
        corpus: corpus_limits(config),
        fetch_cores: fetch_cores(),
        parsers: parsers(config),
        body_bytes: Shares::of(config.memory).bodies,
        held_body_bytes: HELD_BODY_BYTES,
        low_disk_bytes: config.low_disk,
        witnessed: Witnessed::default(),
    })
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

fn parsers(config: &Config) -> usize {
    Shares::of(config.memory).parsers(threads().div_ceil(2))
}

fn fetch_cores() -> usize {
    threads().div_ceil(4)
}

/// What the crawl has open at once.
pub(crate) fn open_files(config: &Config) -> Needs {
    let limits = fetch_limits(config);
    Needs {
        requests: config.concurrency,
        files_a_request: if config.earlier.is_some() { 3 } else { 2 },
        cores: fetch_cores(),
        idle_a_core: limits.idle_connections,
        lookups_a_core: limits.concurrent_lookups * upstreams(config).len(),
    }
}

fn crawl_config(config: &Config, scope: ScopeRules) -> CrawlConfig {
    CrawlConfig {
        frontier: FrontierConfig {
            delay: delays(config),
            retry: config.retry,
            seed: config.seed,
            memory: Shares::of(config.memory).of_a_shard(),
            paths: Paths::Any,
            star: star(config),
        },
        server_delay_ms: config.ip_delay_ms,
        server_floor_ms: SERVER_FLOOR_MS,
        groups: Arc::new(config.groups.clone()),
        concurrency: config.concurrency,
        depth: config.depth,
        limit: config.limit,
        size_limit: config.size_limit,
        time_limit_ms: config.time_limit_ms,
        patience_ms: config.patience_ms,
        body_bytes: config.body_bytes,
        fetch_ms: config.fetch_ms,
        parse_bytes: config.parse_bytes,
        text: config.text,
        link_bytes: LINK_BYTES.min(Shares::of(config.memory).links),
        young_bytes: Shares::of(config.memory).young,
        parses: parsers(config) * PARSES_EACH,
        unparsed: Shares::of(config.memory).unparsed(),
        checkpoint_bytes: CHECKPOINT_BYTES,
        sitemaps: config.sitemaps,
        preference_files: config.preference_files,
        keeps_cookies: config.keeps_cookies,
        retention: config.retention,
        agent: config.identity.token.clone(),
        operator: if config.identity.contact.is_some() { Operator::Named } else { Operator::Nameless },
        rules: Arc::new(Rules { scope, folding: config.folding, seed: config.seed }),
        placement: Placement::alone(),
    }
}

fn delays(config: &Config) -> DelayPolicy {
    DelayPolicy {
        host_ms: config.delay_ms,
        host_floor_ms: HOST_FLOOR_MS,
        group_ms: config.domain_delay_ms,
        stranger_factor: config.stranger_factor,
    }
}

/// What a run by this configuration promises to servers.
pub(crate) fn promise(config: &Config) -> Promise {
    Promise {
        began: Timestamp::ZERO,
        stop: Stop::Clean,
        delay: delays(config),
        server_ms: config.ip_delay_ms,
        server_floor_ms: SERVER_FLOOR_MS,
        overload_ms: config.retry.overload_wait_ms(1, None, Reach::Allowed),
        fetch_ms: config.fetch_ms,
        agent: config.identity.token.clone(),
    }
}

/// Only a crawl of the whole web measures its seeds as it measures everybody: any other is about them.
fn star(config: &Config) -> Star {
    let seeds = if config.scope == Scope::Any { SeedBudgets::Earned } else { SeedBudgets::Unlimited };
    Star { function: BudgetFunction::default(), seeds }
}

/// Whether the network side can be set up; contacts nobody.
pub(crate) fn check_network(config: &Config) -> Result<(), BadUsage> {
    Fetcher::new(fetch_config(config)?).map(drop).map_err(|error| BadUsage(error.to_string()))
}

/// Whether connections can leave from the addresses that are named: whether they are this machine's.
pub(crate) fn check_sources(config: &Config) -> Result<(), BadUsage> {
    let Sources::Only { v4, v6 } = config.route.sources else { return Ok(()) };
    let named = [v4.map(IpAddr::V4), v6.map(IpAddr::V6)];
    named.into_iter().flatten().try_for_each(|address| {
        TcpListener::bind((address, 0)).map(drop).map_err(|error| {
            BadUsage(format!(
                "--bind: connections cannot leave from {address}, is it this machine's? {error}"
            ))
        })
    })
}

fn read_ca_file(config: &Config) -> Result<Option<Vec<u8>>, BadUsage> {
    let Some(path) = &config.ca_file else { return Ok(None) };
    fs::read(path)
        .map(Some)
        .map_err(|error| BadUsage(format!("cannot read the CA file {}: {error}", path.display())))
}

fn fetch_config(config: &Config) -> Result<FetchConfig, BadUsage> {
    Ok(FetchConfig {
        dns: upstreams(config),
        families: config.families,
        ca_pem: read_ca_file(config)?,
        certificates: config.certificates,
        versions: config.versions,
        route: config.route.clone(),
        policy: config.addresses.clone(),
        kept_types: config.kept_types.clone(),
        limits: fetch_limits(config),
        // The node sets clock and intake, when it has read where the crawl's time stands.
        signer: signer(config)?.map(Arc::new),
        cookies: config.keeps_cookies.then(|| Arc::new(Cookies::new(Shares::of(config.memory).cookies()))),
        ..FetchConfig::new(config.identity.user_agent.clone())
    })
}

/// Who signs requests, where somebody is to.
pub(crate) fn signer(config: &Config) -> Result<Option<Signer>, BadUsage> {
    let Some(Signing { key, agent }) = &config.signing else { return Ok(None) };
    let key = read_key(key).map_err(|BadUsage(why)| BadUsage(format!("[signature] key: {why}")))?;
    let signer = Signer::new(key, agent);
    signer.map(Some).map_err(|error| BadUsage(format!("[signature] agent: {error}")))
}

/// A private key, by the name of its file.
pub(crate) fn read_key(path: &Path) -> Result<SigningKey, BadUsage> {
    let name = path.display();
    let pem = fs::read(path).map_err(|error| BadUsage(format!("cannot read the key {name}: {error}")))?;
    SigningKey::from_pem(&pem).map_err(|error| BadUsage(format!("{name}: {error}")))
}

fn fetch_limits(config: &Config) -> Limits {
    let NetworkCaches { names, tls_session_bytes } = Shares::of(config.memory).of_a_core(fetch_cores());
    let limits = Limits::default();
    let idle_connections = limits.idle_connections.min(config.concurrency);
    Limits { idle_connections, names, tls_session_bytes, ..limits }
}

/// The servers that are asked for names: the system's, where none are named.
fn upstreams(config: &Config) -> Vec<SocketAddr> {
    match config.dns.as_slice() {
        [] => system_upstreams(&fs::read_to_string("/etc/resolv.conf").unwrap_or_default()),
        named => named.to_vec(),
    }
}

fn archive_config(config: &Config) -> ArchiveConfig {
    ArchiveConfig {
        user_agent: config.identity.user_agent.clone(),
        operator: config.identity.contact.clone(),
        index_bytes: INDEX_BYTES.min(Shares::of(config.memory).index as usize),
        payload_bytes: payload_bytes(config),
        process: std::process::id(),
        ..ArchiveConfig::new(WARC_PREFIX, &machine_name(), config.seed, weburl::surt)
    }
}

/// Where captures go one after the other, none may lean on an earlier one.
fn payload_bytes(config: &Config) -> usize {
    match config.retention {
        Retention::Keep => Shares::of(config.memory).payloads as usize,
        Retention::Expire => 0,
    }
}

/// The machine's name, as WARC file names end in it; only for people.
fn machine_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "localhost".to_owned() } else { name.trim().to_owned() }
}

fn corpus_limits(config: &Config) -> CorpusLimits {
    let limits = CorpusLimits::default();
    CorpusLimits {
        row_group_bytes: limits.row_group_bytes.min(Shares::of(config.memory).row_group),
        file_bytes: CORPUS_FILE_BYTES,
        file_rows: CORPUS_FILE_ROWS.min(config.memory / BYTES_PER_ROW),
        ..limits
    }
}
