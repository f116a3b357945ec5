use crate::host::Barred;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many URLs are in which state; part of a cut, and adjusted wherever a state changes.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Entries of URLs that wait, wherever they are; after a crash with those that tombstones will drop.
    pub(crate) pending: u64,
    pub(crate) fetched: u64,
    pub(crate) parked: u64,
    pub(crate) excluded: BTreeMap<String, u64>,
    /// Hosts ever met.
    pub(crate) hosts: u64,
}

impl Tally {
    /// So many URLs are held by a host.
    pub(crate) fn hold(&mut self, barred: Option<&Barred>, count: u64) {
        *self.held_by(barred) += count;
    }

    /// So many URLs are held by a host no more.
    pub(crate) fn let_go(&mut self, barred: Option<&Barred>, count: u64) {
        let held = self.held_by(barred);
        *held = held.saturating_sub(count);
        if matches!(barred, Some(Barred::Excluded(_))) {
            self.excluded.retain(|_, urls| *urls > 0);
        }
    }

    pub(crate) fn exclude(&mut self, rule: &str, count: u64) {
        *self.excluded_by(rule) += count;
    }

    fn held_by(&mut self, barred: Option<&Barred>) -> &mut u64 {
        match barred {
            None => &mut self.pending,
            Some(Barred::Parked(_)) => &mut self.parked,
            Some(Barred::Excluded(rule)) => self.excluded_by(rule.name()),
        }
    }

    fn excluded_by(&mut self, rule: &str) -> &mut u64 {
        if !self.excluded.contains_key(rule) {
            self.excluded.insert(rule.to_owned(), 0);
        }
        self.excluded.get_mut(rule).expect("it was just put there")
    }
}
