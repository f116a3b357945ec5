use crate::limits::{CLOCKS_KEPT, DOMAIN_FLOOR_MS, START_JITTER_MS};
use crate::promises::{Owed, Promised};
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

/// Whose clock it is, and how long it holds after a start by a promise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner<'a, I> {
    pub(crate) name: &'a str,
    pub(crate) interval_ms: I,
}

/// Starts, and what the owner is owed after each.
#[derive(Debug, Default)]
struct Starts(BTreeMap<Timestamp, Owed>);

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

    pub(crate) fn contact<I: Fn(&Terms) -> u64>(
        &mut self,
        contact: &Contact,
        owner: Owner<'_, I>,
        promised: Promised<'_>,
    ) -> Between {
        let Owner { name, interval_ms } = owner;
        let own_ms = interval_ms(promised.at_start());
        let longest_ms = own_ms.max(interval_ms(promised.at_end())).max(DOMAIN_FLOOR_MS);
        let forgotten = contact.ended() - (promised.at_end().fetch_ms() + longest_ms);
        self.sweep(forgotten);
        let starts = self.by_owner.entry(id_of(name)).or_default();
        starts.forget_before(forgotten);
        let own = promised.owed_from_start(contact.started(), own_ms);
        let due = starts.due(promised, &interval_ms);
        let before = Applied::NONE.or_later(Applied { due, clause: self.clause });
        let before = before.or_later(promised.after_crash(&interval_ms));
        Between { before, too_early: starts.insert(own, promised, &interval_ms) }
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
    /// Until when the start before this contact's has it wait.
    fn due(&self, promised: Promised<'_>, interval_ms: impl Fn(&Terms) -> u64) -> Timestamp {
        let before = self.0.range(..=promised.started()).next_back();
        before.map_or(Timestamp::ZERO, |(_, owed)| promised.due(*owed, interval_ms))
    }

    /// The start after this one, if this one makes it too early.
    fn insert(
        &mut self,
        own: Owed,
        promised: Promised<'_>,
        interval_ms: impl Fn(&Terms) -> u64,
    ) -> Option<Timestamp> {
        self.0.insert(own.from, own);
        let (after, _) = self.0.range(own.from + 1..).next()?;
        let due = promised.of_another(*after).due(own, interval_ms);
        (*after + START_JITTER_MS < due).then_some(*after)
    }

    fn forget_before(&mut self, moment: Timestamp) {
        while let Some(first) = self.0.first_entry().filter(|first| *first.key() < moment) {
            first.remove();
        }
    }
}
