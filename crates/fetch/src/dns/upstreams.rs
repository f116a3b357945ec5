use super::question::name_server_failure;
use crate::clock::Clock;
use crate::config::{FetchConfig, FetchError};
use crate::limits::{QUERY_MS, QUERY_RETRIES};
use crawler::Failure;
use health::Health;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::{Name, RecordType};
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use stdx::Timestamp;
use tokio::sync::Semaphore;

mod health;

/// The servers that are asked for names, best first. Each has a number of questions it is given at once, and rests when
/// it does not answer; then the next is asked.
pub(super) struct Upstreams {
    all: Vec<Upstream>,
    clock: Clock,
}

struct Upstream {
    resolver: TokioResolver,
    turns: Semaphore,
    /// Shared by the tasks of one loop; held for a few instructions.
    health: Mutex<Health>,
}

impl Upstreams {
    /// Gives each at most `questions` at once.
    pub(super) fn new(config: &FetchConfig, questions: usize) -> Result<Self, FetchError> {
        if config.dns.is_empty() {
            return Err(FetchError::NoUpstreams);
        }
        let all = config.dns.iter().map(|address| Upstream::new(*address, questions));
        Ok(Self { all: all.collect::<Result<_, _>>()?, clock: config.clock })
    }

    /// Asks one after the other until one answers, each once at least, three times in all at least.
    pub(super) async fn ask(&self, name: &Name, record_type: RecordType) -> Result<Lookup, Failure> {
        let order = self.order(self.clock.now());
        let mut last = None;
        for turn in 0..self.all.len().max(1 + QUERY_RETRIES) {
            let upstream = &self.all[order[turn % order.len()]];
            match upstream.ask(name, record_type, self.clock).await {
                Ok(lookup) => return Ok(lookup),
                Err(error) if is_answer(&error) => {
                    return Err(name_server_failure(name, record_type, &error));
                }
                Err(error) => last = Some(error),
            }
        }
        Err(last.map_or_else(
            || crate::failure::failure(crawler::FailureKind::Local, "no upstream was asked"),
            |error| name_server_failure(name, record_type, &error),
        ))
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
    fn new(address: SocketAddr, questions: usize) -> Result<Self, FetchError> {
        let resolver = TokioResolver::builder_with_config(
            ResolverConfig::from_parts(None, Vec::new(), vec![name_server(address)]),
            TokioRuntimeProvider::default(),
        )
        .with_options(options(questions))
        .build()
        .map_err(|error| FetchError::Dns { detail: error.to_string() })?;
        Ok(Self { resolver, turns: Semaphore::new(questions), health: Mutex::default() })
    }

    async fn ask(&self, name: &Name, record_type: RecordType, clock: Clock) -> Result<Lookup, NetError> {
        let _turn = self.turns.acquire().await.map_err(|_| NetError::Busy)?;
        let result = self.resolver.lookup(name.clone(), record_type).await;
        match &result {
            Ok(_) | Err(NetError::Dns(_)) => self.health().answered(),
            Err(_) => self.health().failed(clock.now()),
        }
        result
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the name is known not to exist, or to have no such record: nobody else would say otherwise.
fn is_answer(error: &NetError) -> bool {
    super::question::kind_of(error) == crawler::FailureKind::NameNotFound
}

fn name_server(upstream: SocketAddr) -> NameServerConfig {
    let [mut udp, mut tcp] = [ConnectionConfig::udp(), ConnectionConfig::tcp()];
    udp.port = upstream.port();
    tcp.port = upstream.port();
    NameServerConfig::new(upstream.ip(), true, vec![udp, tcp])
}

fn options(questions: usize) -> ResolverOpts {
    let mut options = ResolverOpts::default();
    options.ndots = 1;
    options.timeout = Duration::from_millis(QUERY_MS);
    // Whoever does not answer is not asked again at once: the next upstream is.
    options.attempts = 0;
    // Names in a hosts file are private as a rule.
    options.use_hosts_file = ResolveHosts::Never;
    // Answers are kept by NameCache, which has the crawl's clock and bounds.
    options.cache_size = 0;
    options.max_active_requests = questions;
    options
}
