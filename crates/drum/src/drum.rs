use crate::bucket::Bucket;
use crate::clock::Clock;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::limits::{FULL_FACTOR, MAX_AUX_BYTES};
use crate::manifest::Manifest;
use crate::names;
use crate::recovery::{check_shape, cut_back};
use crate::request::{Appended, Request};
use crate::segment::Segment;
use crate::traffic::Traffic;
use crate::value::{Value, append_value};
use disk::SharedDisk;
use std::collections::BTreeSet;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64_with_seed;
use zstd::bulk::Compressor;

/// Disk repository with update management (IRLbot §IV-C): an unlimited map from 64-bit keys to values that
/// is checked and updated in batches, by sorting and one sequential pass a bucket.
///
/// Requests are appended to buckets; a bucket's merge is a [`MergeJob`](crate::MergeJob) that runs wherever
/// the caller likes; verdicts come from it. A [`Manifest`] names an exact cut to which
/// [`Drum::open`] returns.
pub struct Drum<V> {
    pub(crate) disk: SharedDisk,
    pub(crate) dir: PathBuf,
    pub(crate) config: Config,
    pub(crate) buckets: Vec<Bucket<V>>,
    pub(crate) next_generation: u64,
    pub(crate) traffic: Traffic,
    /// Whether names in `dir` may not be durable.
    pub(crate) names_dirty: bool,
    /// Files that a manifest in the caller's hands names.
    pub(crate) kept: BTreeSet<String>,
    /// Files that nothing but such a manifest needs.
    pub(crate) retired: BTreeSet<String>,
    /// Holds only what was appended since the start, so that a recovery need not undo it.
    cache: Clock,
    compressor: Compressor<'static>,
}

impl<V: Value> Drum<V> {
    /// Opens the DRUM in `dir` as `manifest` says, or an empty one, and removes what is not part of it.
    /// Every request appended and every merge finished after the manifest's checkpoint is undone.
    pub fn open(disk: SharedDisk, dir: PathBuf, config: Config, manifest: Option<&Manifest>) -> Result<Self> {
        config.assert_within_limits();
        let empty = Manifest::empty(config.bucket_bits, V::SIZE as u16);
        let manifest = manifest.unwrap_or(&empty);
        check_shape::<V>(&config, manifest)?;
        disk.create_dir(&dir)?;
        cut_back(&*disk, &dir, manifest)?;
        Ok(Self {
            disk,
            dir,
            config,
            buckets: manifest.buckets.iter().map(Bucket::from_cut).collect(),
            next_generation: manifest.next_generation,
            traffic: Traffic::default(),
            names_dirty: false,
            kept: manifest.files(),
            retired: BTreeSet::new(),
            cache: Clock::new(config.cache_keys),
            compressor: Compressor::new(config.level)?,
        })
    }

    /// Appends a request, with `aux` to be given back in its verdict (at most 1 MiB). After an error the
    /// request was not taken. A check+update that the cache knows to be repeated is dropped.
    pub fn append(&mut self, key: u64, request: Request<V>, aux: &[u8]) -> Result<Appended> {
        assert!(aux.len() <= MAX_AUX_BYTES, "aux of {} bytes", aux.len());
        let tag = cache_tag(key, &request).filter(|_| self.config.cache_keys > 0);
        if tag.is_some_and(|tag| self.cache.contains(tag)) {
            return Ok(Appended::Repeated);
        }
        let bucket = self.bucket_of(key);
        self.make_room(bucket)?;
        self.buckets[bucket].batch.push(key, &request, aux);
        if let Some(tag) = tag {
            self.cache.insert(tag);
        }
        Ok(Appended::Waiting { bucket })
    }

    /// The bucket that most needs a merge, if one has reached its size.
    pub fn due(&self) -> Option<usize> {
        self.fullest().filter(|bucket| self.buckets[*bucket].waiting_bytes() >= self.config.bucket_bytes)
    }

    /// The bucket in which most bytes wait, due or not; for a frontier that is hungry. `None` if nothing
    /// waits, or only in buckets that are being merged.
    pub fn fullest(&self) -> Option<usize> {
        let candidates = self.buckets.iter().enumerate().filter(|(_, bucket)| bucket.merging.is_none());
        let sizes = candidates.map(|(number, bucket)| (bucket.waiting_bytes(), std::cmp::Reverse(number)));
        sizes.filter(|size| size.0 > 0).max().map(|size| size.1.0)
    }

