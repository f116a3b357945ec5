use crate::Crawler;
use frontier::{Frontier, HostFacts, HostsOnDisk, ListedHost, Result, SuspectTemplate};
use snapshot::Offline;
use stdx::Timestamp;

impl Crawler {
    /// Hosts of a shard that are in memory: those of `limit` places from the `first` on. Whoever wants all goes on place by place
    /// and shard by shard, so that nobody is kept waiting.
    pub fn hosts_at_hand(
        &self,
        shard: u8,
        first: usize,
        limit: usize,
    ) -> impl Iterator<Item = ListedHost<'_>> {
        let shard = self.shards.if_open(shard);
        shard.into_iter().flat_map(move |shard| shard.hosts_at_hand(first, limit))
    }

    /// How many places there are in a shard.
    pub fn places_at_hand(&self, shard: u8) -> usize {
        self.shards.if_open(shard).map_or(0, Frontier::places_at_hand)
    }

    /// The hosts of a shard that lie on disk, for somebody else to read; `None` if nothing was ever there.
    pub fn hosts_on_disk(&self, shard: u8) -> Option<HostsOnDisk> {
        self.shards.if_open(shard).map(Frontier::hosts_on_disk).filter(|hosts| !hosts.is_empty())
    }

    /// What a list says of the host of this name, in memory or on disk.
    pub fn host_facts(&self, name: &str) -> Result<Option<HostFacts>> {
        let shard = self.shards.if_open(self.config.rules.shard(name));
        shard.map_or(Ok(None), |shard| shard.facts_of(name))
    }

    /// Whether the host of this name is in memory.
    pub fn is_at_hand(&self, name: &str) -> bool {
        let shard = self.shards.if_open(self.config.rules.shard(name));
        shard.is_some_and(|shard| shard.is_at_hand(name))
    }

    /// Patterns of URLs that traps have held back: of each shard those with the most.
    pub fn suspect_templates(&self) -> impl Iterator<Item = &SuspectTemplate> {
        self.shards.iter().flat_map(|shard| shard.traps().suspects())
    }

    /// Since when nobody can be reached from here, if that is so.
    pub fn offline(&self, now: Timestamp) -> Option<Offline> {
        self.uplink.standing(now)
    }

    /// Whether the operator has paused the crawl.
    pub fn is_paused(&self) -> bool {
        self.orders.paused
    }

    /// Whether the journal is to be read once more, after rules have become wider: what they had let go is not known until then.
    pub fn wants_rereading(&self) -> bool {
        self.orders.wants_rereading() || !self.rereading.is_done()
    }
}
