use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

/// Upper bounds of the buckets in milliseconds, inclusive: powers of two and what lies halfway, from 1 ms to 65 s, so that a
/// value is known to within half of itself. What is longer has no bucket and counts in the total alone.
pub const BOUNDS_MS: [u64; 32] = [
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
    6144, 8192, 12288, 16384, 24576, 32768, 49152, 65536,
];

/// How often something took how long. It only grows, so that the difference of two is a histogram of the time between.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// How many fell into each bucket of [`BOUNDS_MS`], and into no lower one.
    counts: [u64; BOUNDS_MS.len()],
    /// How many there were.
    pub count: u64,
    /// What all of them took together, in milliseconds.
    pub sum_ms: u64,
}

impl Histogram {
    /// Counts one.
    pub fn note(&mut self, took_ms: u64) {
        let bucket = BOUNDS_MS.partition_point(|bound| *bound < took_ms);
        if let Some(count) = self.counts.get_mut(bucket) {
            *count += 1;
        }
        self.count += 1;
        self.sum_ms = self.sum_ms.saturating_add(took_ms);
    }

    /// How many took at most so long, for each bound.
    pub fn cumulative(&self) -> impl Iterator<Item = (u64, u64)> {
        let mut below = 0;
        BOUNDS_MS.iter().zip(&self.counts).map(move |(bound, count)| {
            below += count;
            (*bound, below)
        })
    }

    /// What came since `earlier`, of which this is a continuation.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let counts = std::array::from_fn(|bucket| self.counts[bucket].saturating_sub(earlier.counts[bucket]));
        Self {
            counts,
            count: self.count.saturating_sub(earlier.count),
            sum_ms: self.sum_ms.saturating_sub(earlier.sum_ms),
        }
    }

    /// What so many of a thousand took at most, in milliseconds, as if values lay evenly within their bucket; `None` of nothing.
    pub fn per_mille(&self, per_mille: u64) -> Option<u64> {
        let rank = (self.count * per_mille.min(1000)).div_ceil(1000).max(1);
        if self.count == 0 {
            return None;
        }
        let (mut below, mut from) = (0, 0);
        for (bound, count) in BOUNDS_MS.iter().zip(&self.counts) {
            if below + count >= rank {
                return Some(from + (bound - from) * (rank - below) / count);
            }
            (below, from) = (below + count, *bound);
        }
        BOUNDS_MS.last().copied()
    }
}
