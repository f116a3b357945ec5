//! One server: who stands in its queue, and whose turn it is.

use crate::limits::ARRIVAL_MS;
use crate::line::Appointments;
use crate::resting::Resting;
use crate::servers::{Claim, Claimant, HostRef};
use frontier::Chain;
use frontier::limits::HOSTS_COMPARED;
use std::collections::VecDeque;
use stdx::Timestamp;

/// A server's clock and its queue.
#[derive(Debug, Default)]
pub(crate) struct Server {
    pub(crate) next_at: Timestamp,
    /// The delay of the contact that is under way.
    pub(crate) held: Option<u64>,
    pub(crate) queue: VecDeque<Claim>,
    /// Claims of other nodes in the queue.
    pub(crate) of_peers: usize,
    /// URLs of all in the queue.
    waiting: u64,
    /// Times it was given to one of its queue.
    turns: u32,
    longest: Option<Longest>,
    resting: Resting,
    /// The queue waits until then: the server is kept for that host.
    pub(crate) kept_until: Timestamp,
    appointments: Appointments,
}

/// Of the hosts contacted at a server, the one that will take longest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Longest {
    pub(crate) who: HostRef,
    pub(crate) chain: Chain,
    /// From the start of its contact to the next of the server.
    pub(crate) turn_ms: u64,
}

impl Longest {
    /// Whether it should have come by the time at which another was contacted, which is a step before that one is due: it may have left
    /// memory, and comes back by another name.
    fn has_not_come(&self, other: Chain) -> bool {
        self.chain.due + 2 * self.chain.step_ms + other.step_ms <= other.due
    }
}

/// Who of its queue has a free server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The one at this place.
    Give(usize),
    /// Nobody until then: the host that will take longest is about to come.
    Keep(Timestamp),
}

impl Claim {
    fn is_of_peer(&self) -> bool {
        matches!(self.by, Claimant::Peer { .. })
    }

    /// From the start of its contact to the next of the server, as far as can be told.
    fn turn_ms(&self) -> u64 {
        self.delay_ms + self.response_ms
    }

    /// Whose it is, if it is of a host of this node.
    pub(crate) fn host(&self) -> Option<HostRef> {
        match self.by {
            Claimant::Host { who, .. } => Some(who),
            Claimant::Peer { .. } => None,
        }
    }

    fn is_of(&self, host: HostRef) -> bool {
        self.host() == Some(host)
    }
}

impl Server {
    pub(crate) fn at(next_at: Timestamp) -> Self {
        Self { next_at, ..Self::default() }
    }

    /// When one of its queue may have it.
    pub(crate) fn free_at(&self) -> Timestamp {
        self.next_at.max(self.kept_until)
    }

    /// Joins the queue; at its head if the server waits for nobody else as it does for this host. Gives its place if the
    /// server is free for it. Where it is kept, that is to be judged anew: this one may be out of the way in time.
    pub(crate) fn join(&mut self, claim: Claim, now: Timestamp) -> Option<usize> {
        let goes_first = self.goes_first(&claim, now);
        let is_first = goes_first || self.queue.is_empty();
        if let Some(host) = claim.host() {
            self.resting.remove(host);
        }
        self.of_peers += usize::from(claim.is_of_peer());
        self.waiting += claim.pending;
        self.kept_until = Timestamp::ZERO;
        if goes_first {
            self.queue.push_front(claim);
        } else {
            self.queue.push_back(claim);
        }
        (is_first && self.held.is_none() && self.next_at <= now).then_some(0)
    }

    pub(crate) fn take(&mut self, place: usize) -> Option<Claim> {
        let claim = self.queue.remove(place)?;
        self.of_peers -= usize::from(claim.is_of_peer());
        self.waiting -= claim.pending;
        self.held = Some(claim.delay_ms);
        Some(claim)
    }

    /// When a claimant may come again that finds `room` hosts of this node in the queue, unless the server waits for nobody else as it does for this one.
    pub(crate) fn put_off(&mut self, claim: &Claim, room: usize, now: Timestamp) -> Option<Timestamp> {
        let is_full = self.queue.len() - self.of_peers >= room;
        let is_put_off = is_full && !self.goes_first(claim, now);
        is_put_off.then(|| self.appointments.give(self.queue.len(), claim.delay_ms, now))
    }

    /// Gives the one that has waited longest, of other nodes.
    pub(crate) fn take_of_peer(&mut self) -> Option<Claim> {
        let first = self.queue.iter().position(Claim::is_of_peer)?;
        self.take(first)
    }

    pub(crate) fn drop_claims(&mut self, goes: impl Fn(&Claim) -> bool) {
        self.queue.retain(|claim| !goes(claim));
        self.of_peers = self.queue.iter().filter(|claim| claim.is_of_peer()).count();
        self.waiting = self.queue.iter().map(|claim| claim.pending).sum();
    }

    /// Whose turn it is: the host's on the critical path, if there is such a one; else by turns the one's that has waited
    /// longest and the one's with the most to do, so that many small hosts do not hold up a large one. Where that one would hold
    /// up the critical path, one that would not has the turn instead.
    pub(crate) fn choose(&mut self, now: Timestamp) -> Choice {
        let next = if self.turns.is_multiple_of(2) { self.most_to_do() } else { 0 };
        if let Some(longest) = self.critical(now) {
            if self.stands_first(longest.who) {
                return Choice::Give(0);
            }
            let holds_up = |claim: &Claim| longest.chain.is_held_up(now, claim.turn_ms());
            if holds_up(&self.queue[next]) {
                let other = self.queue.iter().take(HOSTS_COMPARED).position(|claim| !holds_up(claim));
                return other.map_or(Choice::Keep(longest.chain.due + ARRIVAL_MS), Choice::Give);
            }
        }
        self.turns = self.turns.wrapping_add(1);
        Choice::Give(next)
    }

    /// A host has been contacted and has more to do.
    pub(crate) fn expect(&mut self, new: Longest) {
        self.resting.add(new.who, new.chain);
        let gives_way = |old: Longest| {
            let is_shorter = old.who == new.who || old.chain.length_ms() <= new.chain.length_ms();
            is_shorter || old.has_not_come(new.chain)
        };
        if self.longest.is_none_or(gives_way) {
            self.longest = Some(new);
        }
    }

    #[cfg(test)]
    pub(crate) fn longest_host(&self) -> Option<HostRef> {
        self.longest.map(|longest| longest.who)
    }

    fn goes_first(&self, claim: &Claim, now: Timestamp) -> bool {
        self.critical(now).is_some_and(|longest| claim.is_of(longest.who))
    }

    /// The host whose chain takes longer than the server needs for all that waits, in its queue or for a delay to pass.
    fn critical(&self, now: Timestamp) -> Option<&Longest> {
        self.longest.as_ref().filter(|longest| {
            let its_own = if self.stands_first(longest.who) { 0 } else { longest.chain.pending };
            let resting = self.resting.urls_without(longest.who, now);
            let others = self.waiting + resting + self.appointments.ahead(longest.turn_ms, now);
            longest.chain.outlasts(others + its_own, longest.turn_ms)
        })
    }

    fn stands_first(&self, who: HostRef) -> bool {
        self.queue.front().is_some_and(|claim| claim.is_of(who))
    }

    fn most_to_do(&self) -> usize {
        let compared = self.queue.iter().take(HOSTS_COMPARED).enumerate();
        compared.max_by_key(|(_, claim)| claim.pending).map_or(0, |(index, _)| index)
    }
}
