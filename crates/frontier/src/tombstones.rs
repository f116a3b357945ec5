use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weburl::KeyHash;

/// Entries on disk whose URL has gone on without them. A replay knows that an attempt was made, but not where the
/// entry of its URL is: it was drawn after the cut. Such an entry is dropped when it surfaces. There are never
/// more than attempts in one tail of the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tombstones {
    buried: BTreeMap<u64, Tombstone>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Tombstone {
    /// Entries discovered before this are meant; one that was queued again after it is alive.
    before: u64,
    /// How many of them there are.
    entries: u32,
}

impl Tombstones {
    /// One more entry of `key`, older than `before`, is not to count.
    pub(crate) fn bury(&mut self, key: KeyHash, before: u64) {
        let tombstone = self.buried.entry(key.0).or_insert(Tombstone { before, entries: 0 });
        tombstone.before = before;
        tombstone.entries += 1;
    }

    /// Whether the entry of `key` with this order is one that does not count.
    pub(crate) fn covers(&self, key: KeyHash, order: u64) -> bool {
        self.buried.get(&key.0).is_some_and(|tombstone| order < tombstone.before)
    }

    /// Whether any entry of `key` does not count.
    pub(crate) fn has(&self, key: KeyHash) -> bool {
        self.buried.contains_key(&key.0)
    }

    /// Like [`Self::covers`]; the entry has surfaced and is dropped.
    pub(crate) fn lift(&mut self, key: KeyHash, order: u64) -> bool {
        let covers = self.covers(key, order);
        if covers {
            self.settle(key);
        }
        covers
    }

    /// An entry of `key` was dropped.
    pub(crate) fn settle(&mut self, key: KeyHash) {
        let Some(tombstone) = self.buried.get_mut(&key.0) else { return };
        tombstone.entries -= 1;
        if tombstone.entries == 0 {
            self.buried.remove(&key.0);
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.buried.values().map(|tombstone| u64::from(tombstone.entries)).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.buried.is_empty()
    }
}
