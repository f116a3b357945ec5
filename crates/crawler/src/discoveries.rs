mod packed;

use crate::Addressed;
use crate::limits::{DISCOVERIES_PER_RECORD, DISCOVERY_BYTES_PER_RECORD};
use frontier::{Discovered, Kind};
use weburl::KeyHash;

/// Discoveries for several shards, in two blocks of memory however many they are, and one of bytes in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discoveries {
    /// The URLs, one behind the other in the order in which they came.
    urls: String,
    list: Vec<Kept>,
}

/// All but the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    key: KeyHash,
    /// Where its URL is.
    start: usize,
    end: usize,
    depth: u32,
    shard: u8,
    hops: u8,
    kind: Kind,
}

/// Discoveries for one shard.
#[derive(Debug, Clone, Copy)]
pub struct OfShard<'a> {
    /// The shard that owns them.
    pub shard: u8,
    urls: &'a str,
    list: &'a [Kept],
}

impl Discoveries {
    /// With room for so many, and so many bytes of URLs.
    pub fn with_capacity(discoveries: usize, url_bytes: usize) -> Self {
        Self { urls: String::with_capacity(url_bytes), list: Vec::with_capacity(discoveries) }
    }

    /// Appends one.
    pub fn push(&mut self, shard: u8, discovery: Discovered<'_>) {
        let Discovered { url, key, depth, hops, kind } = discovery;
        let start = self.urls.len();
        self.urls.push_str(url);
        self.list.push(Kept { key, start, end: self.urls.len(), depth, shard, hops, kind });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// In order, those of a shard that stand together.
    pub fn by_shard(&self) -> impl Iterator<Item = OfShard<'_>> {
        let same = self.list.chunk_by(|one, next| one.shard == next.shard);
        same.map(|list| OfShard { shard: list[0].shard, urls: &self.urls, list })
    }

    /// Sorts them by shard, those for which `is_ours` holds before the others.
    pub(crate) fn sort(&mut self, is_ours: impl Fn(u8) -> bool) {
        self.list.sort_by_key(|kept| (!is_ours(kept.shard), kept.shard));
    }

    /// Cut into parts: each has discoveries that all `join` its first, and at most as much as a record may hold, but one at least.
    pub(crate) fn into_records(self, joins: impl Fn(u8, u8) -> bool) -> Vec<Self> {
        let mut records = Vec::new();
        let mut from = 0;
        while from < self.len() {
            let count = self.batch(from, &joins);
            if count == self.len() {
                return vec![self];
            }
            records.push(self.part(from, count));
            from += count;
        }
        records
    }

    /// How many go into the record that begins with number `from`.
    fn batch(&self, from: usize, joins: impl Fn(u8, u8) -> bool) -> usize {
        let mut bytes = 0;
        let first = self.list[from].shard;
        let fits = |next: &&Kept| {
            bytes += next.end - next.start;
            joins(first, next.shard) && bytes <= DISCOVERY_BYTES_PER_RECORD
        };
        self.list[from..].iter().take(DISCOVERIES_PER_RECORD).take_while(fits).count().max(1)
    }

    fn part(&self, from: usize, count: usize) -> Self {
        let mut part = Self::with_capacity(count, 0);
        let all =
            OfShard { shard: self.list[from].shard, urls: &self.urls, list: &self.list[from..][..count] };
        all.list.iter().zip(all.iter()).for_each(|(kept, discovery)| part.push(kept.shard, discovery));
        part
    }
}

impl<'a> OfShard<'a> {
    /// They, in order.
    pub fn iter(self) -> impl Iterator<Item = Discovered<'a>> {
        self.list.iter().map(move |&Kept { key, start, end, depth, hops, kind, .. }| {
            let url = &self.urls[start..end];
            Discovered { url, key, depth, hops, kind }
        })
    }
}

impl From<Vec<Addressed>> for Discoveries {
    fn from(list: Vec<Addressed>) -> Self {
        let mut discoveries = Self::with_capacity(list.len(), 0);
        for Addressed { shard, discovery } in &list {
            discoveries.push(*shard, discovery.into());
        }
        discoveries
    }
}
