//! The words of a text. Most letters are ASCII and told eight at a time, the others as Unicode has them.

use eight::Eight;
use stdx::is_letter_or_digit;

mod eight;

pub(crate) use eight::eight;

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
        if len == 8 {
            continue;
        }
        match ahead.beyond_ascii_at(len).then(|| first(&text[run.len..])) {
            Some(letter) if is_letter_or_digit(letter) => run.len += letter.len_utf8(),
            _ => return run,
        }
    }
}

/// Bytes before the first letter or digit.
fn gap_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut len = 0;
    while len < bytes.len() {
        let ahead = Eight::of(&bytes[len..]);
        let gap = ahead.gap_len();
        len += gap;
        if gap == 8 {
            continue;
        }
        match ahead.beyond_ascii_at(gap).then(|| first(&text[len..])) {
            Some(other) if !is_letter_or_digit(other) => len += other.len_utf8(),
            _ => return len,
        }
    }
    bytes.len()
}

fn first(text: &str) -> char {
    text.chars().next().expect("a byte beyond ASCII begins a character")
}

#[cfg(test)]
mod tests;
