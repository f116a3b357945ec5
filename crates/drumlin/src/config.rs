//! Settings, checked: one value that the rest of the program can rely on.

mod identity;
mod patterns;
mod route;

#[cfg(test)]
mod tests;

pub(crate) use identity::Identity;

use crate::exit::BadUsage;
use crate::settings::{
    Group, Keeping, LogSettings, PageSettings, RetrySettings, Settings, SignatureSettings, each,
};
use crawler::{NamedGroup, NamedGroups, PageText, Retention, RetryPolicy};
use fetch::{AddressPolicy, Certificates, Families, HttpVersions, KeptTypes, Route};
use logs::limits::{FILE_BYTES_MAX, FILE_BYTES_MIN, FILES_MAX};
use logs::{Bounds, Level};
use regex::Regex;
use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::slice::from_ref;
use weburl::{Folding, Scope};

/// A whole, valid configuration. Durations in milliseconds, sizes in bytes.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) seed: u64,
    pub(crate) identity: Identity,
    pub(crate) scope: Scope,
    pub(crate) depth: Option<u32>,
    pub(crate) limit: Option<u64>,
    pub(crate) size_limit: Option<u64>,
    pub(crate) time_limit_ms: Option<u64>,
    pub(crate) patience_ms: u64,
    pub(crate) delay_ms: u64,
    pub(crate) ip_delay_ms: u64,
    pub(crate) domain_delay_ms: u64,
    pub(crate) stranger_factor: u32,
    pub(crate) groups: NamedGroups,
    pub(crate) concurrency: usize,
    pub(crate) memory: u64,
    pub(crate) low_disk: u64,
    pub(crate) include: Vec<Regex>,
    pub(crate) exclude: Vec<Regex>,
    pub(crate) excluded_hosts: Option<PathBuf>,
    pub(crate) retention: Retention,
    pub(crate) sitemaps: bool,
    pub(crate) preference_files: bool,
    /// Empty for the system's.
    pub(crate) dns: Vec<SocketAddr>,
    pub(crate) ca_file: Option<PathBuf>,
    pub(crate) certificates: Certificates,
    pub(crate) versions: HttpVersions,
    pub(crate) keeps_cookies: bool,
    pub(crate) route: Route,
    pub(crate) families: Families,
    pub(crate) addresses: AddressPolicy,
    pub(crate) retry: RetryPolicy,
    pub(crate) kept_types: KeptTypes,
    pub(crate) body_bytes: u64,
    pub(crate) parse_bytes: u64,
    pub(crate) text: PageText,
    /// The directory of an earlier crawl.
    pub(crate) earlier: Option<PathBuf>,
    pub(crate) fetch_ms: u64,
    pub(crate) folding: Folding,
    pub(crate) signing: Option<Signing>,
    pub(crate) log: Logging,
}

/// What a run writes of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Logging {
    /// Nothing, or what is up to this level.
    pub(crate) level: Option<Level>,
    pub(crate) bounds: Bounds,
}

/// With which key requests are signed, in whose name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signing {
    pub(crate) key: PathBuf,
    pub(crate) agent: String,
}

/// The least memory that a crawl is run with: below it one large page and one row group do not fit together.
pub(crate) const MEMORY_MIN: u64 = 64 << 20;

/// What a request under way is taken to hold, in bytes: a page is 42 KB on the wire and 240 KB decoded on average, and
/// hardly one in a hundred is larger than this.
pub(crate) const REQUEST_BYTES: u64 = 1 << 20;

/// More connections than a process is given ports for.
const CONCURRENCY_MAX: u32 = 50_000;

/// An hour a page at one second a host: whoever wants more wants another crawl.
const STRANGER_FACTOR_MAX: u32 = 3600;

impl Config {
    /// For those who look at a crawl that is there: what only a run needs need not be.
    #[must_use]
    pub(crate) fn at_rest(self) -> Self {
        Self { signing: None, ca_file: None, ..self }
    }

