use super::eight::Eight;
use stdx::is_letter_or_digit;

/// 64 bytes of a text, one bit each, the first lowest.
pub(super) struct Block {
    start: usize,
    /// Those of letters and digits, as far as nobody has taken them.
    letters_and_digits: u64,
    /// Those of `0` to `9`.
    digits: u64,
}

/// Letters and digits without anything between them, by where they stand in the text.
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) has_digit: bool,
}

const BYTES: usize = 64;

impl Block {
    /// The bytes of a text from there on. It goes on with zeros, which are no letters.
    pub(super) fn of(text: &str, start: usize) -> Self {
        let mut block = Self { start, letters_and_digits: 0, digits: 0 };
        let mut beyond_ascii = 0;
        let bytes = filled_up(&text.as_bytes()[start..]);
        let (eights, _) = bytes.as_chunks();
        for (place, bytes) in eights.iter().enumerate() {
            let eight = Eight::of(u64::from_le_bytes(*bytes));
            block.letters_and_digits |= eight.letters_and_digits() << (8 * place);
            block.digits |= eight.digits() << (8 * place);
            beyond_ascii |= eight.beyond_ascii() << (8 * place);
        }
        while beyond_ascii != 0 {
            let letter = Beyond::at(text, start + beyond_ascii.trailing_zeros() as usize);
            let bytes = letter.bytes_within(start);
            block.letters_and_digits |= if letter.counts { bytes } else { 0 };
            beyond_ascii &= !bytes;
        }
        block
    }

    pub(super) fn end(&self) -> usize {
        self.start + BYTES
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.letters_and_digits == 0
    }

    pub(super) fn begins_within_word(&self) -> bool {
        self.letters_and_digits & 1 != 0
    }

    /// The first, which there must be.
    pub(super) fn take_run(&mut self) -> Run {
        let all = self.letters_and_digits;
        let first = all & all.wrapping_neg();
        // The sum carries through the run, and out of it.
        let rest = all & all.wrapping_add(first);
        let len = (all >> all.trailing_zeros()).trailing_ones();
        let start = self.start + all.trailing_zeros() as usize;
        self.letters_and_digits = rest;
        Run { start, end: start + len as usize, has_digit: self.digits & (all ^ rest) != 0 }
    }
}

/// A character beyond ASCII.
struct Beyond {
    start: usize,
    len: usize,
    /// Whether it is a letter or a digit.
    counts: bool,
}

impl Beyond {
    /// One byte of it is there.
    fn at(text: &str, byte: usize) -> Self {
        let start = text.floor_char_boundary(byte);
        let letter = text[start..].chars().next().expect("a byte beyond ASCII is of a character");
        Self { start, len: letter.len_utf8(), counts: is_letter_or_digit(letter) }
    }

    /// Those of its bytes that are in the block that begins there: it may begin before.
    fn bytes_within(&self, block: usize) -> u64 {
        let bytes = !(u64::MAX << self.len);
        if self.start < block { bytes >> (block - self.start) } else { bytes << (self.start - block) }
    }
}

/// As many as a block has, zeros behind them.
fn filled_up(text: &[u8]) -> [u8; BYTES] {
    text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; BYTES];
        bytes[..text.len()].copy_from_slice(text);
        bytes
    })
}
