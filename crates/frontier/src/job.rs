//! The shard job: everything that waits in a shard against everything it holds on disk, in one sequential pass over sorted
//! files. DRUM's idea (IRLbot §IV-C) applied to the whole frontier:
//!
//! 1. the seen-set's bucket is merged: what is new comes out in the order of discovery (`arrivals`);
//! 2. the edges' bucket is merged: each new one is a vote for a domain;
//! 3. BEAST hands back what waited long enough;
//! 4. all of it, sorted by domain and host, meets the directory (`pass`): budgets decide what passes and what waits, hosts on
//!    disk take what is theirs, hosts in memory get theirs handed out, hosts whose time has come are brought in (`selection`);
//! 5. whatever is much of one host goes to a section of the new run (`shelf`).
//!
//! The job owns all it needs and runs anywhere; the frontier goes on meanwhile. What it finds counts when it comes back.

mod arrivals;
mod choice;
mod domains;
mod due;
mod encoded;
mod finish;
mod pass;
mod placing;
mod plan;
mod revive;
mod run;
mod selection;
mod shelf;
mod start;

use crate::deferred::Deferred;
use crate::group::{DomainRecord, Ledger};
use crate::habits::HabitCounts;
use crate::host::HostId;
use crate::lane::Returned;
use crate::revive::Revived;
use crate::seen::Seen;
use crate::shard::WaitingOnDisk;
use crate::url_record::UrlRecord;
use crate::{CaptureSeq, Class, Location, Pending, TrapTally};
use backlog::{Finished, Key, Section};
use drum::{MergeJob, Merged};
pub use due::JobsDue;
use plan::Plan;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use weburl::KeyHash;

/// How much the crawl needs new work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hunger {
    /// Every slot is busy.
    Fed,
    /// A slot is free and nothing that is at hand may be begun: merge now, even a little.
    Hungry,
    /// The same, and no merge is to be expected to change it, in this shard or in others: let BEAST advance too.
    Starving,
}

/// One merge of everything that waits in a shard with everything it holds on disk: sequential, on any thread, while the
/// frontier goes on. What it finds counts once it is given to
/// [`Frontier::finish_job`](crate::Frontier::finish_job).
#[must_use = "a job that was started must be finished or abandoned"]
pub struct ShardJob {
    merges: Merges,
    hosts: backlog::Job,
    domains: backlog::Job,
    plan: Plan,
}

/// What a job brings back.
#[derive(Debug)]
#[must_use = "until it is given to `finish_job` the job has not happened"]
pub struct JobOutcome {
    merged: AllMerged,
    hosts: Finished,
    domains: Finished,
    found: Found,
}

/// What the caller must know of a finished job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobReport {
    /// Captures whose links must be derived again, from this depth: their pages have been reached by a shorter path.
    /// Only under [`Paths::Shortest`](crate::Paths::Shortest).
    pub shallower: Vec<Shallower>,
}

/// A page that has been reached by a shorter path than the one by which its links were derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shallower {
    /// Its identity.
    pub key: KeyHash,
    /// Which capture.
    pub capture: CaptureSeq,
    /// Where it lies.
    pub location: Location,
    /// The shorter path.
    pub depth: u32,
}

/// The buckets of a shard that a job merges.
struct Merges {
    seen: Vec<MergeJob<Seen>>,
    records: Vec<MergeJob<UrlRecord>>,
    edges: Vec<MergeJob<()>>,
}

#[derive(Debug)]
struct AllMerged {
    seen: Vec<Merged>,
    records: Vec<Merged>,
    edges: Vec<Merged>,
}

/// What the frontier keeps of a job that runs, to finish or to abandon it.
#[derive(Debug, Default)]
pub(crate) struct Running {
    seen: Vec<usize>,
    records: Vec<usize>,
    edges: Vec<usize>,
    leaving: Vec<HostId>,
    lent: Vec<(HostId, Class)>,
}

/// What a job has found, for the owner of the shard.
#[derive(Debug, Default)]
struct Found {
    /// Hosts to bring into memory, encoded, and their domains.
    chosen: Vec<(Key, Vec<u8>)>,
    domains: BTreeMap<u64, DomainRecord>,
    /// URLs for hosts in memory.
    arrivals: Vec<Delivery>,
    /// Lanes that were lent.
    returned: Vec<LaneBack>,
    /// Sections for lanes that were not, behind all they have.
    grown: Vec<(HostId, Class, Section)>,
    /// Of domains in memory.
    ledgers: Vec<(u64, Ledger)>,
    /// Of hosts in memory.
    habits: Vec<(HostId, HabitCounts)>,
    /// In-degrees that have grown, from and to.
    raised: Vec<(u32, u32)>,
    /// Entries that were dropped because their URL has gone on without them.
    buried: Vec<KeyHash>,
    /// URLs that are out of scope …
    let_go: Vec<KeyHash>,
    /// … but only by their depth …
    too_deep: Vec<Pending>,
    /// … and of these, those to which a path is known that is short enough, with its depth.
    nearer: Vec<Pending>,
    /// Paths to known URLs, which may be shorter.
    shorter: Vec<(KeyHash, u32)>,
    shallower: Vec<Shallower>,
    counts: Counts,
    /// Parked URLs that wait again.
    revived: Option<Revived>,
    deferred: Deferred,
    /// What traps have held back.
    traps: TrapTally,
    /// `None`: as it was.
    waiting_on_disk: Option<WaitingOnDisk>,
}

impl Found {
    /// An entry is dropped whose URL has gone on without it, perhaps from a longer path.
    fn bury(&mut self, pending: &Pending) {
        self.buried.push(pending.key);
        self.shorter.push((pending.key, pending.depth));
    }
}

/// A URL for a host in memory.
#[derive(Debug)]
struct Delivery {
    host: HostId,
    pending: Pending,
}

/// A lane that was lent.
#[derive(Debug)]
struct LaneBack {
    host: HostId,
    class: Class,
    lane: Returned,
    /// URLs that came with it, not written.
    newer: Vec<Pending>,
    /// All that came with it, written or not.
    added: u64,
}

/// By how much the tally changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    /// URLs that wait from now on.
    pending: u64,
    /// URLs that came from BEAST and do not count.
    dropped: u64,
    /// URLs whose host is excluded or parked with all it has.
    excluded: u64,
    parked: u64,
    hosts: u64,
}

impl fmt::Debug for ShardJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardJob").field("seen_buckets", &self.merges.seen.len()).finish_non_exhaustive()
    }
}
