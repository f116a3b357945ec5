use crate::limits::{CLOCKS_KEPT, DOMAIN_FLOOR_MS};
use crate::terms::{Applied, Clause, Terms};
use crate::{Contact, contact::id_of};
use std::collections::BTreeMap;
use stdx::{Map, Timestamp, map};

/// When contacts with a domain began. The ledger has them in the order in which they ended; one that took long began before
/// others that are there already, so starts are kept as long as a contact may take.
#[derive(Debug)]
pub(crate) struct DomainStarts {
    by_domain: Map<u64, Starts>,
    sweep_at: usize,
}

/// Starts, each with how long the domain is left alone after it.
#[derive(Debug, Default)]
struct Starts(BTreeMap<Timestamp, u64>);

/// What applied to a contact, and to one that began after it and is in the ledger already.
pub(crate) struct Between {
    pub(crate) before: Applied,
    /// When a later one began that this one makes too early.
    pub(crate) too_early: Option<Timestamp>,
}

impl DomainStarts {
    pub(crate) fn new() -> Self {
        Self { by_domain: map(), sweep_at: CLOCKS_KEPT }
    }

    pub(crate) fn contact(&mut self, contact: &Contact, terms: &Terms) -> Between {
        let forgotten = contact.ended() - (terms.fetch_ms() + DOMAIN_FLOOR_MS);
        self.sweep(forgotten);
        let interval_ms = terms.domain_ms(contact.reach());
        let starts = self.by_domain.entry(id_of(weburl::pld(contact.url.host()))).or_default();
        starts.forget_before(forgotten);
        let between = starts.insert(contact.started(), interval_ms);
        let before = Applied::NONE.or_later(between.before).or_later(terms.after_crash(interval_ms));
        Between { before, ..between }
    }

    fn sweep(&mut self, forgotten: Timestamp) {
        if self.by_domain.len() >= self.sweep_at {
            self.by_domain.retain(|_, starts| {
                starts.forget_before(forgotten);
                !starts.0.is_empty()
            });
            self.sweep_at = CLOCKS_KEPT.max(2 * self.by_domain.len());
        }
    }
}

impl Starts {
    fn insert(&mut self, started: Timestamp, interval_ms: u64) -> Between {
        let before = self.0.range(..=started).next_back();
        let before =
            before.map_or(Applied::NONE, |(at, ms)| Applied { due: *at + *ms, clause: Clause::DomainRate });
        let after = self.0.range(started + 1..).next().map(|(at, _)| *at);
        self.0.insert(started, interval_ms);
        Between { before, too_early: after.filter(|at| *at < started + interval_ms) }
    }

    fn forget_before(&mut self, moment: Timestamp) {
        while let Some(first) = self.0.first_entry().filter(|first| *first.key() < moment) {
            first.remove();
        }
    }
}
