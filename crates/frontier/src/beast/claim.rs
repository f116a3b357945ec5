use super::BeastCounters;
use super::counters::Line;
use crate::traps::hosts_a_round;
use crate::{Budget, Penalty};

/// What decides where a URL is placed, besides its domain's counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// Its domain's.
    pub budget: Budget,
    /// Whether its host is known.
    pub host: Acquaintance,
    /// What it is suspected of.
    pub penalty: Penalty,
}

/// Whether a host has been let into the crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acquaintance {
    /// One of its URLs has passed before.
    Known,
    /// None has. Of such hosts a domain has so many a round, whatever its pages.
    New,
}

/// The lines in which a URL stands: its domain's, and if its host is new, that of new hosts too.
impl Claim {
    /// A URL above suspicion, of a host that is known.
    pub fn within(budget: Budget) -> Self {
        Self { budget, host: Acquaintance::Known, penalty: Penalty::NONE }
    }

    pub(super) fn enter(&self, domain: &mut BeastCounters, turn: u64) {
        domain.pages.enter(turn, self.budget);
        domain.hosts.enter(turn, hosts_a_round(self.budget));
    }

    /// Whether the budgets of so many rounds leave room for one more in this turn.
    pub(super) fn is_within(&self, domain: &BeastCounters, rounds: u64) -> bool {
        self.penalty == Penalty::NONE
            && self.lines(domain).all(|(line, budget)| line.may_pass(budget, rounds))
    }

    /// Rounds before its place: the later one, if it stands in two lines.
    pub(super) fn rounds_before(&self, domain: &BeastCounters) -> u64 {
        self.lines(domain).map(|(line, budget)| line.rounds_before(budget)).max().unwrap_or(0)
    }

    pub(super) fn pass(&self, domain: &mut BeastCounters) {
        domain.pages.pass();
        if self.host == Acquaintance::New {
            domain.hosts.pass();
        }
    }

    /// Takes its place, `later` rounds from now; none in the line of pages if it is new hosts that have to wait.
    pub(super) fn take_place(&self, domain: &mut BeastCounters, later: u64) {
        if !self.waits_as_stranger(domain) {
            domain.pages.take_place(later, self.budget);
        }
        if self.host == Acquaintance::New {
            domain.hosts.take_place(later, hosts_a_round(self.budget));
        }
    }

    /// Whether it is the line of new hosts that it has to wait in.
    pub(super) fn waits_as_stranger(&self, domain: &BeastCounters) -> bool {
        self.rounds_before(domain) > domain.pages.rounds_before(self.budget)
    }

    fn lines<'a>(&self, domain: &'a BeastCounters) -> impl Iterator<Item = (&'a Line, Budget)> + use<'a> {
        let hosts = (self.host == Acquaintance::New).then(|| (&domain.hosts, hosts_a_round(self.budget)));
        [(&domain.pages, self.budget)].into_iter().chain(hosts)
    }
}
