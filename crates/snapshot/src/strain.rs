use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What holds a crawl back, in numbers: by these its [bottleneck](crate::Bottleneck) is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strain {
    /// Requests and look-ups that may be under way at once.
    pub slots: u64,
    /// Look-ups of names under way.
    pub look_ups: u64,
    /// Captures that wait for the disk; each keeps its slot.
    pub captures_uncommitted: u64,
    /// Entries that wait for the journal.
    pub entries_uncommitted: u64,
    /// With so many of them nothing new is begun.
    pub entries_uncommitted_most: u64,
    /// With so many captures unparsed nothing new is begun.
    pub unparsed_most: u64,
    /// Whether bodies have used up their memory.
    pub memory: Room,
    /// Since when nobody has been reached, if that is so.
    #[serde(default)]
    pub offline: Option<Offline>,
    /// Hosts that have their turn and wait for their server's address.
    pub hosts_at_servers: u64,
    /// URLs that wait for their domain's budget.
    pub put_off: u64,
    /// Discoveries that are not merged with what is known yet.
    pub undecided: u64,
    /// Merges under way.
    #[serde(default)]
    pub merges: u64,
    /// How far the journal has been read once more, after rules have become wider; none where it is not.
    #[serde(default)]
    pub reread: Option<Reread>,
    /// Hosts in memory that wait for their turn, by what they wait for.
    pub waits: BTreeMap<WaitsFor, Waits>,
    /// Of those that wait for a robots.txt, how many by why it could not be had.
    #[serde(default)]
    pub robots: BTreeMap<String, u64>,
}

/// Nobody answers: the machine's network, its name servers or its proxy are gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offline {
    /// Since then, on the crawl's timeline.
    pub since_ms: u64,
    /// What the failure said that told.
    pub because: String,
}

/// What was found by other rules is found again from the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reread {
    /// The entry of the journal that was read last.
    pub entry: u64,
    /// The last that will be.
    pub of: u64,
}

/// Whether there is some left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Room {
    /// There is.
    #[default]
    Enough,
    /// There is not.
    Short,
}

/// What a host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaitsFor {
    /// Its turn: it may be contacted now.
    Turn,
    /// Its delay.
    Delay,
    /// Its rest after a 429 or 503, after a Retry-After of any answer, or after refusals.
    Overload,
    /// A retry, its own or of its URLs.
    Retry,
    /// A robots.txt that could not be had.
    Robots,
    /// The delay after an unclean stop.
    Restart,
    /// Its place in a line that is too long to stand in: for its server, or for a group that it shares.
    Server,
}

/// Hosts that wait for the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waits {
    /// How many.
    pub hosts: u64,
    /// Their URLs.
    pub urls: u64,
    /// When the first of them may go on: a past moment is now.
    pub first_ms: u64,
}

impl Waits {
    /// Both.
    fn and(self, other: Self) -> Self {
        let first_ms = self.first_ms.min(other.first_ms);
        Self { hosts: self.hosts + other.hosts, urls: self.urls + other.urls, first_ms }
    }
}

impl WaitsFor {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "their turn",
            Self::Delay => "their delay",
            Self::Overload => "the end of a rest after 429, 503, Retry-After or refusals",
            Self::Retry => "a retry",
            Self::Robots => "a robots.txt that could not be had",
            Self::Restart => "the delay after an unclean stop or a change of delays",
            Self::Server => "their place in a long line for their server or group",
        }
    }
}

/// Failures of robots.txt that are told apart: each has few words of its own, and a crawl meets a handful of them.
const ROBOTS_FAILURES: usize = 12;
const OTHER_FAILURES: &str = "other failures";

impl Strain {
    /// One more host waits for a robots.txt that could not be had, for this reason. What stands in brackets, names and days of a certificate
    /// and numbers of the system, is of one host alone.
    pub fn note_robots(&mut self, failure: &str) {
        let failure = failure.split_once(" (").map_or(failure, |(kind, _)| kind);
        let is_known = self.robots.contains_key(failure) || self.robots.len() < ROBOTS_FAILURES;
        let failure = if is_known { failure } else { OTHER_FAILURES };
        *self.robots.entry(failure.to_owned()).or_default() += 1;
    }

    /// Hosts that are left alone for another reason than their delay: because of their robots.txt, overload, or failures.
    pub fn at_rest(&self) -> Waits {
        let rests = [WaitsFor::Robots, WaitsFor::Overload, WaitsFor::Retry];
        let rests = rests.iter().filter_map(|what| self.waits.get(what));
        rests.copied().reduce(Waits::and).unwrap_or_default()
    }

    /// Hosts that wait, for whatever.
    pub fn hosts_waiting(&self) -> u64 {
        self.waits.values().map(|waits| waits.hosts).sum()
    }
}
