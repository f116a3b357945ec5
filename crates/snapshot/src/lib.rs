//! The plain values that people and metrics see. Nothing here decides or remembers anything.
//!
//! * [`Snapshot`]: a crawl at one moment. [`Strain`]: what of it says where it is held back.
//! * [`Ending`]: what its end is at.
//! * [`Resources`]: what a run uses, with a [`Histogram`] of how long requests take.
//! * [`Bottleneck`]: what it would have to have more of to go faster: a function of a snapshot.

mod bottleneck;
mod ending;
mod histogram;
mod resources;
mod strain;
#[cfg(test)]
mod tests;

pub use bottleneck::Bottleneck;
pub use ending::Ending;
pub use histogram::{BOUNDS_MS, Histogram};
pub use resources::{MemoryParts, Resources};
pub use strain::{Offline, Reread, Room, Strain, Waits, WaitsFor};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A crawl at one moment. Durations in milliseconds, sizes in bytes, moments in milliseconds on the crawl's timeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The moment.
    pub now_ms: u64,
    /// Time spent crawling, over all runs.
    pub elapsed_ms: u64,
    /// Captures with a final status of URLs that are neither robots.txt nor sitemaps: what `--limit` counts.
    pub pages: u64,
    /// All responses archived, robots.txt and redirects too.
    pub captures: u64,
    /// Body bytes archived.
    pub bytes: u64,
    /// Final answers by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Failed attempts by cause, and pages of whose answers nothing is known (`original-gone`, `parser-panicked`).
    pub failures: BTreeMap<String, u64>,
    /// URLs known, in whatever state.
    pub discovered: u64,
    /// URLs that wait or are in flight.
    pub queued: u64,
    /// URLs excluded, by rule.
    pub excluded: BTreeMap<String, u64>,
    /// URLs that a trap's rule has held back, by rule: each is counted once, when it is found, and may have been fetched since.
    #[serde(default)]
    pub held_back: BTreeMap<String, u64>,
    /// Pages, answered with a 200, that said what their host says where there is none. A lower bound: what was answered before the host had said
    /// so with a 404 is not among them.
    #[serde(default)]
    pub soft_404s: u64,
    /// Seeds that redirect to where the crawl may not go, as far as this run has seen.
    #[serde(default)]
    pub led_out: LedOut,
    /// Links not taken in, by rule; a link found twice counts twice.
    pub out_of_scope: BTreeMap<String, u64>,
    /// URLs that used up their retries.
    pub parked: u64,
    /// Hosts met.
    pub hosts: u64,
    /// Hosts being contacted.
    pub hosts_active: u64,
    /// Hosts with work that wait for their turn.
    pub hosts_waiting: u64,
    /// Requests under way.
    pub in_flight: u64,
    /// Captures archived and not yet parsed.
    pub unparsed: u64,
    /// Rows written to the corpus.
    pub rows: u64,
    /// The limit on pages that holds, if one does.
    pub limit: Option<u64>,
    /// The same on bytes of bodies.
    #[serde(default)]
    pub size_limit: Option<u64>,
    /// How long this run may take, if that is limited.
    #[serde(default)]
    pub time_limit_ms: Option<u64>,
    /// Whether fetching is paused for lack of disk space.
    pub disk_low: bool,
    /// What the write said that found no room, once one has: the run has ended by it.
    #[serde(default)]
    pub no_room: Option<String>,
    /// Whether the operator has paused it.
    #[serde(default)]
    pub paused: bool,
    /// What its end is at, once it has begun.
    #[serde(default)]
    pub ending: Option<Ending>,
    /// What holds it back.
    pub strain: Strain,
    /// What this run uses.
    #[serde(default)]
    pub resources: Resources,
}

/// Seeds of which nothing is fetched but a redirect.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedOut {
    /// How many.
    pub seeds: u64,
    /// The first few.
    pub first: Vec<SeedLedOut>,
}

/// A seed that redirects to where the crawl may not go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedLedOut {
    /// The seed, in the form that redirects.
    pub seed: String,
    /// Where it redirects to.
    pub to: String,
    /// The rule that keeps that out.
    pub rule: String,
}

/// A host that waits, for the list at the end of a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingHost {
    /// Its name.
    pub host: String,
    /// Until when: a past moment is now.
    pub until_ms: u64,
    /// For what; `turn` where it may go on now.
    pub reason: String,
    /// Why, where that says more: what befell its robots.txt.
    #[serde(default)]
    pub because: Option<String>,
    /// How many of its URLs wait.
    pub pending: u64,
}

impl WaitingHost {
    /// Whether it may go on: it waits for nothing but its turn.
    pub fn is_due(&self) -> bool {
        self.reason == "turn"
    }

    /// What it waits for, and why, for people.
    pub fn waits_for(&self) -> String {
        let because = self.because.as_ref().map(|because| format!(": {because}"));
        format!("{}{}", self.reason, because.unwrap_or_default())
    }
}

impl Snapshot {
    /// Failed attempts of all causes.
    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// URLs that wait of hosts that are not at rest.
    pub fn queued_of_others(&self) -> u64 {
        self.queued.saturating_sub(self.strain.at_rest().urls)
    }

    /// URLs excluded by any rule.
    pub fn excluded_total(&self) -> u64 {
        self.excluded.values().sum()
    }
}
