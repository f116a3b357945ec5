//! What befalls contacts and look-ups on their way.

use super::{Exchange, failure};
use crawler::{FailureKind, Outcome};
use stdx::{Rng, Timestamp};

/// Requests that fail for no reason.
#[derive(Debug)]
pub(super) struct Losses {
    one_in: u64,
    end: Timestamp,
    rng: Rng,
}

impl Losses {
    pub(super) fn new(one_in: u64, end: Timestamp) -> Self {
        Self { one_in, end, rng: Rng::new(one_in ^ end.as_ms()) }
    }

    pub(super) fn strike(&mut self, now: Timestamp) -> bool {
        now < self.end && self.rng.one_in(self.one_in)
    }

    pub(super) fn exchange(&mut self, latency_ms: u64, limit_ms: u64) -> Exchange {
        const KINDS: [FailureKind; 5] = [
            FailureKind::ConnectRefused,
            FailureKind::ConnectTimeout,
            FailureKind::ResponseTimeout,
            FailureKind::Disconnected,
            FailureKind::Protocol,
        ];
        let kind = KINDS[self.rng.below(KINDS.len() as u64) as usize];
        let timeout = matches!(kind, FailureKind::ConnectTimeout | FailureKind::ResponseTimeout);
        let elapsed_ms = if timeout { limit_ms } else { latency_ms };
        Exchange { elapsed_ms, outcome: Outcome::Failed(failure(kind, "lost")) }
    }
}

/// A time in which nobody is reached from where the crawler runs.
#[derive(Debug, Clone, Copy)]
pub struct Outage {
    /// It begins.
    pub from: Timestamp,
    /// Whoever begins a contact now reaches somebody again.
    pub until: Timestamp,
    /// What it looks like.
    pub cause: Cause,
}

/// What keeps a machine from reaching anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Packets go nowhere: contacts and look-ups take as long as they may.
    Cable,
    /// Whoever makes the connections is gone: they fail here and at once. Names are still found.
    Proxy,
}

impl Outage {
    /// Whether names are not found either.
    pub(super) fn silences_names(&self, now: Timestamp) -> bool {
        self.rules(now) && self.cause == Cause::Cable
    }

    pub(super) fn rules(&self, now: Timestamp) -> bool {
        (self.from..self.until).contains(&now)
    }

    pub(super) fn exchange(&self) -> Exchange {
        let (elapsed_ms, kind) = match self.cause {
            Cause::Cable => (CONNECT_MS, FailureKind::ConnectTimeout),
            Cause::Proxy => (1, FailureKind::Local),
        };
        Exchange { elapsed_ms, outcome: Outcome::Failed(failure(kind, "cut off")) }
    }
}

/// How long a connection may take.
const CONNECT_MS: u64 = 10_000;
