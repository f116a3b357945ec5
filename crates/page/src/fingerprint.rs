use crate::limits::{FINGERPRINT_FEATURES_LEAST, FINGERPRINT_FEATURES_MOST};
use crate::words::{Word, words};
use std::hash::Hasher;
use std::ops::ControlFlow;
use stdx::FoldHasher;

/// What a text says, in 64 bits: texts that share most of their words differ in few of them (`SimHash`, Charikar 2002). Words
/// count once, those with a digit not at all, so that a calendar says the same every month. `None` for a text with too few
/// words to tell.
///
/// Two texts that share all but one word in twenty differ in about 6 bits, unrelated ones in 32.
pub fn fingerprint(text: &str) -> Option<u64> {
    let mut sums = Sums::default();
    let mut met = Met::default();
    let _enough = words(text).try_for_each(|word| {
        for_each_feature(word, |hash| {
            if met.is_first(hash) {
                sums.add(hash);
            }
            if sums.added < FINGERPRINT_FEATURES_MOST {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
    });
    (sums.added >= FINGERPRINT_FEATURES_LEAST).then(|| sums.majority())
}

/// A word; of a script that puts no spaces between words, each letter with the next.
fn for_each_feature(word: Word<'_>, mut see: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
    if word.text.starts_with(|first| first >= '\u{2E80}') {
        let mut pairs = word.text.char_indices().zip(word.text.char_indices().skip(1));
        return pairs.try_for_each(|((start, _), (next, second))| {
            see(hash(&word.text.as_bytes()[start..next + second.len_utf8()]))
        });
    }
    if word.has_digit { ControlFlow::Continue(()) } else { see(hash(word.text.as_bytes())) }
}

/// Upper and lower case alike: this bit is the difference in ASCII, and elsewhere it confuses few words.
fn hash(word: &[u8]) -> u64 {
    const CASE: u64 = 0x2020_2020_2020_2020;
    let mut hasher = FoldHasher::default();
    let (chunks, rest) = word.as_chunks();
    for chunk in chunks {
        hasher.write_u64(u64::from_le_bytes(*chunk) | CASE);
    }
    if !rest.is_empty() {
        let letters = rest.iter().rev().fold(0, |letters, byte| letters << 8 | u64::from(*byte));
        hasher.write_u64(letters | CASE);
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
