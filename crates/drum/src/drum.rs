use crate::bucket::Bucket;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::limits::{FULL_FACTOR, MAX_AUX_BYTES};
use crate::manifest::Manifest;
use crate::names;
use crate::packing::Packing;
use crate::recovery::{check_shape, cut_back};
use crate::request::Request;
use crate::segment::Segment;
use crate::traffic::Traffic;
use crate::value::Value;
use disk::SharedDisk;
use std::collections::BTreeSet;
use std::path::PathBuf;

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
    /// Cuts in the caller's hands, from the last one committed on: their files stay.
    pub(crate) cuts: Vec<Manifest>,
    /// Files that nothing but such a cut needs.
    pub(crate) retired: BTreeSet<String>,
    /// Whether `dir` was made, or made sure of: a DRUM that nothing was written to leaves no trace.
    dir_made: bool,
}

impl<V: Value> Drum<V> {
    /// Opens the DRUM in `dir` as `manifest` says, or an empty one, and removes what is not part of it.
    /// Every request appended and every merge finished after the manifest's checkpoint is undone.
    pub fn open(disk: SharedDisk, dir: PathBuf, config: Config, manifest: Option<&Manifest>) -> Result<Self> {
        config.assert_within_limits();
        let empty = Manifest::empty(config.bucket_bits, V::SIZE as u16);
        let manifest = manifest.unwrap_or(&empty);
        check_shape::<V>(&config, manifest)?;
        cut_back(&*disk, &dir, manifest)?;
        Ok(Self {
            disk,
            dir,
            config,
            buckets: manifest.buckets.iter().map(Bucket::from_cut).collect(),
            next_generation: manifest.next_generation,
            traffic: Traffic::default(),
            cuts: vec![manifest.clone()],
            retired: BTreeSet::new(),
            dir_made: false,
        })
    }

    /// Appends a request, with `aux` to be given back in its verdict (at most 1 MiB); returns the bucket in
    /// which it waits. After an error the request was not taken.
    pub fn append(&mut self, key: u64, request: Request<V>, aux: &[u8]) -> Result<usize> {
        assert!(aux.len() <= MAX_AUX_BYTES, "aux of {} bytes", aux.len());
        let bucket = self.bucket_of(key);
        self.make_room(bucket)?;
        self.buckets[bucket].batch.push(key, &request, aux, self.config.packing);
        Ok(bucket)
    }

    /// The bucket that most needs a merge, if one has reached its size.
    pub fn due(&self) -> Option<usize> {
        self.fullest().filter(|bucket| self.buckets[*bucket].waiting_bytes() >= self.config.bucket_bytes)
    }

    /// Whether there is one.
    pub fn is_due(&self) -> bool {
        let is_due = |bucket: &Bucket<V>| {
            bucket.merging.is_none() && bucket.waiting_bytes() >= self.config.bucket_bytes
        };
        self.buckets.iter().any(is_due)
    }

    /// The bucket in which what waits weighs most, due or not; for a frontier that is hungry. `None` if nothing
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

    /// Bytes of their aux, unpacked: what whoever merges them may come to hold.
    pub fn waiting_aux_bytes(&self) -> u64 {
        self.buckets.iter().map(Bucket::waiting_aux_bytes).sum()
    }

    /// Keys in the key files; those that only wait are not counted.
    pub fn keys(&self) -> u64 {
        self.buckets.iter().filter_map(|bucket| Some(bucket.keys?.keys)).sum()
    }

    /// Bytes of the key file of `bucket`: what a merge of it will read and write beside what waits.
    pub fn key_bytes(&self, bucket: usize) -> u64 {
        self.buckets[bucket].keys.map_or(0, |keys| keys.len)
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
    pub(crate) fn seal_batch(&mut self, number: usize, packing: Packing) -> Result<()> {
        if self.buckets[number].batch.is_empty() {
            return Ok(());
        }
        let block = self.buckets[number].batch.to_block(packing)?;
        if self.buckets[number].segments.len() == self.buckets[number].frozen {
            let generation = self.new_generation();
            self.buckets[number].segments.push(Segment::new(generation));
        }
        let bucket = &mut self.buckets[number];
        let (entries, aux_bytes) = (bucket.batch.count(), bucket.batch.aux_bytes());
        bucket.batch.clear();
        let segment = bucket.segments.last_mut().expect("one was pushed if there was none");
        segment.push(block, entries, aux_bytes);
        Ok(())
    }

    /// Writes every sealed block of the bucket.
    pub(crate) fn write_out(&mut self, number: usize) -> Result<()> {
        if self.buckets[number].segments.iter().all(|segment| segment.unwritten.is_empty()) {
            return Ok(());
        }
        self.make_dir()?;
        for segment in &mut self.buckets[number].segments {
            let path = self.dir.join(names::segment(number, segment.generation));
            self.traffic.bucket_written += segment.write_out(&*self.disk, &path, self.config.bucket_bytes)?;
        }
        Ok(())
    }

    /// Makes the directory when its first file is about to be made; whoever made one that is there may have died before it was
    /// durable.
    pub(crate) fn make_dir(&mut self) -> Result<()> {
        if !self.dir_made {
            self.disk.create_dir(&self.dir)?;
            self.dir_made = true;
        }
        Ok(())
    }

    /// Room for one more request in the bucket's batch.
    fn make_room(&mut self, number: usize) -> Result<()> {
        let (bucket, most) = (&self.buckets[number], FULL_FACTOR * self.config.bucket_bytes);
        let fits = bucket.batch.bytes() < self.config.buffer_bytes;
        // A buffer has memory of its own, but not for what its aux is unpacked.
        if bucket.aux_weight() >= most || !fits && bucket.stored_bytes() >= most {
            return Err(Error::BucketFull { bucket: number });
        }
        if fits {
            return Ok(());
        }
        // First what an earlier error left behind, so that errors cannot heap up blocks in memory.
        self.write_out(number)?;
        self.seal_batch(number, self.config.packing)?;
        self.write_out(number)
    }
}

pub(crate) fn live_files<V>(number: usize, bucket: &Bucket<V>) -> impl Iterator<Item = String> {
    let keys = bucket.keys.iter().map(move |keys| names::keys(number, keys.generation));
    keys.chain(bucket.segments.iter().map(move |segment| names::segment(number, segment.generation)))
}
