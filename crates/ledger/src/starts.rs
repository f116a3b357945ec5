use crate::limits::{CLOCKS_KEPT, DOMAIN_FLOOR_MS, START_JITTER_MS};
use crate::terms::{Applied, Clause, Terms};
use crate::{Contact, contact::id_of};
use std::collections::BTreeMap;
use stdx::{Map, Timestamp, map};

/// When contacts with those who share a clock from start to start (a domain, a group that the operator named) began. The ledger has
/// them in the order in which they ended; one that took long began before others that are there already, so starts are kept as long
/// as a contact may take.
#[derive(Debug)]
pub(crate) struct StartClocks {
    clause: Clause,
    by_owner: Map<u64, Starts>,
    sweep_at: usize,
}

/// Whose clock it is, and how long it holds after a start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner<'a> {
    pub(crate) name: &'a str,
    pub(crate) interval_ms: u64,
}

/// Starts, each with how long its owner is left alone after it.
#[derive(Debug, Default)]
struct Starts(BTreeMap<Timestamp, u64>);

/// What applied to a contact, and to one that began after it and is in the ledger already.
pub(crate) struct Between {
    pub(crate) before: Applied,
    /// When a later one began that this one makes too early.
    pub(crate) too_early: Option<Timestamp>,
}

impl StartClocks {
    pub(crate) fn new(clause: Clause) -> Self {
        Self { clause, by_owner: map(), sweep_at: CLOCKS_KEPT }
    }

    pub(crate) fn contact(&mut self, contact: &Contact, owner: Owner<'_>, terms: &Terms) -> Between {
        let forgotten = contact.ended() - (terms.fetch_ms() + owner.interval_ms.max(DOMAIN_FLOOR_MS));
        self.sweep(forgotten);
        let starts = self.by_owner.entry(id_of(owner.name)).or_default();
        starts.forget_before(forgotten);
        let between = starts.insert(contact.started(), owner.interval_ms, self.clause, terms);
        let before = Applied::NONE.or_later(between.before).or_later(terms.after_crash(owner.interval_ms));
        Between { before, ..between }
    }

    fn sweep(&mut self, forgotten: Timestamp) {
        if self.by_owner.len() >= self.sweep_at {
            self.by_owner.retain(|_, starts| {
                starts.forget_before(forgotten);
                !starts.0.is_empty()
            });
            self.sweep_at = CLOCKS_KEPT.max(2 * self.by_owner.len());
        }
    }
}

impl Starts {
    fn insert(&mut self, started: Timestamp, interval_ms: u64, clause: Clause, terms: &Terms) -> Between {
        let before = self.0.range(..=started).next_back();
        let due = |(at, ms): (&Timestamp, &u64)| terms.shortened(*at + *ms, *at, interval_ms);
        let before = before.map_or(Applied::NONE, |start| Applied { due: due(start), clause });
        let after = self.0.range(started + 1..).next().map(|(at, _)| *at);
        self.0.insert(started, interval_ms);
        Between { before, too_early: after.filter(|at| *at + START_JITTER_MS < started + interval_ms) }
    }

    fn forget_before(&mut self, moment: Timestamp) {
        while let Some(first) = self.0.first_entry().filter(|first| *first.key() < moment) {
            first.remove();
        }
    }
}