    /// Checks settings that have every default filled in.
    pub(crate) fn new(settings: &Settings) -> Result<Self, BadUsage> {
        let span = |span: Option<crate::settings::Span>| span.map(|span| span.0);
        let page = settings.page.clone().unwrap_or_default();
        let scope = settings.scope.unwrap_or_default();
        Ok(Self {
            seed: seed(settings)?,
            identity: Identity::new(settings.user_agent.as_deref(), settings.contact.as_deref())?,
            scope,
            depth: settings.depth,
            limit: limit("limit", settings.limit, "a number from 1 on")?,
            size_limit: limit("size_limit", settings.size_limit.map(|size| size.0), "a size above 0")?,
            time_limit_ms: limit("time_limit", span(settings.time_limit), "a time above 0")?,
            patience_ms: span(settings.patience).unwrap_or(0),
            delay_ms: span(settings.delay).unwrap_or(0),
            ip_delay_ms: span(settings.ip_delay).unwrap_or(0),
            domain_delay_ms: span(settings.domain_delay).unwrap_or(0),
            stranger_factor: stranger_factor(settings)?,
            groups: groups(settings)?,
            concurrency: concurrency(settings)?,
            memory: memory(settings)?,
            low_disk: settings.low_disk.map_or(0, |size| size.0),
            include: patterns::compile("--include", settings.include.as_deref())?,
            exclude: patterns::compile("--exclude", settings.exclude.as_deref())?,
            excluded_hosts: settings.exclude_hosts.clone(),
            retention: retention(settings)?,
            sitemaps: settings.sitemaps.unwrap_or(settings.depth.is_none() && scope != Scope::Page),
            preference_files: settings.preference_files.unwrap_or(false),
            dns: dns(settings.dns.as_deref())?,
            ca_file: settings.ca_file.clone(),
            certificates: certificates(settings),
            versions: versions(settings),
            keeps_cookies: settings.cookies.unwrap_or(false),
            route: route::route(settings)?,
            families: route::families(settings.bind.as_deref()),
            addresses: addresses(settings)?,
            retry: retry(settings.retry.as_ref())?,
            kept_types: kept_types(&page)?,
            body_bytes: page.body.map_or(0, |size| size.0),
            parse_bytes: parse_bytes(&page)?,
            text: settings.text.unwrap_or_default().into(),
            earlier: settings.earlier.clone(),
            fetch_ms: limit("[page] time", span(page.time), "a time above 0")?.unwrap_or(0),
            folding: settings.folding.unwrap_or_default(),
            signing: signing(settings)?,
            log: logging(settings.log.as_ref())?,
        })
    }
}

fn stranger_factor(settings: &Settings) -> Result<u32, BadUsage> {
    match settings.stranger_factor.unwrap_or(1) {
        factor @ 1..=STRANGER_FACTOR_MAX => Ok(factor),
        other => Err(BadUsage(format!("stranger_factor {other} is not between 1 and {STRANGER_FACTOR_MAX}"))),
    }
}

fn groups(settings: &Settings) -> Result<NamedGroups, BadUsage> {
    let all = settings.groups.as_deref().unwrap_or_default();
    let mut names = BTreeSet::new();
    if let Some(Group { name, .. }) = all.iter().find(|group| !names.insert(&group.name)) {
        return Err(BadUsage(format!(
            "--group: group `{name}` is named twice; write its hosts behind one name"
        )));
    }
    let interval = |group: &Group| group.interval.or(settings.domain_delay).map_or(0, |span| span.0);
    let named = |group: &Group| NamedGroup {
        name: group.name.clone(),
        hosts: group.hosts.clone(),
        interval_ms: interval(group),
    };
    let groups = all.iter().map(named).collect();
    NamedGroups::new(groups).map_err(|error| BadUsage(format!("--group: {error}")))
}

fn retention(settings: &Settings) -> Result<Retention, BadUsage> {
    match (settings.archive, settings.depth) {
        (Some(Keeping::Expire), Some(_)) => Err(BadUsage(
            "--archive expire and --depth exclude each other: a page reached by a shorter path is read again"
                .to_owned(),
        )),
        (Some(Keeping::Expire), None) => Ok(Retention::Expire),
        _ => Ok(Retention::Keep),
    }
}

/// What is drawn from it, and by which a checkpoint is known.
pub(crate) fn seed(settings: &Settings) -> Result<u64, BadUsage> {
    let text = settings.seed.as_deref().unwrap_or_default();
    let is_hexadecimal = text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let seed = u64::from_str_radix(text, 16).ok().filter(|_| is_hexadecimal);
    seed.ok_or_else(|| BadUsage(format!("seed `{text}` is not a number of up to 16 hexadecimal digits")))
}

fn concurrency(settings: &Settings) -> Result<usize, BadUsage> {
    let asked = settings.concurrency.unwrap_or(1);
    if !(1..=CONCURRENCY_MAX).contains(&asked) {
        return Err(BadUsage(format!("concurrency {asked} is not between 1 and {CONCURRENCY_MAX}")));
    }
    let affordable = memory(settings)? / 2 / REQUEST_BYTES;
    Ok((asked as usize).min(affordable as usize))
}

fn memory(settings: &Settings) -> Result<u64, BadUsage> {
    let bytes = settings.memory.map_or(MEMORY_MIN, |size| size.0);
    if bytes < MEMORY_MIN {
        let asked = stdx::format_bytes(bytes);
        return Err(BadUsage(format!("a memory of {asked} is too little; a crawl needs at least 64M")));
    }
    Ok(bytes)
}

