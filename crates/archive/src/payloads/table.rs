/// Slots of a bucket.
const WAYS: usize = 16;

/// Which entry of the log may be that of a digest: a set-associative cache in six bytes a slot. It forgets, of the
/// digests that share a bucket, the one whose entry is oldest.
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

/// In one place, so that a look costs one page of memory.
#[derive(Clone)]
struct Bucket {
    /// Sixteen bits of the digest of each slot.
    tags: [u16; WAYS],
    /// The entry of each slot; zero where there is none.
    numbers: [u32; WAYS],
}

/// A bucket, and how its digests are told apart.
struct Home {
    bucket: usize,
    tag: u16,
}

impl Table {
    /// As large as `bytes` let it be; one bucket at least.
    pub(super) fn new(bytes: usize) -> Self {
        let empty = Bucket { tags: [0; WAYS], numbers: [0; WAYS] };
        Self { buckets: vec![empty; (bytes / size_of::<Bucket>()).max(1)] }
    }

    /// How many digests it has room for.
    pub(super) fn slots(&self) -> u64 {
        (self.buckets.len() * WAYS) as u64
    }

    /// The entry that may be of this digest: rarely, of another.
    pub(super) fn find(&self, digest: &[u8]) -> Option<u32> {
        let Home { bucket, tag } = self.home(digest);
        let bucket = &self.buckets[bucket];
        Some(bucket.numbers[bucket.way_of(tag)?])
    }

    /// Notes the entry of a digest, in the place of an earlier one of the same tag: that is its own, or as good as lost.
    pub(super) fn put(&mut self, digest: &[u8], number: u32) {
        assert_ne!(number, 0, "entries are counted from one");
        let Home { bucket, tag } = self.home(digest);
        let bucket = &mut self.buckets[bucket];
        let way = bucket.way_of(tag).unwrap_or_else(|| bucket.oldest());
        (bucket.tags[way], bucket.numbers[way]) = (tag, number);
    }

    fn home(&self, digest: &[u8]) -> Home {
        let word = u64::from_le_bytes(*digest.first_chunk().expect("a digest is longer"));
        let bucket = (u128::from(word) * self.buckets.len() as u128) >> 64;
        Home { bucket: bucket as usize, tag: u16::from_le_bytes([digest[8], digest[9]]) }
    }
}

impl Bucket {
    fn way_of(&self, tag: u16) -> Option<usize> {
        (0..WAYS).find(|way| self.tags[*way] == tag && self.numbers[*way] != 0)
    }

    fn oldest(&self) -> usize {
        (0..WAYS).min_by_key(|way| self.numbers[*way]).expect("a bucket has slots")
    }
}
