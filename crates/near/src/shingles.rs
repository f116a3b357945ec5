use crate::limits::{SHINGLE_WORDS, SHINGLES_MOST};
use crate::words::words;
use std::cmp::Ordering;
use std::hash::Hasher;
use stdx::FoldHasher;

/// Shows `see` the hash of every [`SHINGLE_WORDS`] words that follow each other in `text`, of all its words if they are fewer.
pub(crate) fn for_each_shingle(text: &str, mut see: impl FnMut(u64)) {
    let mut last = [0; SHINGLE_WORDS];
    let mut count = 0;
    for word in words(text) {
        last.rotate_left(1);
        last[SHINGLE_WORDS - 1] = word;
        count += 1;
        if count >= SHINGLE_WORDS {
            see(hash(&last));
        }
    }
    if (1..SHINGLE_WORDS).contains(&count) {
        see(hash(&last[SHINGLE_WORDS - count..]));
    }
}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FoldHasher::default();
    for word in words {
        hasher.write_u64(*word);
    }
    hasher.finish()
}

/// How much two sets have in common, 0 to 1 (Jaccard: what is in both, of what is in either).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Similarity(pub f64);

/// The word 5-grams of a text, as 32-bit hashes. Of a long text a sample: those whose hash is small (Broder 1997, §4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShingleSet {
    /// Ascending, none beyond `bound`.
    pub(crate) hashes: Vec<u32>,
    /// Hashes up to here are kept.
    pub(crate) bound: u32,
}

impl ShingleSet {
    /// The shingles of `text`.
    pub fn of(text: &str) -> Self {
        let mut set = Self { hashes: Vec::new(), bound: u32::MAX };
        for_each_shingle(text, |hash| set.add(hash as u32));
        set.settle();
        set
    }

    /// Shingles in the set.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// A text without words has none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// How much both have in common; of samples, an estimate. Nothing, if one is empty.
    pub fn similarity(&self, other: &Self) -> Similarity {
        let bound = self.bound.min(other.bound);
        let (mine, theirs) = (self.up_to(bound), other.up_to(bound));
        let common = count_common(mine, theirs);
        let all = mine.len() + theirs.len() - common;
        Similarity(if all == 0 { 0.0 } else { common as f64 / all as f64 })
    }

    fn add(&mut self, hash: u32) {
        if hash <= self.bound {
            self.hashes.push(hash);
        }
        if self.hashes.len() > 2 * SHINGLES_MOST {
            self.settle();
        }
    }

    /// Each once, in order, and no more than a set may have.
    fn settle(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        while self.hashes.len() > SHINGLES_MOST {
            self.bound /= 2;
            self.hashes.truncate(self.up_to(self.bound).len());
        }
    }

    fn up_to(&self, bound: u32) -> &[u32] {
        &self.hashes[..self.hashes.partition_point(|hash| *hash <= bound)]
    }
}

fn count_common(mut mine: &[u32], mut theirs: &[u32]) -> usize {
    let mut common = 0;
    while let ([first, later @ ..], [other, later_theirs @ ..]) = (mine, theirs) {
        match first.cmp(other) {
            Ordering::Less => mine = later,
            Ordering::Greater => theirs = later_theirs,
            Ordering::Equal => {
                common += 1;
                (mine, theirs) = (later, later_theirs);
            }
        }
    }
    common
}