    /// Requests that wait for a merge to begin.
    pub fn waiting(&self) -> u64 {
        self.buckets.iter().map(Bucket::waiting).sum()
    }

    /// Keys in the key files; those that only wait are not counted.
    pub fn keys(&self) -> u64 {
        self.buckets.iter().filter_map(|bucket| Some(bucket.keys?.keys)).sum()
    }

    /// Bytes of the key file of `bucket`: what a merge of it will read and write beside what waits.
    pub fn key_bytes(&self, bucket: usize) -> u64 {
        self.buckets[bucket].keys.map_or(0, |keys| keys.len)
    }

    /// How many buckets there are.
    pub fn bucket_count(&self) -> usize {
        self.buckets.len()
    }

    /// Bytes moved since the DRUM was opened.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Panics if the parts contradict each other.
    pub fn check_invariants(&self) {
        self.buckets.iter().for_each(|bucket| bucket.check_invariants(self.next_generation));
        let live: BTreeSet<String> =
            self.buckets.iter().enumerate().flat_map(|(n, b)| live_files(n, b)).collect();
        assert!(live.is_disjoint(&self.retired), "a retired file is in use");
    }

    /// The bucket of a key, by its highest bits.
    pub(crate) fn bucket_of(&self, key: u64) -> usize {
        key.checked_shr(u64::BITS - u32::from(self.config.bucket_bits)).unwrap_or(0) as usize
    }

    pub(crate) fn new_generation(&mut self) -> u64 {
        self.next_generation += 1;
        self.next_generation - 1
    }

    /// Moves the bucket's batch into a segment, as a block that is not written yet.
    pub(crate) fn seal_batch(&mut self, number: usize) -> Result<()> {
        if self.buckets[number].batch.is_empty() {
            return Ok(());
        }
        let block = self.buckets[number].batch.to_block(&mut self.compressor)?;
        if self.buckets[number].segments.len() == self.buckets[number].frozen {
            let generation = self.new_generation();
            self.buckets[number].segments.push(Segment::new(generation));
        }
        let bucket = &mut self.buckets[number];
        let entries = bucket.batch.count();
        bucket.batch.clear();
        bucket.segments.last_mut().expect("one was pushed if there was none").push(block, entries);
        Ok(())
    }

    /// Writes every sealed block of the bucket.
    pub(crate) fn write_out(&mut self, number: usize) -> Result<()> {
        for segment in &mut self.buckets[number].segments {
            let path = self.dir.join(names::segment(number, segment.generation));
            self.names_dirty |= !segment.unwritten.is_empty();
            self.traffic.bucket_written += segment.write_out(&*self.disk, &path)?;
        }
        Ok(())
    }

    /// Room for one more request in the bucket's batch.
    fn make_room(&mut self, number: usize) -> Result<()> {
        if self.buckets[number].batch.bytes() < self.config.buffer_bytes {
            return Ok(());
        }
        if self.buckets[number].stored_bytes() >= FULL_FACTOR * self.config.bucket_bytes {
            return Err(Error::BucketFull { bucket: number });
        }
        // First what an earlier error left behind, so that errors cannot heap up blocks in memory.
        self.write_out(number)?;
        self.seal_batch(number)?;
        self.write_out(number)
    }
}

/// What the cache knows a check+update by: its key, and its value if it has one, so that another value (a
/// shorter path) passes.
fn cache_tag<V: Value>(key: u64, request: &Request<V>) -> Option<u64> {
    match request {
        Request::CheckUpdate(_) if V::SIZE == 0 => Some(key),
        Request::CheckUpdate(value) => {
            let mut bytes = Vec::with_capacity(V::SIZE);
            append_value(&mut bytes, value);
            Some(xxh3_64_with_seed(&bytes, key))
        }
        Request::Check | Request::Update(_) => None,
    }
}

pub(crate) fn live_files<V>(number: usize, bucket: &Bucket<V>) -> impl Iterator<Item = String> {
    let keys = bucket.keys.iter().map(move |keys| names::keys(number, keys.generation));
    keys.chain(bucket.segments.iter().map(move |segment| names::segment(number, segment.generation)))
}
