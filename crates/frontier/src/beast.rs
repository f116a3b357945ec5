//! BEAST (Lee et al., `IRLbot`, TWEB 2009, §VII-B): URLs beyond their domain's budget wait in queues on disk that are
//! read at exponentially growing intervals, and are budgeted again when they are read. Nothing is dropped.
//!
//! A *round* lets one budget of every domain pass. The queues Q1 … Qj stand for the rounds to come; of a domain with budget
//! B, the first B URLs go into the next queue, the next B into the one after. What fits into none of them goes into
//! [`BeastQueue::LAST`], the paper's QF. A *turn* reads one queue. After j rounds, a *stage*, QF is read too and split among
//! twice as many rounds (Figure 5), so that a URL is read a logarithmic number of times; and since this is spread over the
//! turns that it takes to read Q1 … Qj, as equation (28) has it, the disk is read at the rate of Theorem 7 at most.
//!
//! Where the paper is silent or stops:
//! * "Until j reaches some maximum OS-imposed limit": there are [`BEAST_QUEUES`](crate::limits::BEAST_QUEUES) queues a stage from the first. Beyond that it is
//!   not their number that doubles but the rounds that each stands for, so a turn lets several budgets pass.
//! * Doubling makes reading QF cheap and turns coarse. It is undone when QF has become small against what passed.
//! * The left-over budget of each queue is not an array a domain but one number, the domain's place in its own line
//!   ([`BeastCounters`]): place ÷ budget is the round. When the budget has grown, the whole line moves up at once, and what
//!   is found from then on passes as long as budget is left, once the present queue has been read.
//! * Hosts nobody has met stand in a second line of their domain, so that it cannot grow hosts faster than its name does.
//! * A suspect URL is placed further back by its [`Penalty`], in queues; having been read from there it counts as any other.

mod claim;
mod counters;
mod stage;
#[cfg(test)]
mod tests;

pub use claim::{Acquaintance, Claim};
pub use counters::BeastCounters;
pub use stage::BeastQueue;

use crate::Penalty;
use serde::{Deserialize, Serialize};
use stage::{Last, Rounds, Turn};

/// Where a URL goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// To its host: it is within the budget.
    Pass,
    /// To the end of this queue.
    Wait(BeastQueue),
}

/// What to read next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// From the head of this queue.
    pub queue: BeastQueue,
    /// So many entries at most. Fewer may be read; the rest is asked for again.
    pub urls: u64,
}

/// The queues of one shard: which there are, in which order they are read, and how much is in them. Small, and part of a
/// checkpoint. The files are somebody else's, and so are the URLs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Beast {
    rounds: Rounds,
    last: Last,
    /// URLs that passed since the stage began.
    passed: u64,
}

impl Beast {
    /// Places a URL that has just been found. However wide the turn, it passes within its domain's first budget only: if there
    /// is a place, or if all who had one in this turn have been read and something is left. So a budget that has grown
    /// counts at once.
    pub fn place(&mut self, domain: &mut BeastCounters, claim: Claim) -> Placement {
        claim.enter(domain, self.rounds.now().first);
        let has_place = claim.rounds_before(domain) == 0;
        if (has_place || self.reading().is_none()) && claim.is_within(domain, 1) {
            if has_place {
                claim.take_place(domain, 0);
            }
            return self.pass(domain, claim);
        }
        let horizon =
            if self.last.is_being_split() { self.rounds.horizon_before() } else { self.rounds.horizon() };
        self.wait(domain, claim, horizon)
    }

    /// Whether it is because its host is new, and its domain has shown enough of them, that a URL that has just been found would
    /// have to wait.
    pub fn waits_as_stranger(&self, domain: &mut BeastCounters, claim: Claim) -> bool {
        claim.enter(domain, self.rounds.now().first);
        claim.waits_as_stranger(domain)
    }

