use serde::{Deserialize, Serialize};

/// What budgets need to know of all domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    /// Least in-degree of the top domains.
    pub threshold: u32,
    /// The highest in-degree.
    pub most: u32,
    /// What the in-degrees of the top domains exceed the threshold by, all together, at most.
    pub above: u64,
    /// Domains that somebody links to.
    pub domains: u64,
}

/// How many domains have which in-degree, that is, how many *distinct other* domains link to them. Exact below 64, within
/// 1/32 above; 7 KiB however many domains there are. Those of several shards add up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InDegrees {
    /// Domains by the bucket of their in-degree; nobody is counted in bucket 0.
    buckets: Vec<u64>,
    most: u32,
}

/// In-degrees below this have a bucket each.
const EXACT: u32 = 64;
/// Buckets between a power of two and the next.
const PER_OCTAVE: u32 = 32;
const BUCKETS: usize = (EXACT + (32 - EXACT.ilog2()) * PER_OCTAVE) as usize;

impl Default for Ranking {
    /// Nobody links to anybody.
    fn default() -> Self {
        Self { threshold: 1, most: 0, above: 0, domains: 0 }
    }
}

impl Default for InDegrees {
    fn default() -> Self {
        Self { buckets: vec![0; BUCKETS], most: 0 }
    }
}

impl InDegrees {
    /// The in-degree of one domain has grown; `from` is 0 for a domain that nobody linked to.
    pub fn raise(&mut self, from: u32, to: u32) {
        assert!(from <= to, "in-degrees only grow");
        if from > 0 {
            self.buckets[bucket(from)] -= 1;
        }
        if to > 0 {
            self.buckets[bucket(to)] += 1;
        }
        self.most = self.most.max(to);
    }

    /// Adds the domains of another shard.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine += theirs;
        }
        self.most = self.most.max(other.most);
    }

    /// The least in-degree that at most `top` domains reach, and what follows from it.
    pub fn ranking(&self, top: u64) -> Ranking {
        let mut reached = 0;
        let below = (1..BUCKETS).rev().find(|&bucket| {
            reached += self.buckets[bucket];
            reached > top
        });
        let first = below.unwrap_or(0) + 1;
        let threshold = least_in(first);
        // Rather too much than too little: the budgets of all must not come out higher than they may.
        let most_above = |bucket: usize| u64::from(least_in(bucket + 1) - 1 - threshold);
        let top = (first..).zip(&self.buckets[first..]);
        let above = top.map(|(bucket, domains)| domains * most_above(bucket)).sum();
        Ranking { threshold, most: self.most, above, domains: self.domains() }
    }

    /// Domains that somebody links to.
    pub fn domains(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// Panics if the parts contradict each other.
    pub fn check_invariants(&self) {
        assert_eq!(self.buckets.len(), BUCKETS, "the buckets of this version");
        assert_eq!(self.buckets[0], 0, "a domain without links is not counted");
        let highest = self.buckets.iter().rposition(|&domains| domains > 0);
        assert_eq!(highest.unwrap_or(0), bucket(self.most), "the highest in-degree is somebody's");
    }
}

fn bucket(in_degree: u32) -> usize {
    if in_degree < EXACT {
        return in_degree as usize;
    }
    let octave = in_degree.ilog2();
    let step = (in_degree >> (octave - PER_OCTAVE.ilog2())) - PER_OCTAVE;
    (EXACT + (octave - EXACT.ilog2()) * PER_OCTAVE + step) as usize
}

/// The least in-degree of a bucket; beyond the last one, what nobody has.
fn least_in(bucket: usize) -> u32 {
    let bucket = bucket as u32;
    if bucket < EXACT {
        return bucket;
    }
    let octave = EXACT.ilog2() + (bucket - EXACT) / PER_OCTAVE;
    let step = (bucket - EXACT) % PER_OCTAVE;
    u64::from(PER_OCTAVE + step)
        .checked_shl(octave - PER_OCTAVE.ilog2())
        .and_then(|least| u32::try_from(least).ok())
        .unwrap_or(u32::MAX)
}
