use crate::limits::{FINGERPRINT_FEATURES_LEAST, FINGERPRINT_FEATURES_MOST};
use std::hash::Hasher;
use stdx::FoldHasher;

/// What a text says, in 64 bits: texts that share most of their words differ in few of them (`SimHash`, Charikar 2002). Words
/// count once, those with a digit not at all, so that a calendar says the same every month. `None` for a text with too few
/// words to tell.
///
/// Two texts that share all but one word in twenty differ in about 6 bits, unrelated ones in 32.
pub fn fingerprint(text: &str) -> Option<u64> {
    let mut sums = Sums::default();
    let mut met = Met::default();
    let features = text.split(|c: char| !c.is_alphanumeric()).flat_map(features);
    features
        .filter(|hash| met.is_first(*hash))
        .take(FINGERPRINT_FEATURES_MOST)
        .for_each(|hash| sums.add(hash));
    (sums.added >= FINGERPRINT_FEATURES_LEAST).then(|| sums.majority())
}

/// A word; of a script that puts no spaces between words, each letter with the next.
fn features(word: &str) -> impl Iterator<Item = u64> {
    let spaced = word.chars().next().is_none_or(|first| first < '\u{2E80}');
    let is_word = spaced && !word.is_empty() && !word.bytes().any(|byte| byte.is_ascii_digit());
    let pairs = word.char_indices().zip(word.char_indices().skip(1));
    let ends = pairs.map(|((start, _), (next, second))| &word[start..next + second.len_utf8()]);
    is_word.then(|| hash(word)).into_iter().chain(ends.filter(move |_| !spaced).map(hash))
}

/// Upper and lower case alike: this bit is the difference in ASCII, and elsewhere it confuses few words.
fn hash(word: &str) -> u64 {
    const CASE: u64 = 0x2020_2020_2020_2020;
    let mut hasher = FoldHasher::default();
    for chunk in word.as_bytes().chunks(8) {
        let mut letters = [0; 8];
        letters[..chunk.len()].copy_from_slice(chunk);
        hasher.write_u64(u64::from_le_bytes(letters) | CASE);
    }
    hasher.finish()
}

/// Which words there were: one bit each, so that a few are taken for others.
struct Met([u64; 1 << 10]);

impl Default for Met {
    fn default() -> Self {
        Self([0; 1 << 10])
    }
}

impl Met {
    fn is_first(&mut self, hash: u64) -> bool {
        let word = &mut self.0[(hash >> 6) as usize & 0x3FF];
        let bit = 1 << (hash & 63);
        let first = *word & bit == 0;
        *word |= bit;
        first
    }
}

/// For each of 64 bits, how many hashes have it: binary numbers standing upright, their lowest digits in the first plane.
#[derive(Default)]
struct Sums {
    planes: [u64; 14],
    added: usize,
}

const _: () = assert!(FINGERPRINT_FEATURES_MOST < 1 << 14, "the planes hold every sum");

impl Sums {
    fn add(&mut self, hash: u64) {
        self.added += 1;
        let mut carry = hash;
        for plane in &mut self.planes {
            let both = *plane & carry;
            *plane ^= carry;
            carry = both;
            if carry == 0 {
                return;
            }
        }
    }

    fn of(&self, bit: u32) -> usize {
        self.planes.iter().rev().fold(0, |sum, plane| sum << 1 | (plane >> bit & 1) as usize)
    }

    fn majority(&self) -> u64 {
        (0..64).filter(|bit| 2 * self.of(*bit) > self.added).fold(0, |bits, bit| bits | 1 << bit)
    }
}
