use super::inquiry::{Answered, Found, Inquiry};
use super::upstreams::Upstreams;
use crate::clock::Clock;
use crate::config::{Families, FetchConfig, FetchError};
use crate::failure::failure;
use crate::limits::LOOPBACK_TTL_S;
use crate::policy::AddressPolicy;
use crawler::{Failure, FailureKind};
use hickory_resolver::proto::rr::domain::usage::{INVALID, LOCALHOST, ONION};
use hickory_resolver::proto::rr::{Name, RecordType};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Asks the upstreams, about few names at once, and remembers nothing.
pub(super) struct Questions {
    upstreams: Upstreams,
    turns: Semaphore,
    families: &'static [RecordType],
    patience_ms: u64,
    clock: Clock,
}

impl Questions {
    pub(super) fn new(config: &FetchConfig) -> Result<Self, FetchError> {
        let lookups = config.limits.concurrent_lookups.max(1);
        let upstreams = Upstreams::new(config, lookups)?;
        let turns = Semaphore::new(lookups * config.dns.len());
        let families = record_types(config.families);
        Ok(Self { upstreams, turns, families, patience_ms: config.limits.lookup_ms, clock: config.clock })
    }

    /// Whether a question would not have to wait for its turn.
    pub(super) fn has_room(&self) -> bool {
        self.turns.available_permits() > 0
    }

    /// The addresses of a name, whether `policy` allows them or not.
    pub(super) async fn ask(&self, host: &str, policy: &AddressPolicy) -> Answered {
        let name = absolute_name(host)?;
        if let Some(answer) = reserved(&name, self.families) {
            return answer;
        }
        let turn = self.turns.acquire().await;
        let _turn = turn.map_err(|closed| failure(FailureKind::Local, closed.to_string()))?;
        let asked_at = self.clock.now();
        let mut inquiry = Inquiry::new(name, self.families, policy);
        let asked = self.upstreams.ask(&mut inquiry);
        // Whether it came to an end or not: what has come until then counts.
        let _ended = timeout(Duration::from_millis(self.patience_ms), asked).await;
        let verdict = inquiry.verdict(&format!("no answer in {} ms", self.patience_ms));
        match verdict {
            Err(Failure { kind: FailureKind::NameServer, detail })
                if !self.upstreams.has_any_answered(asked_at).await =>
            {
                Err(failure(FailureKind::Local, format!("{detail}, nor to anything else")))
            }
            verdict => verdict,
        }
    }
}

fn record_types(families: Families) -> &'static [RecordType] {
    match families {
        Families::V4Only => &[RecordType::A],
        Families::V6Only => &[RecordType::AAAA],
        Families::V4First => &[RecordType::A, RecordType::AAAA],
        Families::V6First => &[RecordType::AAAA, RecordType::A],
    }
}

/// What is said of names that no server is to be asked about (RFC 6761, sections 6.3 and 6.4; RFC 7686).
fn reserved(name: &Name, families: &[RecordType]) -> Option<Answered> {
    if INVALID.zone_of(name) || ONION.zone_of(name) {
        return Some(Err(failure(FailureKind::NameNotFound, format!("{name} is in no DNS"))));
    }
    let loopback = |family: &RecordType| match family {
        RecordType::AAAA => IpAddr::from(Ipv6Addr::LOCALHOST),
        _ => Ipv4Addr::LOCALHOST.into(),
    };
    let found = || Found { addresses: families.iter().map(loopback).collect(), ttl_s: LOOPBACK_TTL_S };
    LOCALHOST.zone_of(name).then(|| Ok(found()))
}

/// The name with its root dot: search lists are for people at keyboards.
fn absolute_name(host: &str) -> Result<Name, Failure> {
    let labels = host.strip_suffix('.').unwrap_or(host).split('.');
    // Of any bytes (RFC 2181, section 11): there are hosts whose names begin with a hyphen.
    Name::from_labels(labels.map(str::as_bytes))
        .map_err(|error| failure(FailureKind::NameNotFound, format!("`{host}` is no DNS name: {error}")))
}
