use crate::Budget;
use serde::{Deserialize, Serialize};

/// What BEAST keeps of one domain, in the domain's record: seven numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BeastCounters {
    /// The line of its URLs.
    pub(super) pages: Line,
    /// The line of its hosts that are not known yet.
    pub(super) hosts: Line,
    /// URLs that wait in queues.
    pub(super) waiting: u64,
}

/// A line of places, one budget of which goes by with each round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Line {
    /// The turn that the others speak of, by its first round.
    since: u64,
    /// Places given away from that turn on: where the next one stands.
    given: u64,
    /// How many passed in that turn.
    passed: u64,
}

impl BeastCounters {
    /// URLs that wait in queues.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }
}

impl Line {
    /// Brings the line up to the present turn.
    pub(super) fn enter(&mut self, turn: u64, budget: Budget) {
        if turn > self.since {
            self.given = self.given.saturating_sub(budget.over(turn - self.since));
            self.passed = 0;
            self.since = turn;
        }
    }

    /// Whether the budgets of so many rounds leave room for one more in this turn.
    pub(super) fn may_pass(&self, budget: Budget, rounds: u64) -> bool {
        self.passed < budget.over(rounds)
    }

    /// Rounds before the next place.
    pub(super) fn rounds_before(&self, budget: Budget) -> u64 {
        budget.rounds_before(self.given)
    }

    /// One passes who has had a place.
    pub(super) fn pass(&mut self) {
        self.passed += 1;
    }

    /// The next place that is `later` rounds from now is given away, and those before it with it.
    pub(super) fn take_place(&mut self, later: u64, budget: Budget) {
        if let Budget::Pages(_) = budget {
            self.given = self.given.max(budget.over(later)).saturating_add(1);
        }
    }
}
