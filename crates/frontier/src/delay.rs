use crate::limits::{GROUP_FLOOR_MS, HOST_FLOOR_MS, SLOWDOWN_FACTOR, SLOWDOWN_MAX_MS};
use serde::{Deserialize, Serialize};

/// How an address may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// Globally routable: the floors hold.
    Public,
    /// Inside a range the operator allowed, which cannot be globally routable: the operator's delays hold.
    Allowed,
}

/// How long hosts and groups are left alone (blueprint, section 7). Delays run from the end of one contact to the
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

impl Default for DelayPolicy {
    fn default() -> Self {
        Self { host_ms: 1000, host_floor_ms: HOST_FLOOR_MS, group_ms: 250, stranger_factor: 1 }
    }
}

impl DelayPolicy {
    /// The host's delay: what the operator asked for, at least the floor, at least robots' crawl-delay, and in
    /// proportion to how hard the last answer was for the server. An operator who asks for no delay at all on
    /// machines of their own is taken at their word, but for the crawl-delay.
    pub fn host_delay_ms(&self, reach: Reach, crawl_delay_ms: Option<u64>, last_response_ms: u64) -> u64 {
        let asked = match reach {
            Reach::Public => self.host_ms.max(self.host_floor_ms),
            Reach::Allowed => self.host_ms,
        };
        let slowdown = if asked == 0 {
            0
        } else {
            last_response_ms.saturating_mul(SLOWDOWN_FACTOR).min(SLOWDOWN_MAX_MS)
        };
        asked.max(slowdown).max(crawl_delay_ms.unwrap_or(0))
    }

    /// The group's interval.
    pub fn group_interval_ms(&self, reach: Reach) -> u64 {
        match reach {
            Reach::Public => self.group_ms.max(GROUP_FLOOR_MS),
            Reach::Allowed => self.group_ms.min(self.host_ms),
        }
    }
}
