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

/// Eight bytes of a text told apart at once: in each of these numbers a byte has its highest bit set, or none.
pub(super) struct Eight {
    letters_and_digits: u64,
    digits: u64,
    beyond_ascii: u64,
}

impl Eight {
    pub(super) fn of(all: u64) -> Self {
        let (beyond_ascii, ascii) = (all & HIGHEST, all & !HIGHEST);
        // The cases differ in one bit, which no other character turns into a letter.
        let letters = between(ascii | (EACH * 0x20), b'a', b'z') & !beyond_ascii;
        let digits = between(ascii, b'0', b'9') & !beyond_ascii;
        Self { letters_and_digits: letters | digits, digits, beyond_ascii }
    }

    /// Which bytes are letters and digits of ASCII, one bit each.
    pub(super) fn letters_and_digits(&self) -> u64 {
        one_bit_each(self.letters_and_digits)
    }

    pub(super) fn digits(&self) -> u64 {
        one_bit_each(self.digits)
    }

    /// Which bytes are parts of characters beyond ASCII.
    pub(super) fn beyond_ascii(&self) -> u64 {
        one_bit_each(self.beyond_ascii)
    }
}

const EACH: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = EACH * 0x80;

/// Which bytes, all of them ASCII, lie from `first` to `last`: to add what one of them lacks to 128 sets its highest bit.
fn between(bytes: u64, first: u8, last: u8) -> u64 {
    let (not_less, greater) = (bytes + EACH * u64::from(0x80 - first), bytes + EACH * u64::from(0x7F - last));
    not_less & !greater & HIGHEST
}

/// The highest bits of eight bytes side by side: the product has the bit of byte n in place 56 + n, and no two in one place.
fn one_bit_each(marks: u64) -> u64 {
    (marks >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
