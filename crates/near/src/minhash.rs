use crate::limits::{BAND_ROWS, BANDS, COPIES};
use crate::shingles::for_each_shingle;
use std::hash::Hasher;
use stdx::FoldHasher;

const BINS: usize = BANDS * BAND_ROWS;

/// The bands of a text's `MinHash`es: two texts with similarity s have one given band in common with probability s^8. `None` for
/// a text without words.
///
/// A hash of a shingle makes all minima (one permutation hashing, Li, Owen, Zhang 2012): it chooses the bin and competes there.
/// Each shingle is entered [`COPIES`] times, so that few make enough; a bin that stays empty takes the minimum of another that
/// the bin alone chooses (optimal densification, Shrivastava 2017).
pub(crate) fn bands(text: &str) -> Option<[u64; BANDS]> {
    let mut minima = [None; BINS];
    for_each_shingle(text, |hash| {
        for copy in 0..COPIES {
            let hash = mix(hash.wrapping_add(copy));
            let least = &mut minima[bin_of(hash)];
            *least = Some(least.map_or(hash as u32, |least: u32| least.min(hash as u32)));
        }
    });
    minima.iter().any(Option::is_some).then(|| keys(&densified(&minima)))
}

fn mix(number: u64) -> u64 {
    let mut hasher = FoldHasher::default();
    hasher.write_u64(number);
    hasher.finish()
}

/// By the upper half of a hash; the lower competes.
fn bin_of(hash: u64) -> usize {
    (((hash >> 32) * BINS as u64) >> 32) as usize
}

fn densified(minima: &[Option<u32>; BINS]) -> [u32; BINS] {
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

fn keys(minima: &[u32; BINS]) -> [u64; BANDS] {
    std::array::from_fn(|band| {
        let mut hasher = FoldHasher::default();
        hasher.write_u64(band as u64);
        for least in &minima[band * BAND_ROWS..][..BAND_ROWS] {
            hasher.write_u32(*least);
        }
        hasher.finish()
    })
}
