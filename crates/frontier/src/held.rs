use crate::Pending;
use std::collections::{BTreeMap, VecDeque, vec_deque};
use stdx::Timestamp;
use weburl::KeyHash;

/// URLs in memory, in order, and the bytes they take.
#[derive(Debug, Default)]
pub(crate) struct Held {
    entries: VecDeque<Pending>,
    bytes: u64,
}

impl Held {
    pub(crate) fn push_back(&mut self, pending: Pending) {
        self.bytes += pending.bytes();
        self.entries.push_back(pending);
    }

    pub(crate) fn push_front(&mut self, pending: Pending) {
        self.bytes += pending.bytes();
        self.entries.push_front(pending);
    }

    pub(crate) fn pop_front(&mut self) -> Option<Pending> {
        let pending = self.entries.pop_front()?;
        self.bytes -= pending.bytes();
        if self.entries.is_empty() {
            self.entries = VecDeque::new();
        }
        Some(pending)
    }

    /// Takes one URL out, wherever it stands.
    pub(crate) fn remove(&mut self, key: KeyHash) -> Option<Pending> {
        let at = self.entries.iter().position(|pending| pending.key == key)?;
        let pending = self.entries.remove(at)?;
        self.bytes -= pending.bytes();
        Some(pending)
    }

    /// Takes out all that leave, in one pass and without more room for those that stay.
    pub(crate) fn extract(&mut self, leaves: impl Fn(&Pending) -> bool, gone: &mut Vec<Pending>) {
        for _ in 0..self.entries.len() {
            let Some(pending) = self.entries.pop_front() else { return };
            if leaves(&pending) {
                self.bytes -= pending.bytes();
                gone.push(pending);
            } else {
                self.entries.push_back(pending);
            }
        }
    }

    /// Keeps the first `count`; gives the others.
    pub(crate) fn split_off(&mut self, count: usize) -> Self {
        let entries = self.entries.split_off(count.min(self.entries.len()));
        let bytes = entries.iter().map(Pending::bytes).sum();
        self.bytes -= bytes;
        Self { entries, bytes }
    }

    /// Appends all of `other`.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.bytes += other.bytes;
        self.entries.append(&mut other.entries);
    }

    pub(crate) fn front(&self) -> Option<&Pending> {
        self.entries.front()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn iter(&self) -> vec_deque::Iter<'_, Pending> {
        self.entries.iter()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// URLs that wait for a moment of their own.
#[derive(Debug, Default)]
pub(crate) struct Retries {
    entries: BTreeMap<(Timestamp, KeyHash), Pending>,
    bytes: u64,
}

impl Retries {
    pub(crate) fn insert(&mut self, pending: Pending) {
        self.bytes += pending.bytes();
        self.entries.insert((pending.due, pending.key), pending);
    }

    /// The first, if its moment has come.
    pub(crate) fn pop_due(&mut self, now: Timestamp) -> Option<Pending> {
        let entry = self.entries.first_entry().filter(|entry| entry.key().0 <= now)?;
        let pending = entry.remove();
        self.bytes -= pending.bytes();
        Some(pending)
    }

    pub(crate) fn remove(&mut self, key: KeyHash) -> Option<Pending> {
        let at = *self.entries.keys().find(|(_, held)| *held == key)?;
        let pending = self.entries.remove(&at)?;
        self.bytes -= pending.bytes();
        Some(pending)
    }

    /// Takes out all that leave.
    pub(crate) fn extract(&mut self, leaves: impl Fn(&Pending) -> bool, gone: &mut Vec<Pending>) {
        let before = gone.len();
        gone.extend(self.entries.extract_if(.., |_, pending| leaves(pending)).map(|(_, pending)| pending));
        self.bytes -= gone[before..].iter().map(Pending::bytes).sum::<u64>();
    }

    pub(crate) fn due(&self) -> Option<Timestamp> {
        self.entries.keys().next().map(|(due, _)| *due)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Pending> + Clone {
        self.entries.values()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}
