use super::datagram::{self, AskError};
use super::inquiry::{Answered, Found, Inquiry, kept, none_found};
use crate::clock::Clock;
use crate::config::{FetchConfig, FetchError};
use crate::failure::failure;
use crate::limits::{QUERY_MS, QUERY_RETRIES};
use crate::policy::AddressPolicy;
use crawler::{Failure, FailureKind};
use health::Health;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RecordType};
use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use stdx::Timestamp;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

mod health;

/// The servers that are asked for names, best first. Each has a number of names it is asked for at once, and rests when
/// it does not answer; then the next is asked.
pub(super) struct Upstreams {
    all: Vec<Upstream>,
    clock: Clock,
}

struct Upstream {
    address: SocketAddr,
    /// For what does not fit into a datagram: asks by TCP, and goes after aliases.
    resolver: TokioResolver,
    turns: Semaphore,
    /// Shared by the tasks of one loop; held for a few instructions.
    health: Mutex<Health>,
}

impl Upstreams {
    /// Asks each for at most `names` at once.
    pub(super) fn new(config: &FetchConfig, names: usize) -> Result<Self, FetchError> {
        if config.dns.is_empty() {
            return Err(FetchError::NoUpstreams);
        }
        let all = config.dns.iter().map(|address| Upstream::new(*address, names));
        Ok(Self { all: all.collect::<Result<_, _>>()?, clock: config.clock })
    }

    /// Asks one after the other until all is answered: each once, and three times in all at least.
    pub(super) async fn ask(&self, inquiry: &mut Inquiry<'_>) {
        let order = self.order(self.clock.now());
        for turn in 0..self.all.len().max(1 + QUERY_RETRIES) {
            let upstream = &self.all[order[turn % order.len()]];
            within(inquiry.grace_until(), upstream.ask(inquiry, self.clock)).await;
            if inquiry.is_over() {
                return;
            }
        }
    }

    /// Whether any has told anything since some moment, or does when it is asked for the root's own name servers, which whoever resolves
    /// names has at hand.
    pub(super) async fn has_any_answered(&self, since: Timestamp) -> bool {
        for upstream in &self.all {
            let told = upstream.health().has_answered_since(since);
            if told || upstream.knows_the_root(self.clock).await {
                return true;
            }
        }
        false
    }

    /// Who is well and has a turn free, who is well, and the others; each group best first.
    fn order(&self, now: Timestamp) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|&index| {
            let upstream = &self.all[index];
            (!upstream.health().is_well(now), upstream.turns.available_permits() == 0)
        });
        order
    }
}

impl Upstream {
    fn new(address: SocketAddr, names: usize) -> Result<Self, FetchError> {
        let resolver = TokioResolver::builder_with_config(
            ResolverConfig::from_parts(None, Vec::new(), vec![name_server(address)]),
            TokioRuntimeProvider::default(),
        )
        .with_options(options(names))
        .build()
        .map_err(|error| FetchError::Dns { detail: error.to_string() })?;
        Ok(Self { address, resolver, turns: Semaphore::new(names), health: Mutex::default() })
    }

    async fn ask(&self, inquiry: &mut Inquiry<'_>, clock: Clock) {
        let Ok(_turn) = self.turns.acquire().await else { return };
        match datagram::ask(self.address, inquiry).await {
            Ok(unfinished) => {
                self.health().answered(clock.now());
                for record_type in unfinished {
                    let asked = self.ask_at_length(inquiry.name(), record_type);
                    let Some(answer) = within(inquiry.grace_until(), asked).await else { return };
                    inquiry.note(record_type, answer);
                }
            }
            Err(AskError::NoSocket(error)) => self.note_failure(inquiry, FailureKind::Local, &error),
            Err(AskError::NoAnswer(error)) => {
                self.health().failed(clock.now());
                let kind = if is_not_there(&error) { FailureKind::Local } else { FailureKind::NameServer };
                self.note_failure(inquiry, kind, &error);
            }
        }
    }

    async fn knows_the_root(&self, clock: Clock) -> bool {
        let policy = AddressPolicy::public();
        let mut inquiry = Inquiry::new(Name::root(), &[RecordType::NS], &policy);
        let has_answered = datagram::ask(self.address, &mut inquiry).await.is_ok();
        if has_answered {
            self.health().answered(clock.now());
        }
        has_answered
    }

    /// What is open stays without an answer.
    fn note_failure(&self, inquiry: &mut Inquiry<'_>, kind: FailureKind, error: &io::Error) {
        for record_type in inquiry.open() {
            let detail = format!("{} {record_type}: {}: {error}", inquiry.name(), self.address);
            inquiry.note(record_type, Err(failure(kind, detail)));
        }
    }

    async fn ask_at_length(&self, name: &Name, record_type: RecordType) -> Answered {
        match self.resolver.lookup(name.clone(), record_type).await {
            Ok(lookup) => found(name, record_type, &lookup),
            Err(error) => Err(of_lookup(name, record_type, &error)),
        }
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an upstream that gave no answer is not there at all: no name can be made answerable for that.
fn is_not_there(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable};
    matches!(error.kind(), ConnectionRefused | HostUnreachable | NetworkUnreachable)
}

/// What comes of `work`, if it has to be done by some moment and is.
async fn within<T>(until: Option<Instant>, work: impl Future<Output = T>) -> Option<T> {
    match until {
        None => Some(work.await),
        Some(until) => timeout_at(until, work).await.ok(),
    }
}

fn found(name: &Name, record_type: RecordType, lookup: &Lookup) -> Answered {
    let addresses = kept(lookup.answers().iter().filter_map(|record| record.data.ip_addr()));
    if addresses.is_empty() {
        return Err(none_found(name, record_type, ResponseCode::NoError));
    }
    let ttl_s = lookup.answers().iter().map(|record| record.ttl).min().unwrap_or(0);
    Ok(Found { addresses, ttl_s })
}

fn of_lookup(name: &Name, record_type: RecordType, error: &NetError) -> Failure {
    let kind = match error {
        NetError::Dns(DnsError::NoRecordsFound(none)) => {
            return none_found(name, record_type, none.response_code);
        }
        NetError::Dns(DnsError::ResponseCode(code)) => return none_found(name, record_type, *code),
        NetError::Busy => FailureKind::Local,
        _ => FailureKind::NameServer,
    };
    failure(kind, format!("{name} {record_type}: {error}"))
}

fn name_server(upstream: SocketAddr) -> NameServerConfig {
    let mut tcp = ConnectionConfig::tcp();
    tcp.port = upstream.port();
    NameServerConfig::new(upstream.ip(), true, vec![tcp])
}

fn options(names: usize) -> ResolverOpts {
    let mut options = ResolverOpts::default();
    options.ndots = 1;
    options.timeout = Duration::from_millis(QUERY_MS);
    // Whoever does not answer is not asked again at once: the next upstream is.
    options.attempts = 0;
    // Names in a hosts file are private as a rule.
    options.use_hosts_file = ResolveHosts::Never;
    // Answers are kept by NameCache, which has the crawl's clock and bounds.
    options.cache_size = 0;
    // Two questions a name.
    options.max_active_requests = 2 * names;
    options
}
