//! The queues of a stage, and how a stage follows another (§VII-B, Figure 5).

use crate::limits::BEAST_QUEUES;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Names a queue on disk. Names come back when their queue has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BeastQueue(pub u8);

/// A queue and the rounds it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Queue {
    pub(super) name: BeastQueue,
    pub(super) first: u64,
    pub(super) rounds: u64,
    pub(super) urls: u64,
}

/// The queues in the order they are read, the present one first. Their rounds follow one another without a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rounds {
    queues: VecDeque<Queue>,
    /// j: rounds among which URLs are spread, the present one included.
    spread: u64,
    /// The same in the stage before.
    spread_before: u64,
    /// The first round of the next stage.
    stage_end: u64,
}

/// QF.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Last {
    pub(super) urls: u64,
    /// Of them, those that were there when the stage began and have not been read.
    unsplit: u64,
    /// Of them, those to be read in each round.
    per_round: u64,
    /// Of them, those still to be read in this turn.
    pub(super) allotted: u64,
}

/// What a turn begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nothing but itself.
    Continues,
    /// A stage: QF is to be split.
    BeginsStage,
}

impl BeastQueue {
    /// QF: the queue of what fits into no other.
    pub const LAST: Self = Self(0);
    /// No queue has a higher number: half as many wide queues as narrow ones follow when rounds are doubled.
    pub const HIGHEST: Self = Self((BEAST_QUEUES + BEAST_QUEUES / 2 + 1) as u8);
}

impl Queue {
    fn end(&self) -> u64 {
        self.first + self.rounds
    }
}

impl Default for Rounds {
    fn default() -> Self {
        let spread = BEAST_QUEUES;
        let mut rounds = Self { queues: VecDeque::new(), spread, spread_before: spread, stage_end: spread };
        rounds.extend(0);
        rounds
    }
}

impl Rounds {
    pub(super) fn now(&self) -> &Queue {
        self.queues.front().expect("there is a present queue")
    }

    pub(super) fn spread(&self) -> u64 {
        self.spread
    }

    /// The first round that has no queue yet.
    pub(super) fn horizon(&self) -> u64 {
        self.now().first + self.spread
    }

    /// The same as if this stage spread no further than the last: what lies beyond is kept for QF.
    pub(super) fn horizon_before(&self) -> u64 {
        self.now().first + self.spread.min(self.spread_before)
    }

    pub(super) fn urls(&self) -> u64 {
        self.queues.iter().map(|queue| queue.urls).sum()
    }

    pub(super) fn urls_in(&self, name: BeastQueue) -> u64 {
        self.queues.iter().find(|queue| queue.name == name).map_or(0, |queue| queue.urls)
    }

    pub(super) fn turns_before(&self, name: BeastQueue) -> Option<u64> {
        self.queues.iter().position(|queue| queue.name == name).map(|turns| turns as u64)
    }

    /// A URL joins the queue that stands for this round.
    pub(super) fn put(&mut self, round: u64) -> BeastQueue {
        let next = self.queues.partition_point(|queue| queue.first <= round);
        let queue = &mut self.queues[next - 1];
        assert!(next > 1 && round < queue.end(), "round {round} is to come and has a queue");
        queue.urls += 1;
        queue.name
    }

    /// A URL has been read from the present queue.
    pub(super) fn took(&mut self, from: BeastQueue) {
        let queue = self.queues.front_mut().expect("there is a present queue");
        assert_eq!(queue.name, from, "only the present queue is read");
        queue.urls = queue.urls.checked_sub(1).expect("it has what is read from it");
    }

    pub(super) fn next_turn(&mut self) -> Turn {
        let read = self.queues.pop_front().expect("there is a present queue");
        assert_eq!(read.urls, 0, "a queue is read to its end");
        self.extend(read.end());
        if self.now().first < self.stage_end { Turn::Continues } else { Turn::BeginsStage }
    }

    pub(super) fn begin_stage(&mut self, spread: u64) {
        self.spread_before = self.spread;
        self.spread = spread;
        self.stage_end = self.now().first + spread;
        self.extend(self.now().first);
    }

    /// Adds queues until all rounds that URLs are spread among, from `now` on, have one.
    fn extend(&mut self, now: u64) {
        let rounds = self.spread / BEAST_QUEUES;
        let mut end = self.queues.back().map_or(now, Queue::end);
        while end < now + self.spread {
            self.queues.push_back(Queue { name: self.free_name(), first: end, rounds, urls: 0 });
            end += rounds;
        }
    }

    fn free_name(&self) -> BeastQueue {
        let taken = |name: &BeastQueue| self.queues.iter().any(|queue| queue.name == *name);
        let mut names = (BeastQueue::LAST.0 + 1..=BeastQueue::HIGHEST.0).map(BeastQueue);
        names.find(|name| !taken(name)).expect("there are as many names as queues")
    }

    pub(super) fn check_invariants(&self) {
        let pairs = self.queues.iter().zip(self.queues.iter().skip(1));
        assert!(pairs.clone().all(|(queue, next)| queue.end() == next.first), "rounds without a gap");
        assert!(self.queues.iter().all(|queue| queue.rounds > 0), "every queue stands for a round");
        assert!(self.queues.len() <= usize::from(BeastQueue::HIGHEST.0), "no more queues than names");
        assert!(
            self.spread >= BEAST_QUEUES && self.spread.is_power_of_two(),
            "the spread is doubled and halved"
        );
        let end = self.queues.back().map_or(0, Queue::end);
        assert!(end >= self.horizon(), "every round before the horizon has a queue");
    }
}

impl Last {
    pub(super) fn is_being_split(&self) -> bool {
        self.unsplit > 0
    }

    pub(super) fn took(&mut self) {
        self.urls = self.urls.checked_sub(1).expect("it has what is read from it");
        self.unsplit = self.unsplit.checked_sub(1).expect("only what was there when the stage began is read");
        self.allotted = self.allotted.checked_sub(1).expect("only what the turn allots is read");
    }

    /// How many rounds the next stage spreads URLs among: twice as many while reading this queue costs more than what
    /// passed in the stage before, half as many when it costs next to nothing.
    pub(super) fn spread_for(&self, spread: u64, passed: u64) -> u64 {
        if self.urls > passed {
            spread * 2
        } else if self.urls < passed / 4 {
            (spread / 2).max(BEAST_QUEUES)
        } else {
            spread
        }
    }

    /// Everything in it is read in the first half of a stage of so many rounds.
    pub(super) fn begin_split(&mut self, rounds: u64) {
        assert_eq!(self.unsplit, 0, "the last split has come to its end");
        self.unsplit = self.urls;
        self.per_round = self.urls.div_ceil(rounds / 2);
    }

    pub(super) fn allot(&mut self, rounds: u64) {
        self.allotted = self.unsplit.min(self.per_round.saturating_mul(rounds));
    }

    pub(super) fn check_invariants(&self) {
        assert!(self.allotted <= self.unsplit && self.unsplit <= self.urls, "{self:?}");
    }
}
