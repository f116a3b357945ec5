//! The seen-set of a crawl: a DRUM a shard, with what a crawl has around them.

use crate::stopwatch::{Spent, timed};
use crate::stream::{Keys, Round, SHARDS, Stream};
use crate::uniques::Uniques;
use disk::{OsDisk, SharedDisk};
use drum::{Clock, Config, Drum, Packing, Request, Traffic};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Buffer of a shard: 104 MiB in all. It fills before the texts that there are come round again.
const BUFFER_BYTES: usize = 416 << 10;
/// Keys that the cache remembers: it fits beside the merge in the second-level cache.
const CACHE_KEYS: usize = 1 << 16;
/// Checks that the exchange hands over at a time.
const ROUND: usize = 1 << 14;

/// What checking took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Measured {
    pub(crate) checks: u64,
    pub(crate) unique: u64,
    pub(crate) text_bytes: u64,
    pub(crate) preload: Spent,
    pub(crate) append: Spent,
    pub(crate) merge: Spent,
    pub(crate) traffic: Traffic,
    /// Bytes of the queue of new URLs.
    pub(crate) queue_bytes: u64,
    /// Most bytes that waited in buckets.
    pub(crate) bucket_bytes: u64,
    /// Bytes of the key files at the end.
    pub(crate) key_bytes: u64,
}

impl Measured {
    /// Checks a second on one core.
    pub(crate) fn per_cpu_s(&self) -> f64 {
        self.checks as f64 / (self.append.cpu_s + self.merge.cpu_s)
    }

    pub(crate) fn per_wall_s(&self) -> f64 {
        self.checks as f64 / (self.append.wall_s + self.merge.wall_s)
    }

    /// Bytes moved for each byte of text checked, the queue of new URLs included.
    pub(crate) fn alpha(&self) -> f64 {
        (self.traffic.total() + self.queue_bytes) as f64 / self.text_bytes as f64
    }

    /// b.
    pub(crate) fn mean_bytes(&self) -> f64 {
        self.text_bytes as f64 / self.checks as f64
    }

    /// p.
    pub(crate) fn unique_share(&self) -> f64 {
        self.unique as f64 / self.checks as f64
    }

    /// What text takes in the buckets, of what it is: all but the keys.
    pub(crate) fn text_ratio(&self) -> f64 {
        (self.bucket_bytes - 8 * self.checks) as f64 / self.text_bytes as f64
    }
}

pub(crate) struct SeenSet {
    shards: Vec<Drum<()>>,
    uniques: Uniques,
    cache: Clock,
    /// Which checks of the round the cache answers.
    remembered: Vec<bool>,
    measured: Measured,
}

impl SeenSet {
    /// Holds `keys`, and makes `checks` checks against them before a merge is due.
    pub(crate) fn preloaded(dir: &Path, keys: Keys, checks: u64, packing: Packing) -> Self {
        let disk: SharedDisk = Arc::new(OsDisk::new(dir.to_owned()).expect("a directory to work in"));
        // A bucket is due when its share of the checks waits; 140 bytes are more than one takes.
        let bucket_bytes = (checks / SHARDS as u64 * 140).max(16 << 20);
        let config = Config { bucket_bits: 0, buffer_bytes: BUFFER_BYTES, bucket_bytes, packing };
        let open = |shard| {
            let name = PathBuf::from(format!("shard-{shard:02x}"));
            Drum::open(disk.clone(), name, config, None).expect("an empty DRUM")
        };
        let mut seen_set = Self {
            shards: (0..SHARDS).map(open).collect(),
            uniques: Uniques::create(dir),
            cache: Clock::new(CACHE_KEYS),
            remembered: Vec::new(),
            measured: Measured::default(),
        };
        seen_set.preload(keys);
        seen_set
    }

    /// Checks what `stream` brings, then merges what waits.
    pub(crate) fn check(mut self, stream: &mut Stream<'_>, checks: u64) -> Measured {
        let before = self.traffic();
        let mut round = Round::default();
        let mut spent = Spent::default();
        while self.measured.checks < checks {
            stream.next(ROUND, &mut round);
            timed(&mut spent, || self.append(&round));
        }
        self.measured.append = spent;
        let waiting = self.traffic();
        self.measured.bucket_bytes = waiting.bucket_written - before.bucket_written;
        let mut spent = Spent::default();
        timed(&mut spent, || (0..SHARDS).for_each(|shard| self.merge(shard)));
        self.measured.merge = spent;
        self.finish(before)
    }

    fn preload(&mut self, keys: Keys) {
        let mut spent = Spent::default();
        timed(&mut spent, || {
            for shard in 0..SHARDS {
                for nth in 0..keys.per_shard {
                    let key = keys.known(shard as u64, nth);
                    self.shards[shard].append(key, Request::Update(()), b"").expect("room");
                }
                self.merge(shard);
            }
        });
        self.measured.preload = spent;
    }

    fn append(&mut self, round: &Round) {
        // All of the round before the first append: looks into the cache then wait for memory together.
        self.remembered.clear();
        self.remembered.extend(round.checks.iter().map(|check| remember(&mut self.cache, check.key)));
        let mut text = &round.text[..];
        for (check, remembered) in round.checks.iter().zip(&self.remembered) {
            let (url, rest) = text.split_at(usize::from(check.text_bytes));
            text = rest;
            // What a crawl pays to know the key, which is chosen here.
            black_box(xxh3_64(url));
            if *remembered {
                continue;
            }
            self.measured.checks += 1;
            self.measured.text_bytes += url.len() as u64;
            let shard = &mut self.shards[usize::from(check.shard)];
            shard.append(check.key, Request::CheckUpdate(()), url).expect("room in the bucket");
        }
    }

    fn merge(&mut self, shard: usize) {
        let (uniques, unique) = (&mut self.uniques, &mut self.measured.unique);
        let deliver = |verdict: drum::Verdict<'_, ()>| {
            if verdict.is_unique() {
                *unique += 1;
                uniques.push(verdict.aux)?;
            }
            Ok(())
        };
        self.shards[shard].merge_now(0, deliver).expect("a merge");
    }

    fn traffic(&self) -> Traffic {
        let mut sum = Traffic::default();
        self.shards.iter().for_each(|shard| sum += shard.traffic());
        sum
    }

    fn finish(mut self, before: Traffic) -> Measured {
        let mut spent = Spent::default();
        self.measured.queue_bytes = timed(&mut spent, || self.uniques.finish());
        self.measured.merge += spent;
        self.measured.traffic = difference(self.traffic(), before);
        self.measured.key_bytes = self.shards.iter().map(|shard| shard.key_bytes(0)).sum();
        self.measured
    }
}

/// Whether the cache knows `key`; from now on it does.
fn remember(cache: &mut Clock, key: u64) -> bool {
    let known = cache.contains(key);
    if !known {
        cache.insert(key);
    }
    known
}

fn difference(after: Traffic, before: Traffic) -> Traffic {
    Traffic {
        bucket_written: after.bucket_written - before.bucket_written,
        bucket_read: after.bucket_read - before.bucket_read,
        keys_read: after.keys_read - before.keys_read,
        keys_written: after.keys_written - before.keys_written,
    }
}
