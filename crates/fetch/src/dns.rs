use crate::config::{Families, FetchConfig, FetchError};
use crate::failure::failure;
use crate::limits::{
    ADDRESSES_PER_NAME, NEGATIVE_TTL_MS, QUERY_MS, QUERY_RETRIES, TTL_CEILING_MS, TTL_FLOOR_MS,
};
use crate::policy::AddressPolicy;
use cache::{Answer, Known, NameCache};
use crawler::{Failure, FailureKind, ResolveOutcome};
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup_ip::LookupIp;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::Name;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

mod cache;
mod system;

pub use system::system_upstreams;

/// Names to checked addresses: one question per name at a time, few at once, answers kept for their time.
pub(crate) struct Names {
    resolver: TokioResolver,
    /// Shared by the tasks of one loop; held for a few instructions.
    cache: Mutex<NameCache>,
    turns: Semaphore,
    policy: AddressPolicy,
    config: Bounds,
}

struct Bounds {
    clock: crate::Clock,
    lookup_ms: u64,
}

impl Names {
    pub(crate) fn new(config: &FetchConfig) -> Result<Self, FetchError> {
        if config.dns.is_empty() {
            return Err(FetchError::NoUpstreams);
        }
        let upstreams = config.dns.iter().map(|upstream| name_server(*upstream)).collect();
        let resolver = TokioResolver::builder_with_config(
            ResolverConfig::from_parts(None, Vec::new(), upstreams),
            TokioRuntimeProvider::default(),
        )
        .with_options(options(config))
        .build()
        .map_err(|error| FetchError::Dns { detail: error.to_string() })?;
        Ok(Self {
            resolver,
            cache: Mutex::new(NameCache::new(config.limits.names)),
            turns: Semaphore::new(config.limits.concurrent_lookups),
            policy: config.policy.clone(),
            config: Bounds { clock: config.clock, lookup_ms: config.limits.lookup_ms },
        })
    }

    /// The addresses of `host`, a name or an address literal, that may be contacted.
    pub(crate) async fn resolve(&self, host: &str) -> ResolveOutcome {
        if let Some(literal) = literal(host) {
            return Answer::new(self.checked(host, vec![literal]), self.config.clock.now() + TTL_CEILING_MS)
                .outcome(self.config.clock.now());
        }
        let known = self.cache().look_up(host, self.config.clock.now());
        let answer = match known {
            Known::Answer(answer) => answer,
            // Whoever comes first asks; whoever comes meanwhile waits for the same answer.
            Known::Asked(cell) => cell.get_or_init(|| self.ask_and_keep(host)).await.clone(),
        };
        answer.outcome(self.config.clock.now())
    }

    async fn ask_and_keep(&self, host: &str) -> Answer {
        let answer = self.ask(host).await;
        self.cache().keep(host, answer.clone());
        answer
    }

    async fn ask(&self, host: &str) -> Answer {
        let found = self.query(host).await;
        let ttl_ms = match &found {
            Ok(lookup) => ttl_ms(lookup),
            Err(failure) if failure.kind == FailureKind::Local => 0,
            Err(_) => NEGATIVE_TTL_MS,
        };
        let checked = found.and_then(|lookup| self.checked(host, addresses(&lookup)));
        Answer::new(checked, self.config.clock.now() + ttl_ms)
    }

    async fn query(&self, host: &str) -> Result<LookupIp, Failure> {
        let name = absolute_name(host)?;
        let _turn =
            self.turns.acquire().await.map_err(|closed| failure(FailureKind::Local, closed.to_string()))?;
        let patience = Duration::from_millis(self.config.lookup_ms);
        let late = |_| {
            let detail = format!("no answer about {host} in {} ms", self.config.lookup_ms);
            failure(FailureKind::NameServer, detail)
        };
        let found = timeout(patience, self.resolver.lookup_ip(name)).await.map_err(late)?;
        found.map_err(|error| of_lookup(host, &error))
    }

    fn checked(&self, host: &str, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Failure> {
        if found.is_empty() {
            return Err(failure(FailureKind::NameNotFound, format!("{host} has no address")));
        }
        let (allowed, refused): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|address| self.policy.permits(*address));
        if allowed.is_empty() {
            let list: Vec<_> = refused.iter().map(IpAddr::to_string).collect();
            let detail = format!("{host} is at {}, not on the public internet", list.join(", "));
            return Err(failure(FailureKind::AddressRefused, detail));
        }
        Ok(allowed)
    }

    fn cache(&self) -> MutexGuard<'_, NameCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address that `host` writes out, IPv6 with or without brackets.
fn literal(host: &str) -> Option<IpAddr> {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    inner.parse().ok()
}

/// The name with its root dot: search lists are for people at keyboards.
fn absolute_name(host: &str) -> Result<Name, Failure> {
    let no_name =
        |reason: &str| failure(FailureKind::NameNotFound, format!("`{host}` is no DNS name: {reason}"));
    let mut name = Name::from_ascii(host).map_err(|error| no_name(&error.to_string()))?;
    if name.num_labels() == 0 {
        return Err(no_name("it is empty"));
    }
    name.set_fqdn(true);
    Ok(name)
}

fn name_server(upstream: SocketAddr) -> NameServerConfig {
    let [mut udp, mut tcp] = [ConnectionConfig::udp(), ConnectionConfig::tcp()];
    udp.port = upstream.port();
    tcp.port = upstream.port();
    NameServerConfig::new(upstream.ip(), true, vec![udp, tcp])
}

fn options(config: &FetchConfig) -> ResolverOpts {
    let mut options = ResolverOpts::default();
    options.ndots = 1;
    options.timeout = Duration::from_millis(QUERY_MS);
    options.attempts = QUERY_RETRIES;
    options.ip_strategy = match config.families {
        Families::V4First => LookupIpStrategy::Ipv4AndIpv6,
        Families::V6First => LookupIpStrategy::Ipv6AndIpv4,
        Families::V4Only => LookupIpStrategy::Ipv4Only,
        Families::V6Only => LookupIpStrategy::Ipv6Only,
    };
    // Names in a hosts file are private as a rule; and the file is read again for every resolver.
    options.use_hosts_file = ResolveHosts::Never;
    // Answers are kept by NameCache, which has the crawl's clock and bounds.
    options.cache_size = 0;
    options.max_active_requests = 2 * config.limits.concurrent_lookups.max(1);
    options
}

fn addresses(lookup: &LookupIp) -> Vec<IpAddr> {
    let mut found = Vec::new();
    for address in lookup.iter() {
        if found.len() < ADDRESSES_PER_NAME && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

fn ttl_ms(lookup: &LookupIp) -> u64 {
    let shortest = lookup.as_lookup().answers().iter().map(|record| record.ttl).min();
    (u64::from(shortest.unwrap_or(0)) * 1000).clamp(TTL_FLOOR_MS, TTL_CEILING_MS)
}

fn of_lookup(host: &str, error: &NetError) -> Failure {
    let kind = match error {
        NetError::Dns(DnsError::NoRecordsFound(none)) => match none.response_code {
            ResponseCode::NXDomain | ResponseCode::NoError => FailureKind::NameNotFound,
            _ => FailureKind::NameServer,
        },
        NetError::Dns(DnsError::ResponseCode(ResponseCode::NXDomain)) => FailureKind::NameNotFound,
        NetError::Busy => FailureKind::Local,
        _ => FailureKind::NameServer,
    };
    failure(kind, format!("{host}: {error}"))
}
