//! What is done to an input: bytes flipped, cut, repeated, words put in, two inputs spliced.

use crate::limits::{INPUT_BYTES, STACKED};
use stdx::Rng;

/// Bytes that mean something to many parsers.
const TELLING: [u8; 24] = *b"\0\t\n\r \"#$%&'()*,-/:;<=>?\xff";

/// Makes new inputs out of old ones.
pub(crate) struct Mutation<'a> {
    /// What the language of the target is made of.
    pub(crate) words: &'a [Vec<u8>],
    pub(crate) most_bytes: usize,
}

impl Mutation<'_> {
    /// A few changes to `input`; `other` is what it may be spliced with.
    pub(crate) fn mutate(&self, input: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..=rng.below(STACKED) {
            self.step(&mut bytes, other, rng);
        }
        bytes.truncate(self.most_bytes.min(INPUT_BYTES));
        bytes
    }

    fn step(&self, bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
        match rng.below(10) {
            0 => flip(bytes, rng),
            1 => replace(bytes, rng.next_u64().to_le_bytes()[0], rng),
            2 => replace(bytes, TELLING[below(TELLING.len(), rng)], rng),
            3 => insert(bytes, &[TELLING[below(TELLING.len(), rng)]], rng),
            4 => drop(bytes.drain(part(bytes.len(), rng))),
            5 => repeat(bytes, rng),
            6 => bytes.truncate(below(bytes.len() + 1, rng)),
            7 if !other.is_empty() => insert(bytes, &other[part(other.len(), rng)], rng),
            _ if self.words.is_empty() => flip(bytes, rng),
            _ => insert(bytes, &self.words[below(self.words.len(), rng)], rng),
        }
    }
}

fn below(bound: usize, rng: &mut Rng) -> usize {
    usize::try_from(rng.below(bound as u64)).unwrap_or(0)
}

/// Some range within so many bytes, short ones first.
fn part(len: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = below(len + 1, rng);
    let longest = if rng.one_in(4) { len - start } else { (len - start).min(8) };
    start..start + below(longest + 1, rng)
}

fn flip(bytes: &mut [u8], rng: &mut Rng) {
    if !bytes.is_empty() {
        let at = below(bytes.len(), rng);
        bytes[at] ^= 1 << rng.below(8);
    }
}

fn replace(bytes: &mut [u8], byte: u8, rng: &mut Rng) {
    if !bytes.is_empty() {
        let at = below(bytes.len(), rng);
        bytes[at] = byte;
    }
}

fn insert(bytes: &mut Vec<u8>, what: &[u8], rng: &mut Rng) {
    let at = below(bytes.len() + 1, rng);
    bytes.splice(at..at, what.iter().copied());
}

/// Some part of it again, once or many times.
fn repeat(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let repeated = bytes[part(bytes.len(), rng)].to_vec();
    let times = if rng.one_in(8) { 1 + below(64, rng) } else { 1 };
    if repeated.len() * times <= INPUT_BYTES {
        insert(bytes, &repeated.repeat(times), rng);
    }
}
