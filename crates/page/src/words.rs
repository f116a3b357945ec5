//! The words of a text. Most letters are ASCII and told eight at a time, the others as Unicode has them.

use crate::alphabet::is_letter_or_digit;

/// A run of letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    /// Its bytes, and those of the text behind it.
    pub(crate) on: &'a [u8],
    /// Whether one of `0` to `9` is in it.
    pub(crate) has_digit: bool,
}

/// All of them, in order.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[gap_len(rest)..];
        let run = run(rest);
        let word = Word { text: &rest[..run.len], on: rest.as_bytes(), has_digit: run.has_digit };
        rest = &rest[run.len..];
        (run.len > 0).then_some(word)
    })
}

struct Run {
    len: usize,
    has_digit: bool,
}

/// The letters and digits in front.
fn run(text: &str) -> Run {
    let bytes = text.as_bytes();
    let mut run = Run { len: 0, has_digit: false };
    loop {
        let ahead = Eight::of(&bytes[run.len..]);
        let len = ahead.run_len();
        run.has_digit |= ahead.has_digit_within(len);
        run.len += len;
        if len < 8 {
            match letter_beyond_ascii(&text[run.len..]) {
                Some(letter) => run.len += letter.len_utf8(),
                None => return run,
            }
        }
    }
}

/// Bytes before the first letter or digit.
fn gap_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut len = 0;
    while len < bytes.len() {
        match Eight::of(&bytes[len..]).gap_len() {
            0 => match first_beyond_ascii(&text[len..]) {
                Some(other) if !is_letter_or_digit(other) => len += other.len_utf8(),
                _ => return len,
            },
            gap => len += gap,
        }
    }
    bytes.len()
}

fn letter_beyond_ascii(text: &str) -> Option<char> {
    first_beyond_ascii(text).filter(|letter| is_letter_or_digit(*letter))
}

fn first_beyond_ascii(text: &str) -> Option<char> {
    text.chars().next().filter(|first| !first.is_ascii())
}

/// The first bytes of a text, eight at most and `len` at most, the first of them lowest. Of what stands behind them as much is read as there
/// is: a loop over as many bytes as a word happens to have is what a processor cannot foresee.
pub(crate) fn eight(text: &[u8], len: usize) -> u64 {
    let all = text.first_chunk().map_or_else(
        || text.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)),
        |bytes| u64::from_le_bytes(*bytes),
    );
    all & first_bytes(len)
}

/// A mask of so many of eight bytes.
fn first_bytes(len: usize) -> u64 {
    if len < 8 { !(u64::MAX << (8 * len)) } else { u64::MAX }
}

/// Eight bytes of a text told apart at once: in each of these numbers a byte has its highest bit set, or none. The text goes on with zeros,
/// which are no letters.
struct Eight {
    letters_and_digits: u64,
    digits: u64,
    beyond_ascii: u64,
}

impl Eight {
    fn of(text: &[u8]) -> Self {
        let all = eight(text, 8);
        let (beyond_ascii, ascii) = (all & HIGHEST, all & !HIGHEST);
        // The cases differ in one bit, which no other character turns into a letter.
        let letters = between(ascii | (EACH * 0x20), b'a', b'z') & !beyond_ascii;
        let digits = between(ascii, b'0', b'9') & !beyond_ascii;
        Self { letters_and_digits: letters | digits, digits, beyond_ascii }
    }

    /// Letters and digits of ASCII in front.
    fn run_len(&self) -> usize {
        in_front(self.letters_and_digits)
    }

    /// Characters of ASCII in front that are neither.
    fn gap_len(&self) -> usize {
        in_front(!(self.letters_and_digits | self.beyond_ascii))
    }

    fn has_digit_within(&self, len: usize) -> bool {
        self.digits & first_bytes(len) != 0
    }
}

const EACH: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = EACH * 0x80;

/// Which bytes, all of them ASCII, lie from `first` to `last`: to add what one of them lacks to 128 sets its highest bit.
fn between(bytes: u64, first: u8, last: u8) -> u64 {
    let (not_less, greater) = (bytes + EACH * u64::from(0x80 - first), bytes + EACH * u64::from(0x7F - last));
    not_less & !greater & HIGHEST
}

/// How many bytes have their highest bit set before one that has not.
fn in_front(marks: u64) -> usize {
    (!marks & HIGHEST).trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests;
