use std::hash::Hash;
use stdx::{Map, Rng, map};

/// What is remembered of those we meet, in a bounded number of bytes. Where there is no room for another, any one is forgotten: a crawl goes
/// round its hosts, and were it the one that was met longest ago, a round of more hosts than have room would find none of them.
pub(crate) struct Bounded<K, V> {
    known: Map<K, V>,
    /// The same, to pick one of.
    names: Vec<K>,
    lottery: Rng,
    /// What they take.
    bytes: u64,
    limit: u64,
}

/// What takes memory.
pub(crate) trait Bytes {
    /// How much, with its name and its places in tables.
    fn bytes(&self) -> u64;
}

impl<K: Clone + Eq + Hash, V: Bytes + Default> Bounded<K, V> {
    /// At most `limit` bytes, and one at least.
    pub(crate) fn new(limit: u64) -> Self {
        Self { known: map(), names: Vec::new(), lottery: Rng::new(0), bytes: 0, limit }
    }

    pub(crate) fn get(&self, name: &K) -> Option<&V> {
        self.known.get(name)
    }

    /// Notes something about one that is met.
    pub(crate) fn meet(&mut self, name: K, note: impl FnOnce(&mut V)) {
        if !self.known.contains_key(&name) {
            self.names.push(name.clone());
            self.bytes += V::default().bytes();
        }
        let value = self.known.entry(name).or_default();
        self.bytes -= value.bytes();
        note(value);
        self.bytes += value.bytes();
        while self.bytes > self.limit && self.names.len() > 1 {
            self.forget_any();
        }
    }

    /// Changes what is known of one, so that it takes no more.
    pub(crate) fn take<T>(&mut self, name: &K, take: impl FnOnce(&mut V) -> Option<T>) -> Option<T> {
        let value = self.known.get_mut(name)?;
        self.bytes -= value.bytes();
        let taken = take(value);
        self.bytes += value.bytes();
        taken
    }

    fn forget_any(&mut self) {
        let any = self.lottery.below(self.names.len() as u64) as usize;
        let forgotten = self.known.remove(&self.names.swap_remove(any));
        self.bytes -= forgotten.map_or(0, |value| value.bytes());
    }
}
