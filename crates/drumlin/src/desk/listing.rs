//! All hosts as they were a moment ago: those in memory, and as many of those on disk as a list may have.

mod disk;
#[cfg(test)]
mod tests;

pub(super) use disk::read_hosts;

use super::Asked;
use super::slices::{Visitor, show_all};
use crawler::{HostFacts, HostKey, ListedHost};
use std::collections::HashSet;
use std::time::{Duration, Instant};
use stdx::Timestamp;
use ui::Unanswered;

/// Hosts in a list: some thirty megabytes, for as long as somebody looks.
pub(super) const LISTED_MOST: usize = 200_000;

/// A list is used for so many times what it cost to make, so that whoever looks without pause takes a hundredth of a core.
const USED_FOR: u32 = 100;

/// Made by one who asks, and read by all until it is old.
pub(super) struct Listing {
    pub(super) hosts: Vec<Listed>,
    /// The moment of the crawl at which it was begun.
    pub(super) as_of: Timestamp,
    /// Whether all hosts are in it.
    pub(super) holds: Holds,
    /// Processor time that it took, the crawl's included.
    pub(super) cost: Duration,
    made: Instant,
}

/// A host, and where it lies.
pub(super) struct Listed {
    pub(super) facts: HostFacts,
    pub(super) lies: Lies,
}

/// Where a host lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lies {
    InMemory,
    OnDisk,
}

/// Whether a list has all hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    All,
    /// Some were left out: of those on disk whole shards, and a shard has its hosts by chance.
    Sample,
}

impl Listing {
    /// Goes through memory and disk.
    pub(super) fn gather(asked: &Asked) -> Result<Self, Unanswered> {
        let (asking, own) = (asked.answering_us(), super::asked::spent_us());
        let mut gathered = show_all(asked, Gathered::default())?;
        disk::read_all(asked, &mut gathered)?;
        let spent_us = (asked.answering_us() - asking) + (super::asked::spent_us() - own);
        let Gathered { hosts, as_of, holds, .. } = gathered;
        Ok(Self { hosts, as_of, holds, cost: Duration::from_micros(spent_us), made: instant() })
    }

    pub(super) fn age(&self) -> Duration {
        self.made.elapsed()
    }

    /// How long it may be used.
    pub(super) fn keeps(&self) -> Duration {
        self.cost * USED_FOR
    }
}

/// A list that is being made.
struct Gathered {
    hosts: Vec<Listed>,
    /// Those in memory: what lies on disk of them is void.
    at_hand: HashSet<HostKey>,
    as_of: Timestamp,
    holds: Holds,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { hosts: Vec::new(), at_hand: HashSet::new(), as_of: Timestamp::NEVER, holds: Holds::All }
    }
}

impl Gathered {
    fn has_room(&mut self) -> bool {
        let has_room = self.hosts.len() < LISTED_MOST;
        if !has_room {
            self.holds = Holds::Sample;
        }
        has_room
    }
}

impl Visitor for Gathered {
    fn visit(&mut self, host: &ListedHost<'_>, now: Timestamp) {
        self.as_of = self.as_of.min(now);
        if self.has_room() && self.at_hand.insert(host.key()) {
            self.hosts.push(Listed { facts: host.facts(), lies: Lies::InMemory });
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how old a list is is a matter of real time, and of no consequence"
)]
fn instant() -> Instant {
    Instant::now()
}
