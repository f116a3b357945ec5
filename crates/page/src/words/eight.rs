//! Letters and digits of ASCII, eight bytes at a time.

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
pub(super) struct Eight {
    letters_and_digits: u64,
    digits: u64,
    beyond_ascii: u64,
}

impl Eight {
    pub(super) fn of(text: &[u8]) -> Self {
        let all = eight(text, 8);
        let (beyond_ascii, ascii) = (all & HIGHEST, all & !HIGHEST);
        // The cases differ in one bit, which no other character turns into a letter.
        let letters = between(ascii | (EACH * 0x20), b'a', b'z') & !beyond_ascii;
        let digits = between(ascii, b'0', b'9') & !beyond_ascii;
        Self { letters_and_digits: letters | digits, digits, beyond_ascii }
    }

    /// Letters and digits of ASCII in front.
    pub(super) fn run_len(&self) -> usize {
        in_front(self.letters_and_digits)
    }

    /// Characters of ASCII in front that are neither.
    pub(super) fn gap_len(&self) -> usize {
        in_front(!(self.letters_and_digits | self.beyond_ascii))
    }

    /// Whether the byte behind so many, seven at most, is a part of a character beyond ASCII.
    pub(super) fn beyond_ascii_at(&self, len: usize) -> bool {
        self.beyond_ascii >> (8 * len) & 0x80 != 0
    }

    pub(super) fn has_digit_within(&self, len: usize) -> bool {
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
