//! Domains, their URLs, and files in memory for the queues.

use crate::beast::{Beast, BeastCounters, BeastQueue, Claim, Placement};
use crate::{Budget, Penalty};
use std::collections::{BTreeMap, VecDeque};

/// A URL: its domain, and its number within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Page {
    pub(super) domain: usize,
    pub(super) number: u64,
    pub(super) penalty: Penalty,
    /// Times it was read from a queue.
    pub(super) reads: u32,
}

#[derive(Debug, Default)]
pub(super) struct Domain {
    pub(super) counters: BeastCounters,
    pub(super) budget: u32,
    pub(super) most_budget: u32,
    pub(super) found: u64,
    pub(super) passed: u64,
    /// By the first round of the turn.
    pub(super) passed_in_turn: BTreeMap<u64, u64>,
}

/// A shard's BEAST with its files, and the URLs that have passed.
#[derive(Debug, Default)]
pub(super) struct Web {
    pub(super) beast: Beast,
    pub(super) domains: Vec<Domain>,
    files: BTreeMap<BeastQueue, VecDeque<Page>>,
    pub(super) passed: VecDeque<Page>,
    pub(super) reads: u64,
    pub(super) writes: u64,
}

impl Web {
    pub(super) fn of(budgets: impl IntoIterator<Item = u32>) -> Self {
        let domains = budgets.into_iter().map(|budget| Domain { budget, ..Domain::default() }).collect();
        Self { domains, ..Self::default() }
    }

    pub(super) fn find(&mut self, domain: usize) -> Placement {
        self.find_suspect(domain, Penalty::NONE)
    }

    pub(super) fn find_many(&mut self, domain: usize, urls: u64) {
        for _ in 0..urls {
            self.find(domain);
        }
    }

    pub(super) fn find_suspect(&mut self, domain: usize, penalty: Penalty) -> Placement {
        let entry = &mut self.domains[domain];
        let page = Page { domain, number: entry.found, penalty, reads: 0 };
        entry.found += 1;
        let placement = self.beast.place(&mut entry.counters, claim(entry.budget, penalty));
        self.carry_out(page, placement);
        placement
    }

    /// Reads at most `most` URLs of what is to be read next; `false` if nothing waits.
    pub(super) fn read(&mut self, most: u64) -> bool {
        let Some(reading) = self.beast.advance() else { return false };
        for _ in 0..reading.urls.min(most) {
            let file = self.files.get_mut(&reading.queue).expect("a queue with URLs has a file");
            let mut page = file.pop_front().expect("the file has what the queue says");
            page.reads += 1;
            self.reads += 1;
            let entry = &mut self.domains[page.domain];
            let claim = claim(entry.budget, page.penalty);
            let placement = self.beast.place_again(reading.queue, &mut entry.counters, claim);
            self.carry_out(page, placement);
        }
        true
    }

    fn carry_out(&mut self, page: Page, placement: Placement) {
        match placement {
            Placement::Pass => self.pass(page),
            Placement::Wait(queue) => {
                self.writes += 1;
                self.files.entry(queue).or_default().push_back(page);
            }
        }
    }

    fn pass(&mut self, page: Page) {
        let turn = self.beast.round();
        let domain = &mut self.domains[page.domain];
        domain.passed += 1;
        let in_turn = domain.passed_in_turn.entry(turn).or_default();
        *in_turn += 1;
        let allowed = u64::from(domain.budget) * self.beast.rounds_a_turn();
        assert!(*in_turn <= allowed, "{in_turn} of domain {} passed in a turn of {allowed}", page.domain);
        self.passed.push_back(page);
    }

    /// Every URL has passed or is in one file, and everybody's counts say so.
    pub(super) fn check(&self) {
        self.beast.check_invariants();
        for (&queue, file) in &self.files {
            assert_eq!(self.beast.waiting_in(queue), file.len() as u64, "{queue:?}");
        }
        let mut waiting: Vec<u64> = vec![0; self.domains.len()];
        self.files.values().flatten().for_each(|page| waiting[page.domain] += 1);
        for (domain, waiting) in self.domains.iter().zip(waiting) {
            assert_eq!(domain.counters.waiting(), waiting);
            assert_eq!(domain.found, domain.passed + waiting, "nothing is lost");
        }
    }

    pub(super) fn domain(&self, domain: usize) -> &Domain {
        &self.domains[domain]
    }
}

fn claim(budget: u32, penalty: Penalty) -> Claim {
    Claim { penalty, ..Claim::within(Budget::Pages(budget)) }
}
