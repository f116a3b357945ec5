use crate::limits::{FINGERPRINT_FEATURES_LEAST, FINGERPRINT_FEATURES_MOST};
use crate::words::{Word, eight, words};
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
            sums.add_if(met.is_first(hash), hash);
            if sums.added < FINGERPRINT_FEATURES_MOST {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
    });
    (sums.added >= FINGERPRINT_FEATURES_LEAST).then(|| sums.summed_up().majority())
}

/// A word; of a script that puts no spaces between words, each letter with the next.
fn for_each_feature(word: Word<'_>, mut see: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
    if word.text.starts_with(|first| first >= '\u{2E80}') {
        let mut pairs = word.text.char_indices().zip(word.text.char_indices().skip(1));
        return pairs.try_for_each(|((start, _), (next, second))| {
            see(hash(&word.on[start..], next + second.len_utf8() - start))
        });
    }
    if word.has_digit { ControlFlow::Continue(()) } else { see(hash(word.on, word.text.len())) }
}

/// Of the first `len` bytes. Upper and lower case alike: this bit is the difference in ASCII, and elsewhere it confuses few words.
fn hash(text: &[u8], len: usize) -> u64 {
    const CASE: u64 = 0x2020_2020_2020_2020;
    let mut hasher = FoldHasher::default();
    let mut start = 0;
    while start < len {
        hasher.write_u64(eight(&text[start..], len - start) | CASE);
        start += 8;
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

/// For each of 64 bits, how many hashes have it: binary numbers standing upright, their lowest digits in the first plane. Hashes are summed
/// eight at a time.
#[derive(Default)]
struct Sums {
    planes: [u64; 14],
    /// The last of those that were added, as many as `added` has more than a multiple of eight; behind them, what was not.
    waiting: [u64; 8],
    added: usize,
}

const _: () = assert!(FINGERPRINT_FEATURES_MOST < 1 << 14, "the planes hold every sum");

impl Sums {
    /// Without a branch for what comes as often as not.
    fn add_if(&mut self, wanted: bool, hash: u64) {
        self.waiting[self.added % 8] = hash;
        self.added += usize::from(wanted);
        if wanted & self.added.is_multiple_of(8) {
            self.sum_up();
        }
    }

    /// What is waiting, by adders of three bits each (Harley and Seal).
    fn sum_up(&mut self) {
        let [ones, twos, fours, ..] = &mut self.planes;
        let [first, more] = [[0, 1, 2, 3], [4, 5, 6, 7]].map(|four| {
            let [a, b, c, d] = four.map(|at| self.waiting[at]);
            let (pair, other_pair) = (add(ones, a, b), add(ones, c, d));
            add(twos, pair, other_pair)
        });
        let eights = add(fours, first, more);
        self.carry(3, eights);
    }

    /// Adds to the planes from this one on.
    fn carry(&mut self, plane: usize, mut carry: u64) {
        for plane in &mut self.planes[plane..] {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// All of them, nothing waiting.
    fn summed_up(mut self) -> Self {
        for at in 0..self.added % 8 {
            self.carry(0, self.waiting[at]);
        }
        self
    }

    fn of(&self, bit: u32) -> usize {
        self.planes.iter().rev().fold(0, |sum, plane| sum << 1 | (plane >> bit & 1) as usize)
    }

    fn majority(&self) -> u64 {
        (0..64).filter(|bit| 2 * self.of(*bit) > self.added).fold(0, |bits, bit| bits | 1 << bit)
    }
}

/// Adds two to one bit by bit; what is carried.
fn add(sum: &mut u64, a: u64, b: u64) -> u64 {
    let half = *sum ^ a;
    let carry = *sum & a | half & b;
    *sum = half ^ b;
    carry
}
