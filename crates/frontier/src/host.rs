use crate::draw::RobotsErrand;
use crate::{Class, Exclusion, ParkReason, Reach, RobotsRecord};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::net::IpAddr;
use stdx::Timestamp;
use weburl::KeyHash;

/// Names a host within its shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HostId(pub(crate) u32);

/// Names a group within its shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct GroupId(pub(crate) u32);

/// A server's address and how it may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// The address.
    pub ip: IpAddr,
    /// Public, or in a range the operator allowed.
    pub reach: Reach,
}

/// What is known of a host: its durable record, and what it is doing now.
#[derive(Debug)]
pub struct Host {
    pub(crate) record: HostRecord,
    pub(crate) phase: Phase,
    pub(crate) addresses: VecDeque<Address>,
    pub(crate) addresses_until: Timestamp,
    pub(crate) errands: VecDeque<RobotsErrand>,
    /// Mercator's back queue: the next few URLs of this host.
    pub(crate) back: VecDeque<Queued>,
    pub(crate) retries: BTreeSet<(Timestamp, KeyHash)>,
    pub(crate) pending: u64,
    /// The URL whose outcome is awaited; it is in no queue.
    pub(crate) in_flight: Option<KeyHash>,
    /// Its robots.txt is being fetched at another host.
    pub(crate) awaiting_robots: bool,
}

/// The part of a host that a checkpoint keeps.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct HostRecord {
    pub(crate) name: String,
    pub(crate) group: GroupId,
    /// The host's clock: no contact begins before it.
    pub(crate) next_at: Timestamp,
    pub(crate) reach: Reach,
    pub(crate) last_response_ms: u64,
    pub(crate) failures: u8,
    pub(crate) overloads: u8,
    pub(crate) robots_failures: u8,
    pub(crate) robots: Vec<RobotsRecord>,
    pub(crate) barred: Option<Barred>,
    pub(crate) contacts: u64,
    /// Why `next_at` lies where it does.
    pub(crate) held_by: Hold,
}

/// What set a host's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Hold {
    Delay,
    Overload,
    Failure,
    Robots,
    Restart,
}

/// Why nothing of a host is fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Barred {
    Excluded(Exclusion),
    Parked(ParkReason),
}

/// A URL at hand, and the class it was drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Queued {
    pub(crate) key: KeyHash,
    pub(crate) class: Class,
}

/// Where a host stands in its round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing to do, or barred.
    Idle,
    /// In its group's calendar at this moment.
    Waiting(Timestamp),
    /// Has its turn: resolving, waiting for its server, or in flight.
    Taken,
}

impl Host {
    pub(crate) fn new(record: HostRecord) -> Self {
        Self {
            record,
            phase: Phase::Idle,
            addresses: VecDeque::new(),
            addresses_until: Timestamp::ZERO,
            errands: VecDeque::new(),
            back: VecDeque::new(),
            retries: BTreeSet::new(),
            pending: 0,
            in_flight: None,
            awaiting_robots: false,
        }
    }

    /// The address to contact next, if the name's answer is still good.
    pub(crate) fn address(&self, now: Timestamp) -> Option<Address> {
        if now < self.addresses_until { self.addresses.front().copied() } else { None }
    }

    /// The longest crawl-delay of the host's authorities: they share one connection and one clock.
    pub(crate) fn crawl_delay_ms(&self) -> Option<u64> {
        self.record.robots.iter().filter_map(RobotsRecord::crawl_delay_ms).max()
    }

    pub(crate) fn robots_of(&self, authority: &str) -> Option<&RobotsRecord> {
        self.record.robots.iter().find(|r| r.authority == authority)
    }

    /// Moves the clock forward, never back.
    pub(crate) fn hold_until(&mut self, moment: Timestamp, why: Hold) {
        if moment > self.record.next_at {
            self.record.next_at = moment;
            self.record.held_by = why;
        }
    }
}

impl HostRecord {
    pub(crate) fn new(name: &str, group: GroupId, next_at: Timestamp) -> Self {
        Self {
            name: name.to_owned(),
            group,
            next_at,
            reach: Reach::Public,
            last_response_ms: 0,
            failures: 0,
            overloads: 0,
            robots_failures: 0,
            robots: Vec::new(),
            barred: None,
            contacts: 0,
            held_by: Hold::Delay,
        }
    }
}