/// One is no use without the other.
fn signing(settings: &Settings) -> Result<Option<Signing>, BadUsage> {
    match settings.signature.clone().unwrap_or_default() {
        SignatureSettings { key: Some(key), agent: Some(agent) } => Ok(Some(Signing { key, agent })),
        SignatureSettings { key: None, agent: None } => Ok(None),
        _ => Err(BadUsage("[signature]: key and agent go together".to_owned())),
    }
}

fn logging(settings: Option<&LogSettings>) -> Result<Logging, BadUsage> {
    let LogSettings { level, size, files } = settings.cloned().unwrap_or_default();
    let file_bytes = size.map_or(FILE_BYTES_MIN, |size| size.0);
    if !(FILE_BYTES_MIN..=FILE_BYTES_MAX).contains(&file_bytes) {
        return Err(BadUsage(format!("[log]: size {file_bytes} is not between 64 KiB and 1 GiB")));
    }
    let files = files.unwrap_or(1);
    if !(1..=FILES_MAX).contains(&files) {
        return Err(BadUsage(format!("[log]: files {files} is not between 1 and {FILES_MAX}")));
    }
    Ok(Logging { level: level.unwrap_or_default().level(), bounds: Bounds { file_bytes, files } })
}

fn versions(settings: &Settings) -> HttpVersions {
    if settings.http2 == Some(false) { HttpVersions::One } else { HttpVersions::OneAndTwo }
}

fn certificates(settings: &Settings) -> Certificates {
    match settings.insecure {
        Some(true) => Certificates::AcceptAndRecord,
        _ => Certificates::Verify,
    }
}

fn addresses(settings: &Settings) -> Result<AddressPolicy, BadUsage> {
    let ranges = settings.allow_ip.clone().unwrap_or_default();
    AddressPolicy::new(ranges).map_err(|error| BadUsage(format!("--allow-ip: {error}")))
}

fn dns(servers: Option<&[String]>) -> Result<Vec<SocketAddr>, BadUsage> {
    const DNS_PORT: u16 = 53;
    let parse = |text: &String| {
        let bare = || text.parse::<IpAddr>().map(|ip| SocketAddr::new(ip, DNS_PORT));
        let address =
            text.parse().or_else(|_| bare()).ok().filter(|address: &SocketAddr| address.port() != 0);
        address.ok_or_else(|| format!("`{text}` is not IP or IP:PORT with a port above 0"))
    };
    each(servers.unwrap_or_default(), parse).map_err(|faults| BadUsage(format!("--dns: {faults}")))
}

fn retry(settings: Option<&RetrySettings>) -> Result<RetryPolicy, BadUsage> {
    let RetrySettings { base, factor, attempts, max, overload } = settings.cloned().unwrap_or_default();
    let default = RetryPolicy::default();
    let policy = RetryPolicy {
        base_ms: base.map_or(default.base_ms, |span| span.0),
        factor: factor.unwrap_or(default.factor),
        max_ms: max.map_or(default.max_ms, |span| span.0),
        attempts: attempts.unwrap_or(default.attempts),
        overload_ms: overload.map_or(default.overload_ms, |span| span.0),
    };
    if policy.attempts == 0 || policy.factor == 0 {
        return Err(BadUsage("[retry]: attempts and factor are at least 1".to_owned()));
    }
    Ok(policy)
}

/// As the flag has it.
fn limit(key: &str, most: Option<u64>, takes: &str) -> Result<Option<u64>, BadUsage> {
    match most {
        Some(0) => Err(BadUsage(format!("{key} 0 is no limit: {takes}, or no such line"))),
        most => Ok(most),
    }
}

fn kept_types(page: &PageSettings) -> Result<KeptTypes, BadUsage> {
    let patterns = page.types.as_deref().unwrap_or_default();
    let one = |pattern: &String| KeptTypes::new(from_ref(pattern)).map_err(|error| error.to_string());
    let all = each(patterns, one).and_then(|_| KeptTypes::new(patterns).map_err(|error| error.to_string()));
    all.map_err(|faults| BadUsage(format!("[page] types: {faults}")))
}

/// No more than content-codings are undone to; and a parse is reckoned with little.
fn parse_bytes(page: &PageSettings) -> Result<u64, BadUsage> {
    let most = page::Limits::default().decoded_bytes as u64;
    match page.parse.map_or(0, |size| size.0) {
        bytes if bytes <= most => Ok(bytes),
        bytes => Err(BadUsage(format!(
            "[page] parse: {bytes} is more than {most}, the most that is decoded of a page"
        ))),
    }
}
