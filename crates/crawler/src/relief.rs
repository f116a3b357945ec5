use crate::Crawler;
use crate::limits::{RELIEF_SHARE, SHARDS};
use frontier::{Frontier, Hunger, Result};
use std::cmp::Reverse;

/// Keeps a replay, which brings back every host that its journal speaks of, to the memory that hosts may take: when they take more, those
/// leave that a crawl would send off.
#[derive(Debug)]
pub(crate) struct Relief {
    /// Bytes of the journal read since it looked.
    read_bytes: u64,
    /// What each shard was left with when it was relieved last.
    left: [u64; SHARDS],
}

impl Default for Relief {
    fn default() -> Self {
        Self { read_bytes: 0, left: [0; SHARDS] }
    }
}

impl Relief {
    /// An entry of so many bytes has been replayed.
    pub(crate) fn after(&mut self, entry_bytes: usize, crawler: &mut Crawler) -> Result<()> {
        self.read_bytes += entry_bytes as u64;
        let room = crawler.shards.room_bytes();
        if self.read_bytes < room / RELIEF_SHARE {
            return Ok(());
        }
        self.read_bytes = 0;
        if crawler.shards.resident_bytes() > room { self.relieve(crawler, room) } else { Ok(()) }
    }

    /// Shard by shard, first those that have taken in the most since they were relieved: a job costs about the same, however many leave, and
    /// who could not leave then can't leave now. Those that have taken in less than a quarter of an even share are passed over.
    fn relieve(&mut self, crawler: &mut Crawler, room: u64) -> Result<()> {
        crawler.shards.halve_memory();
        let taken_in =
            |(shard, bytes): (u8, u64)| (bytes.saturating_sub(self.left[usize::from(shard)]), shard);
        let mut shards: Vec<(u64, u8)> = crawler.shards.resident_bytes_each().map(taken_in).collect();
        shards.sort_unstable_by_key(|shard| Reverse(*shard));
        shards.retain(|(taken_in, _)| *taken_in >= room / SHARDS as u64 / 4);
        for (_, shard) in shards {
            crawler.work_at_once(shard, Hunger::Fed)?;
            let left = crawler.shards.if_open(shard).map_or(0, Frontier::resident_bytes);
            self.left[usize::from(shard)] = left;
            if crawler.shards.resident_bytes() <= room {
                break;
            }
        }
        Ok(())
    }
}
