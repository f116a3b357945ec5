use crate::Contact;
use crate::limits::{
    DOMAIN_FLOOR_MS, OVERLOAD_FLOOR_MS, RETRY_AFTER_MAX_MS, SLOWDOWN_FACTOR, SLOWDOWN_MAX_MS,
};
use crawler::{End, Promise, Reach, Stop};
use serde::Serialize;
use std::fmt;
use stdx::Timestamp;

/// What is owed while a promise holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms(Promise);

/// Why somebody is left alone until a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clause {
    /// Nothing is known of an earlier contact.
    First,
    /// The delay of a host.
    HostDelay,
    /// What robots.txt asks for.
    CrawlDelay,
    /// The last answer was slow.
    SlowAnswer,
    /// It said 429 or 503, or how long to stay away.
    Overload,
    /// The crawl had crashed.
    Restart,
    /// The delay of a server address.
    ServerDelay,
    /// The rate of a domain.
    DomainRate,
    /// The interval of a group that the operator has named.
    GroupInterval,
}

/// From when on a contact is allowed, and which delay says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// From then on.
    pub due: Timestamp,
    /// By this.
    pub clause: Clause,
}

impl Clause {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::HostDelay => "host-delay",
            Self::CrawlDelay => "crawl-delay",
            Self::SlowAnswer => "slow-answer",
            Self::Overload => "overload",
            Self::Restart => "restart",
            Self::ServerDelay => "server-delay",
            Self::DomainRate => "domain-rate",
            Self::GroupInterval => "group-interval",
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Applied {
    /// Nothing says no.
    pub const NONE: Self = Self { due: Timestamp::ZERO, clause: Clause::First };

    /// The one that says no longer.
    #[must_use]
    pub fn or_later(self, other: Self) -> Self {
        if other.due > self.due { other } else { self }
    }
}

impl Terms {
    /// Those of a promise.
    pub fn of(promise: Promise) -> Self {
        Self(promise)
    }

    /// From when on they hold.
    pub(crate) fn began(&self) -> Timestamp {
        self.0.began
    }

    /// How the run before ended.
    pub(crate) fn stop(&self) -> Stop {
        self.0.stop
    }

    /// What a host is left alone whatever happened. Budgets of domains make it longer, never shorter, and are not in the
    /// ledger.
    pub fn host_ms(&self, reach: Reach) -> u64 {
        let delay = &self.0.delay;
        match reach {
            Reach::Public => delay.host_ms.max(delay.host_floor_ms),
            Reach::Allowed => delay.host_ms,
        }
    }

    /// What a server address is left alone. `None` where that is not at all: contacts with it may overlap then, and a delay of
    /// nothing between the end of one and the start of the next would be a promise that nobody made.
    pub fn server_ms(&self, reach: Reach) -> Option<u64> {
        let delay_ms = match reach {
            Reach::Public => self.0.server_ms.max(self.0.server_floor_ms),
            Reach::Allowed => self.0.server_ms,
        };
        (delay_ms > 0).then_some(delay_ms)
    }

    /// Between two starts within a domain.
    pub fn domain_ms(&self, reach: Reach) -> u64 {
        let delay = &self.0.delay;
        match reach {
            Reach::Public => delay.group_ms.max(DOMAIN_FLOOR_MS),
            Reach::Allowed => delay.group_ms.min(delay.host_ms),
        }
    }

    /// Contacts may have begun this long before the present one ended.
    pub fn fetch_ms(&self) -> u64 {
        self.0.fetch_ms
    }

    /// The product token of our requests.
    pub fn agent(&self) -> &str {
        &self.0.agent
    }

    /// What a host is owed after a contact, from its end on, beside its delay.
    pub(crate) fn after(&self, contact: &Contact, crawl_delay_ms: u64) -> Applied {
        let slow = match self.host_ms(contact.reach()) {
            0 => 0,
            _ => contact.took_ms().saturating_mul(SLOWDOWN_FACTOR).min(SLOWDOWN_MAX_MS),
        };
        let owed = |ms: u64, clause| Applied { due: contact.ended() + ms, clause };
        owed(slow, Clause::SlowAnswer)
            .or_later(owed(crawl_delay_ms, Clause::CrawlDelay))
            .or_later(owed(self.rest_ms(contact), Clause::Overload))
    }

    /// An answer may ask for a while whatever its status (RFC 9110, section 10.2.3); an overload that does not is owed one too.
    fn rest_ms(&self, contact: &Contact) -> u64 {
        let (asked, status) = match &contact.attempt.end {
            End::Captured(response) => (response.retry_after_ms, Some(response.status)),
            End::PutOff { retry_after_ms, .. } => (Some(*retry_after_ms), None),
            End::Failed(_) => (None, None),
        };
        let overload_ms = match contact.reach() {
            Reach::Public => self.0.overload_ms.max(OVERLOAD_FLOOR_MS),
            Reach::Allowed => self.0.overload_ms,
        };
        let unasked_ms = if matches!(status, Some(429 | 503)) { overload_ms } else { 0 };
        asked.map_or(unasked_ms, |asked| asked.min(RETRY_AFTER_MAX_MS))
    }
}
