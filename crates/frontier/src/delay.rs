use crate::limits::{GROUP_FLOOR_MS, HOST_FLOOR_MS, OVERLOAD_DELAY_MAX_MS, SLOWDOWN_FACTOR, SLOWDOWN_MAX_MS};
use crate::{Budget, Overload};
use serde::{Deserialize, Serialize};

/// How an address may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// Globally routable: the floors hold.
    Public,
    /// Inside a range the operator allowed, which cannot be globally routable: the operator's delays hold.
    Allowed,
}

/// How long hosts and groups are left alone. Delays run from the end of one contact to the
/// start of the next; the group's interval from start to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DelayPolicy {
    /// What the operator asked for.
    pub host_ms: u64,
    /// The least a public host is given.
    pub host_floor_ms: u64,
    /// Between two requests to one registrable domain: 250 ms is 4 requests a second.
    pub group_ms: u64,
    /// Hosts of a domain with the default budget are left alone this many times longer; 1 for no difference.
    pub stranger_factor: u32,
}

/// What a host has taught about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Learned {
    /// The longest crawl-delay of its robots.txt files.
    pub crawl_delay_ms: Option<u64>,
    /// How long its last answer took.
    pub last_response_ms: u64,
    /// The pace that its 429s and 503s ask for.
    pub overload: Overload,
}

/// A host's delay, from the end of a contact to the start of the next, and what makes it that long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostDelay {
    /// The delay.
    pub ms: u64,
    /// What makes it that long.
    pub by: DelayRule,
}

/// What makes a host's delay as long as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DelayRule {
    /// What the operator asked for.
    Asked,
    /// The least that a host on the public internet is given.
    Floor,
    /// Its domain's budget: hosts of domains that few others link to are left alone longer.
    Budget,
    /// Its last answer was slow.
    Response,
    /// It said 429 or 503 not long ago.
    Overload,
    /// The crawl-delay of its robots.txt.
    CrawlDelay,
}

impl Default for DelayPolicy {
    fn default() -> Self {
        Self { host_ms: 1000, host_floor_ms: HOST_FLOOR_MS, group_ms: 250, stranger_factor: 1 }
    }
}

impl DelayPolicy {
    /// The host's delay: what the operator asked for, at least the floor, at least robots' crawl-delay, longer for domains
    /// that nobody knows, in proportion to how hard the last answer was for the server, and longer after it said 429 or 503. An operator who asks for no delay
    /// at all on machines of their own is taken at their word, but for the crawl-delay.
    pub fn host_delay(&self, budget: Budget, reach: Reach, learned: Learned) -> HostDelay {
        let floor_ms = match reach {
            Reach::Public => self.host_floor_ms,
            Reach::Allowed => 0,
        };
        let scaled_ms = self.for_budget(budget).host_ms;
        let slow_ms = learned.last_response_ms.saturating_mul(SLOWDOWN_FACTOR).min(SLOWDOWN_MAX_MS);
        let usual_ms = scaled_ms.max(floor_ms);
        let asked_ms = learned.crawl_delay_ms.unwrap_or(0);
        let overload_ms = learned.overload.lengthen(usual_ms.max(asked_ms)).min(OVERLOAD_DELAY_MAX_MS);
        let rules = [
            (DelayRule::Response, if usual_ms == 0 { 0 } else { slow_ms }),
            (DelayRule::Overload, overload_ms),
            (DelayRule::CrawlDelay, asked_ms),
            (DelayRule::Budget, scaled_ms),
            (DelayRule::Floor, floor_ms),
            (DelayRule::Asked, self.host_ms),
        ];
        // Of equals the last counts: what was asked for needs no other reason.
        let (by, ms) = rules.into_iter().max_by_key(|(_, ms)| *ms).expect("there are rules");
        HostDelay { ms, by }
    }

    /// From the start of a run after an unclean stop to the first contact with a host of which nothing is known.
    pub fn unknown_host_ms(&self) -> u64 {
        self.host_ms.max(self.host_floor_ms)
    }

    /// The group's interval.
    pub fn group_interval_ms(&self, reach: Reach) -> u64 {
        match reach {
            Reach::Public => self.group_ms.max(GROUP_FLOOR_MS),
            Reach::Allowed => self.group_ms.min(self.host_ms),
        }
    }
}
