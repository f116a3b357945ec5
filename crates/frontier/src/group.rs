use crate::host::HostId;
use crate::limits::GROUP_OVERHEAD_BYTES;
use crate::{BeastCounters, Class, Reach, Standing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use stdx::Timestamp;

/// Names a group within its shard, as long as it has hosts in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroupId(pub(crate) u32);

/// The hosts of one registrable domain, under one clock: however many there are, the domain sees four requests a
/// second at most.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) hash: u64,
    pub(crate) record: DomainRecord,
    /// Hosts with work, by the moment they are due.
    pub(crate) calendar: BTreeSet<(Timestamp, HostId)>,
    pub(crate) place: Place,
    /// Turns given to its hosts.
    pub(crate) turns: u32,
    /// Its hosts in memory, and the bytes they take.
    pub(crate) hosts: u32,
    pub(crate) bytes: u64,
    /// URLs of its hosts in memory.
    pub(crate) pending: u64,
    /// Of the hosts contacted, the one with the most to do.
    pub(crate) longest: Option<HostId>,
    /// Nobody gets a turn before this: it is kept for that host.
    pub(crate) kept_until: Timestamp,
    /// Hosts that a job writes to disk.
    pub(crate) leaving: u32,
}

/// What a checkpoint and the directory of domains keep of a domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DomainRecord {
    pub(crate) name: String,
    /// The group's clock.
    pub(crate) next_at: Timestamp,
    pub(crate) reach: Reach,
    pub(crate) ledger: Ledger,
}

/// What budgets follow from. Only jobs change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    pub(crate) standing: Standing,
    /// Other domains that link here.
    pub(crate) in_degree: u32,
    pub(crate) beast: BeastCounters,
    /// Hosts ever met.
    pub(crate) hosts: u64,
}

/// Where a group stands in the shard's schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Nowhere,
    Calendar(Timestamp),
    Ready(Class),
}

impl Group {
    pub(crate) fn new(hash: u64, record: DomainRecord) -> Self {
        Self {
            hash,
            record,
            calendar: BTreeSet::new(),
            place: Place::Nowhere,
            turns: 0,
            hosts: 0,
            bytes: 0,
            pending: 0,
            longest: None,
            kept_until: Timestamp::ZERO,
            leaving: 0,
        }
    }

    /// What it takes of memory, its hosts apart.
    pub(crate) fn fixed_bytes(&self) -> u64 {
        (size_of::<Self>() + self.record.name.len() + GROUP_OVERHEAD_BYTES) as u64
    }

    /// When a host of this group may be contacted next.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(due, _)| due.max(self.record.next_at).max(self.kept_until))
    }
}

impl DomainRecord {
    pub(crate) fn new(name: &str, next_at: Timestamp) -> Self {
        Self { name: name.to_owned(), next_at, reach: Reach::Public, ledger: Ledger::new() }
    }
}

impl Ledger {
    pub(crate) fn new() -> Self {
        Self { standing: Standing::Found, in_degree: 0, beast: BeastCounters::default(), hosts: 0 }
    }
}
