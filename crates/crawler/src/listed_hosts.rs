use crate::Crawler;
use frontier::{Frontier, ListedHost};

impl Crawler {
    /// The hosts of a shard that are in memory. Whoever wants those of all asks shard by shard, so that nobody is kept waiting.
    pub fn hosts_at_hand(&self, shard: u8) -> impl Iterator<Item = ListedHost<'_>> {
        self.shards.if_open(shard).into_iter().flat_map(Frontier::hosts_at_hand)
    }

    /// How many they are.
    pub fn hosts_at_hand_len(&self, shard: u8) -> usize {
        self.shards.if_open(shard).map_or(0, Frontier::hosts_at_hand_len)
    }
}
