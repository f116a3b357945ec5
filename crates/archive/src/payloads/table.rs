/// Slots of a bucket: their tags fill half a line of the processor's cache, their numbers one.
const WAYS: usize = 16;
const SLOT_BYTES: usize = size_of::<u16>() + size_of::<u32>();

/// Which entry of the log may be that of a digest: a set-associative cache in six bytes a slot. It forgets, of the
/// digests that share a bucket, the one whose entry is oldest.
pub(super) struct Table {
    /// Sixteen bits of the digest of each slot.
    tags: Vec<[u16; WAYS]>,
    /// The entry of each slot; zero where there is none.
    numbers: Vec<[u32; WAYS]>,
}

/// A bucket, and how its digests are told apart.
struct Home {
    bucket: usize,
    tag: u16,
}

impl Table {
    /// As large as `bytes` let it be; one bucket at least.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (WAYS * SLOT_BYTES)).max(1);
        Self { tags: vec![[0; WAYS]; buckets], numbers: vec![[0; WAYS]; buckets] }
    }

    /// How many digests it has room for.
    pub(super) fn slots(&self) -> u64 {
        (self.tags.len() * WAYS) as u64
    }

    /// The entry that may be of this digest: rarely, of another.
    pub(super) fn find(&self, digest: &[u8]) -> Option<u32> {
        let Home { bucket, tag } = self.home(digest);
        let way = (0..WAYS).find(|way| self.holds(bucket, *way, tag))?;
        Some(self.numbers[bucket][way])
    }

    /// Notes the entry of a digest, in the place of an earlier one of the same tag: that is its own, or as good as lost.
    pub(super) fn put(&mut self, digest: &[u8], number: u32) {
        assert_ne!(number, 0, "entries are counted from one");
        let Home { bucket, tag } = self.home(digest);
        let same = (0..WAYS).find(|way| self.holds(bucket, *way, tag));
        let oldest = || (0..WAYS).min_by_key(|way| self.numbers[bucket][*way]).expect("a bucket has slots");
        let way = same.unwrap_or_else(oldest);
        self.tags[bucket][way] = tag;
        self.numbers[bucket][way] = number;
    }

    fn holds(&self, bucket: usize, way: usize, tag: u16) -> bool {
        self.tags[bucket][way] == tag && self.numbers[bucket][way] != 0
    }

    fn home(&self, digest: &[u8]) -> Home {
        let word = u64::from_le_bytes(*digest.first_chunk().expect("a digest is longer"));
        let bucket = (u128::from(word) * self.tags.len() as u128) >> 64;
        Home { bucket: bucket as usize, tag: u16::from_le_bytes([digest[8], digest[9]]) }
    }
}
