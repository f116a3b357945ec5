use crate::Addressed;
use crate::limits::{DISCOVERIES_PER_RECORD, DISCOVERY_BYTES_PER_RECORD};
use frontier::Discovery;

/// Carries discoveries to the shards that own them. On one machine all shards are here and what a page gives goes straight to
/// the journal; nothing in the ring depends on that.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    sent: Vec<Addressed>,
}

impl Exchange {
    /// With room for so many discoveries.
    pub(crate) fn with_capacity(discoveries: usize) -> Self {
        Self { sent: Vec::with_capacity(discoveries) }
    }

    pub(crate) fn send(&mut self, shard: u8, discovery: Discovery) {
        self.sent.push(Addressed { shard, discovery });
    }

    /// What goes into one record each, sorted by shard: first what is for shards of this node, all together, then what is for
    /// others, a shard at a time.
    pub(crate) fn deliver(mut self, is_ours: impl Fn(u8) -> bool) -> impl Iterator<Item = Vec<Addressed>> {
        self.sent.sort_by_key(|sent| (!is_ours(sent.shard), sent.shard));
        let mut rest = self.sent.into_iter();
        std::iter::from_fn(move || {
            let first = rest.as_slice().first()?.shard;
            let joins = |shard| shard == first || (is_ours(first) && is_ours(shard));
            let count = batch(rest.as_slice(), joins);
            Some(rest.by_ref().take(count).collect())
        })
    }
}

/// How many go into the next record: those that join it, and at most as much as a record may hold, but one at least.
fn batch(sent: &[Addressed], joins: impl Fn(u8) -> bool) -> usize {
    let mut bytes = 0;
    let fits = |next: &&Addressed| {
        bytes += next.discovery.url.len();
        joins(next.shard) && bytes <= DISCOVERY_BYTES_PER_RECORD
    };
    sent.iter().take(DISCOVERIES_PER_RECORD).take_while(fits).count().max(1)
}
