use crate::config::{Families, FetchConfig, FetchError};
use crate::failure::failure;
use crate::limits::{ADDRESSES_PER_NAME, FAMILY_GRACE_MS, QUERY_MS, QUERY_RETRIES};
use crawler::{Failure, FailureKind};
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RecordType};
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Asks the upstreams, about few names at once, and remembers nothing.
pub(super) struct Questions {
    resolver: TokioResolver,
    turns: Semaphore,
    families: Families,
    patience_ms: u64,
}

/// What the upstreams say of a name.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Never empty; in the configured order of families, and within one as the upstream gave them.
    pub(super) addresses: Vec<IpAddr>,
    /// The shortest TTL on the way to them, in seconds.
    pub(super) ttl_s: u32,
}

type Answered = Result<Found, Failure>;

impl Questions {
    pub(super) fn new(config: &FetchConfig) -> Result<Self, FetchError> {
        if config.dns.is_empty() {
            return Err(FetchError::NoUpstreams);
        }
        let upstreams = config.dns.iter().map(|upstream| name_server(*upstream)).collect();
        let resolver = TokioResolver::builder_with_config(
            ResolverConfig::from_parts(None, Vec::new(), upstreams),
            TokioRuntimeProvider::default(),
        )
        .with_options(options(config.limits.concurrent_lookups))
        .build()
        .map_err(|error| FetchError::Dns { detail: error.to_string() })?;
        let turns = Semaphore::new(config.limits.concurrent_lookups.max(1));
        Ok(Self { resolver, turns, families: config.families, patience_ms: config.limits.lookup_ms })
    }

    /// The addresses of a name.
    pub(super) async fn ask(&self, host: &str) -> Answered {
        let name = absolute_name(host)?;
        let turn = self.turns.acquire().await;
        let _turn = turn.map_err(|closed| failure(FailureKind::Local, closed.to_string()))?;
        match self.families {
            Families::V4Only => self.ask_for(&name, RecordType::A).await,
            Families::V6Only => self.ask_for(&name, RecordType::AAAA).await,
            Families::V4First => self.ask_for_both(&name, [RecordType::A, RecordType::AAAA]).await,
            Families::V6First => self.ask_for_both(&name, [RecordType::AAAA, RecordType::A]).await,
        }
    }

    async fn ask_for_both(&self, name: &Name, [first, second]: [RecordType; 2]) -> Answered {
        let mut first = pin!(self.ask_for(name, first));
        let mut second = pin!(self.ask_for(name, second));
        let [first, second] = tokio::select! {
            found = &mut first => { let other = after(&found, second).await; [found, other] }
            found = &mut second => { let other = after(&found, first).await; [other, found] }
        };
        both(first, second)
    }

    async fn ask_for(&self, name: &Name, record_type: RecordType) -> Answered {
        let patience = Duration::from_millis(self.patience_ms);
        match timeout(patience, self.resolver.lookup(name.clone(), record_type)).await {
            Ok(Ok(lookup)) => found(name, &lookup),
            Ok(Err(error)) => Err(failure(kind_of(&error), format!("{name} {record_type}: {error}"))),
            Err(_) => Err(failure(
                FailureKind::NameServer,
                format!("{name} {record_type}: no answer in {} ms", self.patience_ms),
            )),
        }
    }
}

/// The other family's answer. It is not waited for long where `found` already serves: some name servers
/// never answer about AAAA (RFC 4074; RFC 8305, section 3).
async fn after(found: &Answered, other: impl Future<Output = Answered>) -> Answered {
    if found.is_err() {
        return other.await;
    }
    let late = |_| failure(FailureKind::NameServer, "the other family's answer is late");
    timeout(Duration::from_millis(FAMILY_GRACE_MS), other).await.map_err(late)?
}

fn both(first: Answered, second: Answered) -> Answered {
    match (first, second) {
        (Ok(mut found), Ok(more)) => {
            found.addresses.extend(more.addresses);
            found.addresses.truncate(ADDRESSES_PER_NAME);
            Ok(Found { ttl_s: found.ttl_s.min(more.ttl_s), ..found })
        }
        (Ok(found), Err(_)) | (Err(_), Ok(found)) => Ok(found),
        // That one family is absent says nothing while the other is unknown.
        (Err(failure), Err(other)) if failure.kind == FailureKind::NameNotFound => Err(other),
        (Err(failure), Err(_)) => Err(failure),
    }
}

fn found(name: &Name, lookup: &Lookup) -> Answered {
    let mut addresses = Vec::new();
    for address in lookup.answers().iter().filter_map(|record| record.data.ip_addr()) {
        if addresses.len() < ADDRESSES_PER_NAME && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.is_empty() {
        return Err(failure(FailureKind::NameNotFound, format!("{name} has no address")));
    }
    let ttl_s = lookup.answers().iter().map(|record| record.ttl).min().unwrap_or(0);
    Ok(Found { addresses, ttl_s })
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

fn options(concurrent_lookups: usize) -> ResolverOpts {
    let mut options = ResolverOpts::default();
    options.ndots = 1;
    options.timeout = Duration::from_millis(QUERY_MS);
    options.attempts = QUERY_RETRIES;
    // Names in a hosts file are private as a rule.
    options.use_hosts_file = ResolveHosts::Never;
    // Answers are kept by NameCache, which has the crawl's clock and bounds.
    options.cache_size = 0;
    // Two questions a name.
    options.max_active_requests = 2 * concurrent_lookups.max(1);
    options
}

fn kind_of(error: &NetError) -> FailureKind {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(none)) => of_code(none.response_code),
        NetError::Dns(DnsError::ResponseCode(code)) => of_code(*code),
        NetError::Busy => FailureKind::Local,
        _ => FailureKind::NameServer,
    }
}

fn of_code(code: ResponseCode) -> FailureKind {
    match code {
        ResponseCode::NXDomain | ResponseCode::NoError => FailureKind::NameNotFound,
        _ => FailureKind::NameServer,
    }
}
