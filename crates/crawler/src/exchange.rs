use crate::Discoveries;
use frontier::Discovered;

/// Carries discoveries to the shards that own them. On one machine all shards are here and what a page gives goes straight to
/// the journal; nothing in the ring depends on that.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    sent: Discoveries,
}

impl Exchange {
    /// With room for so many discoveries, and so many bytes of URLs.
    pub(crate) fn with_capacity(discoveries: usize, url_bytes: usize) -> Self {
        Self { sent: Discoveries::with_capacity(discoveries, url_bytes) }
    }

    pub(crate) fn send(&mut self, shard: u8, discovery: Discovered<'_>) {
        self.sent.push(shard, discovery);
    }

    /// What goes into one record each, sorted by shard: first what is for shards of this node, all together, then what is for
    /// others, a shard at a time.
    pub(crate) fn deliver(mut self, is_ours: impl Fn(u8) -> bool) -> Vec<Discoveries> {
        self.sent.sort(&is_ours);
        self.sent.into_records(|first, next| next == first || (is_ours(first) && is_ours(next)))
    }
}
