use super::Found;
use super::encoded::Encoded;
use crate::deferred::Deferred;
use crate::group::{DomainRecord, Ledger};
use crate::habits::Habits;
use crate::host::HostId;
use crate::revive::Reviving;
use crate::shard::WaitingOnDisk;
use crate::tombstones::Tombstones;
use crate::{Class, Judge, Pending, Ranking, Star, Stays};
use backlog::{Key, Section};
use std::collections::BTreeMap;
use std::sync::Arc;
use stdx::Timestamp;

/// What a job is told about the rest of the shard: copies, so that both go on.
pub(super) struct Plan {
    pub(super) now: Timestamp,
    pub(super) seed: u64,
    pub(super) star: Star,
    pub(super) ranking: Ranking,
    pub(super) not_before: Timestamp,
    /// Present if entries on disk may be out of scope.
    pub(super) judge: Option<Arc<dyn Judge>>,
    pub(super) tombstones: Tombstones,
    /// Parked URLs to be put back, if there are any.
    pub(super) reviving: Option<Reviving>,
    /// Hosts in memory that stay there, sorted by key.
    pub(super) residents: Vec<Resident>,
    /// Their domains.
    pub(super) resident_domains: BTreeMap<u64, ResidentDomain>,
    /// Hosts that go to disk, encoded, sorted by key.
    pub(super) leaving: Vec<(Key, Vec<u8>)>,
    /// Domains whose last hosts they are.
    pub(super) leaving_domains: BTreeMap<u64, DomainRecord>,
    /// Parts of lanes that go to disk or move there, sorted by the key of their host.
    pub(super) lent: Vec<LentLane>,
    /// Hosts that are wanted in memory whatever they have, with their names.
    pub(super) wanted: BTreeMap<Key, String>,
    /// Whether sections of the directory's hosts are to move.
    pub(super) moves: bool,
    pub(super) room: Room,
    /// What the last job has left on disk.
    pub(super) waiting_on_disk: WaitingOnDisk,
    pub(super) deferred: Deferred,
    /// Whether its queues are to be read.
    pub(super) advances: bool,
}

impl Plan {
    /// Whether what comes from disk must be looked at.
    pub(super) fn must_look(&self) -> bool {
        self.judge.is_some() || !self.tombstones.is_empty()
    }

    /// Whether an entry from disk counts: its URL has not gone on without it, and is in scope.
    pub(super) fn counts(&mut self, pending: &Pending, found: &mut Found) -> bool {
        if self.tombstones.lift(pending.key, pending.order) {
            found.bury(pending);
            return false;
        }
        let stays = self.judge.as_ref().map_or(Stays::In, |judge| judge.judge(pending));
        match stays {
            Stays::In => {}
            Stays::TooDeep => found.too_deep.push(pending.clone()),
            Stays::Out => found.let_go.push(pending.key),
        }
        stays == Stays::In
    }
}

/// A host in memory.
#[derive(Debug, Clone)]
pub(super) struct Resident {
    pub(super) key: Key,
    pub(super) host: HostId,
    /// Where in [`Plan::lent`] its lanes are, if they are.
    pub(super) lent: [Option<u32>; 3],
    pub(super) habits: Habits,
}

/// A domain with hosts in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResidentDomain {
    pub(super) ledger: Ledger,
    /// What its hosts take.
    pub(super) bytes: u64,
}

/// A part of a lane in the hands of a job.
pub(super) struct LentLane {
    pub(super) host: HostId,
    pub(super) class: Class,
    pub(super) sections: Vec<Section>,
    /// The entries of the tail, encoded.
    pub(super) tail: Encoded,
    /// Whether the tail is to be written however little it is.
    pub(super) must: Must,
}

/// How urgent it is to write a lane's tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Must {
    Write,
    WriteIfMuch,
}

/// What may be brought into memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Bytes for hosts and URLs.
    pub(super) bytes: u64,
    /// What the hosts of one domain may take in all.
    pub(super) domain_bytes: u64,
    /// Hosts due until then are brought in.
    pub(super) horizon: Timestamp,
    /// Whoever takes more than this finds no room, however much is free: it is a guest.
    pub(super) most_of_one: u64,
    /// Of guests one that is due by then comes, where guests are welcome.
    pub(super) guests_due: Option<Timestamp>,
    /// Hosts for which their domain has no share, and guests that could not come, are looked at again then.
    pub(super) again: Timestamp,
    /// The group with which the order of preference begins.
    pub(super) cursor: u64,
    /// Hosts of a crowded domain that were due before this have not had their turn.
    pub(super) round: Timestamp,
}
