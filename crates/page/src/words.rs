//! The words of a text. Most letters are ASCII and told by a table, the others as Unicode has them.

use crate::alphabet::is_letter_or_digit;

/// A run of letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    /// Whether one of `0` to `9` is in it.
    pub(crate) has_digit: bool,
}

/// All of them, in order.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[gap_len(rest)..];
        let run = run(rest);
        let word = Word { text: &rest[..run.len], has_digit: run.classes & DIGIT != 0 };
        rest = &rest[run.len..];
        (run.len > 0).then_some(word)
    })
}

struct Run {
    len: usize,
    /// Of its characters, together.
    classes: u8,
}

/// The letters and digits in front.
fn run(text: &str) -> Run {
    let bytes = text.as_bytes();
    let mut run = Run { len: 0, classes: 0 };
    while let Some(byte) = bytes.get(run.len) {
        run.len += match CLASS[usize::from(*byte)] {
            OTHER => break,
            BEYOND => match first(&text[run.len..]) {
                letter if is_letter_or_digit(letter) => letter.len_utf8(),
                _ => break,
            },
            class => {
                run.classes |= class;
                1
            }
        };
    }
    run
}

/// Bytes before the first letter or digit.
fn gap_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut len = 0;
    while let Some(byte) = bytes.get(len) {
        len += match CLASS[usize::from(*byte)] {
            OTHER => 1,
            BEYOND => match first(&text[len..]) {
                letter if is_letter_or_digit(letter) => break,
                other => other.len_utf8(),
            },
            _ => break,
        };
    }
    len
}

fn first(text: &str) -> char {
    text.chars().next().expect("a character begins here")
}

const OTHER: u8 = 0;
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// Part of a character beyond ASCII.
const BEYOND: u8 = 4;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        classes[byte] = match ascii {
            b'0'..=b'9' => DIGIT,
            _ if ascii.is_ascii_alphabetic() => LETTER,
            _ if ascii.is_ascii() => OTHER,
            _ => BEYOND,
        };
        byte += 1;
    }
    classes
}

#[cfg(test)]
mod tests;
