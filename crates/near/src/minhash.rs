use crate::limits::{BAND_ROWS, COPIES, FOUND_LEAST, MINIMA};
use crate::shingles::{Similarity, for_each_shingle};
use std::hash::Hasher;
use stdx::FoldHasher;

/// So many minima make a band: the most with which few of the pairs that are just similar enough have no band in common.
pub(crate) fn rows_for(least: Similarity) -> usize {
    let found = |rows: usize| 1.0 - (1.0 - least.0.powi(rows as i32)).powi((MINIMA / rows) as i32);
    (1..=BAND_ROWS).rev().find(|&rows| found(rows) >= FOUND_LEAST).unwrap_or(1)
}

/// The bands of a text's `MinHash`es, with so many in each: two texts with similarity s have one given band in common with probability
/// s^rows. One more is of all words in their order, so that copies have one that is theirs alone. A text without words has none.
///
/// A hash of a shingle makes all minima (one permutation hashing, Li, Owen, Zhang 2012): it chooses the bin and competes there.
/// Each shingle is entered [`COPIES`] times, so that few make enough; a bin that stays empty takes the minimum of another that
/// the bin alone chooses (optimal densification, Shrivastava 2017).
pub(crate) fn bands(text: &str, rows: usize) -> Vec<u64> {
    let mut minima = [None; MINIMA];
    let mut whole = FoldHasher::default();
    for_each_shingle(text, |hash| {
        whole.write_u64(hash);
        for copy in 0..COPIES {
            let hash = mix(hash.wrapping_add(copy));
            let least = &mut minima[bin_of(hash)];
            *least = Some(least.map_or(hash as u32, |least: u32| least.min(hash as u32)));
        }
    });
    if minima.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut keys = keys(&densified(&minima), rows);
    keys.push(whole.finish());
    keys
}

fn mix(number: u64) -> u64 {
    let mut hasher = FoldHasher::default();
    hasher.write_u64(number);
    hasher.finish()
}

/// By the upper half of a hash; the lower competes.
fn bin_of(hash: u64) -> usize {
    (((hash >> 32) * MINIMA as u64) >> 32) as usize
}

fn densified(minima: &[Option<u32>; MINIMA]) -> [u32; MINIMA] {
    std::array::from_fn(|bin| {
        let elsewhere = || (1..).find_map(|attempt| minima[other_bin(bin, attempt)]);
        minima[bin].or_else(elsewhere).expect("some bin is not empty, and every bin is tried")
    })
}

/// Independent of all texts, so that equal sets fill equal bins.
fn other_bin(bin: usize, attempt: u64) -> usize {
    let mut hasher = FoldHasher::default();
    hasher.write_u64(bin as u64);
    hasher.write_u64(attempt);
    bin_of(hasher.finish())
}

fn keys(minima: &[u32], rows: usize) -> Vec<u64> {
    let key = |(band, minima): (usize, &[u32])| {
        let mut hasher = FoldHasher::default();
        hasher.write_u64(band as u64);
        for least in minima {
            hasher.write_u32(*least);
        }
        hasher.finish()
    };
    minima.chunks_exact(rows).enumerate().map(key).collect()
}
