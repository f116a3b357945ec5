//! Critical path first, as in list scheduling (Graham 1969): a host takes its URLs one after the other, each a delay after the
//! last. Where that takes longer than its server or its domain needs for all their URLs, every turn it is kept waiting
//! makes the crawl longer, and the others have time to spare: they wait for it, at most one of their turns.

use crate::Frontier;
use crate::group::GroupId;
use crate::host::{HostId, Phase};
use stdx::Timestamp;

/// What is left to a host, one URL after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// When the host may be contacted next.
    pub due: Timestamp,
    /// From the start of one contact to the start of the next, in milliseconds.
    pub step_ms: u64,
    /// URLs that wait.
    pub pending: u64,
}

impl Chain {
    /// How long it takes, in milliseconds.
    pub fn length_ms(&self) -> u64 {
        self.pending.saturating_mul(self.step_ms)
    }

    /// Whether it takes longer than so many URLs do that may begin `step_ms` after one another.
    pub fn outlasts(&self, urls: u64, step_ms: u64) -> bool {
        self.length_ms() > urls.saturating_mul(step_ms)
    }

    /// Whether what begins now and takes `turn_ms` would make it wait, and need not: what takes longer than a step makes it wait
    /// whenever it comes.
    pub fn is_held_up(&self, now: Timestamp, turn_ms: u64) -> bool {
        turn_ms <= self.step_ms && now <= self.due && self.due < now + turn_ms
    }
}

/// A host that the others of its domain are not to hold up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Critical {
    pub(crate) host: HostId,
    pub(crate) chain: Chain,
}

impl Frontier {
    /// What is left to a host that waits for its clock; `None` if it has nothing to do, has its turn, or has left memory since
    /// its contact: what it led to may have filled a bucket, and a job was done at once.
    pub fn chain(&self, id: HostId) -> Option<Chain> {
        let host = self.hosts.get(id.0)?;
        let Phase::Waiting(due) = host.phase else { return None };
        let response_ms = host.record.last_response_ms;
        Some(Chain { due, step_ms: self.delay_of(id).ms + response_ms, pending: host.pending })
    }

    /// The host of a group whose chain takes longer than the group's clock asks for all its URLs.
    pub(crate) fn critical(&self, id: GroupId) -> Option<Critical> {
        let group = &self.groups[id.0];
        let host = group.longest?;
        let chain = self.chain(host)?;
        chain.outlasts(group.pending, self.group_interval_ms(id)).then_some(Critical { host, chain })
    }

    pub(crate) fn group_interval_ms(&self, id: GroupId) -> u64 {
        self.config.delay.group_interval_ms(self.groups[id.0].record.reach)
    }

    /// After a contact: whether this host is now the one of its group with the most to do.
    pub(crate) fn note_longest(&mut self, id: HostId) {
        let host = self.host_ref(id);
        let (group, pending) = (host.group, host.pending);
        let longest = self.groups[group.0].longest.map_or(0, |longest| self.host_ref(longest).pending);
        if pending > longest {
            self.group(group).longest = Some(id);
        }
    }
}
