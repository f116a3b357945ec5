use crate::batch::Batch;
use crate::limits::AUX_SHARE;
use crate::manifest::{BucketCut, KeysCut, SegmentCut};
use crate::names;
use crate::segment::Segment;
use crate::value::Value;

/// One prefix of the keys: what is known, and the requests that wait.
pub(crate) struct Bucket<V> {
    /// The newest requests, in memory.
    pub(crate) batch: Batch<V>,
    /// The older ones, oldest first.
    pub(crate) segments: Vec<Segment>,
    /// How many of the segments, from the front, a running merge has taken.
    pub(crate) frozen: usize,
    /// The generation of the key file that the running merge writes.
    pub(crate) merging: Option<u64>,
    /// The key file; none until the first merge.
    pub(crate) keys: Option<KeysCut>,
    /// The generation of the key file that a committed cut names.
    pub(crate) durable_keys: Option<u64>,
}

impl<V: Value> Bucket<V> {
    pub(crate) fn from_cut(cut: &BucketCut) -> Self {
        let segment = |cut: &SegmentCut| Segment {
            written: cut.len,
            durable: cut.len,
            entries: cut.entries,
            aux_bytes: cut.aux_bytes,
            ..Segment::new(cut.generation)
        };
        Self {
            batch: Batch::new(),
            segments: cut.segments.iter().map(segment).collect(),
            frozen: 0,
            merging: None,
            keys: cut.keys,
            durable_keys: cut.keys.map(|keys| keys.generation),
        }
    }

    /// The cut, right after everything was written.
    pub(crate) fn cut(&self) -> BucketCut {
        assert!(self.batch.is_empty(), "a cut names files, and a batch is in none");
        let segment = |segment: &Segment| SegmentCut {
            generation: segment.generation,
            len: segment.written,
            entries: segment.entries,
            aux_bytes: segment.aux_bytes,
        };
        BucketCut { keys: self.keys, segments: self.segments.iter().map(segment).collect() }
    }

    /// The cut `cut` is durable.
    pub(crate) fn committed(&mut self, cut: &BucketCut) {
        self.durable_keys = cut.keys.map(|keys| keys.generation);
        for named in &cut.segments {
            let segment = self.segments.iter_mut().find(|segment| segment.generation == named.generation);
            if let Some(segment) = segment {
                segment.durable = segment.durable.max(named.len);
            }
        }
    }

    /// The names of the files, as `number`'s, that hold something no committed cut does.
    pub(crate) fn undurable_files(&self, number: usize) -> impl Iterator<Item = String> {
        let keys = self.keys.filter(|keys| self.durable_keys != Some(keys.generation));
        let segments = self.segments.iter().filter(|segment| !segment.is_durable());
        let keys = keys.into_iter().map(move |keys| names::keys(number, keys.generation));
        keys.chain(segments.map(move |segment| names::segment(number, segment.generation)))
    }

    /// Requests that wait and that no merge has taken.
    pub(crate) fn waiting(&self) -> u64 {
        let stored: u64 = self.segments[self.frozen..].iter().map(|segment| segment.entries).sum();
        stored + self.batch.count() as u64
    }

    /// What they weigh: their bytes, those in memory uncompressed, or their aux if that weighs more.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        (self.stored_bytes() + self.batch.bytes() as u64).max(self.aux_weight())
    }

    /// What their aux weighs, for whoever will hold it unpacked.
    pub(crate) fn aux_weight(&self) -> u64 {
        self.waiting_aux_bytes() / AUX_SHARE
    }

    /// Bytes of their aux, unpacked.
    pub(crate) fn waiting_aux_bytes(&self) -> u64 {
        let stored: u64 = self.segments[self.frozen..].iter().map(|segment| segment.aux_bytes).sum();
        stored + self.batch.aux_bytes()
    }

    /// The compressed part of them.
    pub(crate) fn stored_bytes(&self) -> u64 {
        self.segments[self.frozen..].iter().map(Segment::bytes).sum()
    }

    pub(crate) fn check_invariants(&self, next_generation: u64) {
        assert!(self.frozen <= self.segments.len());
        assert_eq!(self.frozen > 0, self.merging.is_some(), "a merge takes something");
        assert!(self.segments.is_sorted_by(|a, b| a.generation < b.generation), "oldest first");
        assert!(
            self.segments.iter().all(|segment| segment.generation < next_generation && segment.entries > 0)
        );
        assert!(self.keys.is_none_or(|keys| keys.generation < next_generation));
        assert!(self.segments.iter().all(|segment| segment.durable <= segment.written));
    }
}
