use super::upstreams::Upstreams;
use crate::config::{Families, FetchConfig, FetchError};
use crate::failure::failure;
use crate::limits::{ADDRESSES_PER_NAME, FAMILY_GRACE_MS};
use crawler::{Failure, FailureKind};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RecordType};
use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Asks the upstreams, about few names at once, and remembers nothing.
pub(super) struct Questions {
    upstreams: Upstreams,
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
        let lookups = config.limits.concurrent_lookups.max(1);
        // Two questions a name.
        let upstreams = Upstreams::new(config, 2 * lookups)?;
        let turns = Semaphore::new(lookups * config.dns.len());
        Ok(Self { upstreams, turns, families: config.families, patience_ms: config.limits.lookup_ms })
    }

    /// Whether a question would not have to wait for its turn.
    pub(super) fn has_room(&self) -> bool {
        self.turns.available_permits() > 0
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
        match timeout(patience, self.upstreams.ask(name, record_type)).await {
            Ok(Ok(lookup)) => found(name, &lookup),
            Ok(Err(failure)) => Err(failure),
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

/// What an upstream's error says about a name.
pub(super) fn name_server_failure(name: &Name, record_type: RecordType, error: &NetError) -> Failure {
    failure(kind_of(error), format!("{name} {record_type}: {error}"))
}

pub(super) fn kind_of(error: &NetError) -> FailureKind {
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