    /// Places a URL that has been read from the head of `from`, by what its domain's budget is now. What comes from the
    /// present queue has had its place and has served its penalty.
    pub fn place_again(&mut self, from: BeastQueue, domain: &mut BeastCounters, claim: Claim) -> Placement {
        claim.enter(domain, self.rounds.now().first);
        domain.waiting = domain.waiting.checked_sub(1).expect("a URL that is read has waited");
        if from == BeastQueue::LAST {
            self.last.took();
            return self.split(domain, claim);
        }
        self.rounds.took(from);
        let served = Claim { penalty: Penalty::NONE, ..claim };
        if self.may_pass(domain, served) {
            return self.pass(domain, served);
        }
        self.wait(domain, served, self.rounds.horizon())
    }

    /// What to read while slots are free; moves on to the next turn when the present one has been read. `None`: nothing
    /// waits.
    pub fn advance(&mut self) -> Option<Reading> {
        if self.waiting() == 0 {
            return None;
        }
        while self.reading().is_none() {
            self.turn();
        }
        self.reading()
    }

    /// URLs that wait.
    pub fn waiting(&self) -> u64 {
        self.rounds.urls() + self.last.urls
    }

    /// URLs that wait in one queue.
    pub fn waiting_in(&self, queue: BeastQueue) -> u64 {
        if queue == BeastQueue::LAST { self.last.urls } else { self.rounds.urls_in(queue) }
    }

    /// Queues that are read before this one; `None` of [`BeastQueue::LAST`], which is read in parts.
    pub fn turns_before(&self, queue: BeastQueue) -> Option<u64> {
        self.rounds.turns_before(queue)
    }

    /// The present round, counted from the first.
    pub fn round(&self) -> u64 {
        self.rounds.now().first
    }

    /// Rounds that pass in the present turn.
    pub fn rounds_a_turn(&self) -> u64 {
        self.rounds.now().rounds
    }

    /// Panics if the parts contradict each other.
    pub fn check_invariants(&self) {
        self.rounds.check_invariants();
        self.last.check_invariants();
    }

    fn may_pass(&self, domain: &BeastCounters, claim: Claim) -> bool {
        claim.is_within(domain, self.rounds.now().rounds)
    }

    fn pass(&mut self, domain: &mut BeastCounters, claim: Claim) -> Placement {
        claim.pass(domain);
        self.passed += 1;
        Placement::Pass
    }

    /// Of QF: to the first round in which there is a place, the present one too.
    fn split(&mut self, domain: &mut BeastCounters, claim: Claim) -> Placement {
        let due = claim.rounds_before(domain) < self.rounds.now().rounds;
        if due && self.may_pass(domain, claim) {
            claim.take_place(domain, 0);
            return self.pass(domain, claim);
        }
        self.wait(domain, claim, self.rounds.horizon())
    }

    /// To the queue of the round in which there is a place, or to QF if that is not before `horizon`. A suspect takes no
    /// place away.
    fn wait(&mut self, domain: &mut BeastCounters, claim: Claim, horizon: u64) -> Placement {
        domain.waiting += 1;
        let turn = self.rounds.now().rounds;
        let later = match claim.penalty {
            Penalty::NONE => claim.rounds_before(domain).max(turn),
            penalty => claim.rounds_before(domain) + u64::from(penalty.get()) * turn,
        };
        let round = self.rounds.now().first.saturating_add(later);
        if round >= horizon {
            self.last.urls += 1;
            return Placement::Wait(BeastQueue::LAST);
        }
        if claim.penalty == Penalty::NONE {
            claim.take_place(domain, later);
        }
        Placement::Wait(self.rounds.put(round))
    }

    /// The present queue has been read: the next one is, and if that begins a stage, QF is split.
    fn turn(&mut self) {
        if self.rounds.next_turn() == Turn::BeginsStage {
            let spread = self.last.spread_for(self.rounds.spread(), self.passed);
            self.last.begin_split(spread);
            self.rounds.begin_stage(spread);
            self.passed = 0;
        }
        self.last.allot(self.rounds.now().rounds);
    }

    fn reading(&self) -> Option<Reading> {
        let queue = self.rounds.now();
        let present = Reading { queue: queue.name, urls: queue.urls };
        let last = Reading { queue: BeastQueue::LAST, urls: self.last.allotted };
        [present, last].into_iter().find(|reading| reading.urls > 0)
    }
}
