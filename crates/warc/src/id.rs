use std::fmt;

/// `WARC-Record-ID`: a UUID of version 8 (RFC 9562, section 5.8), made of the caller's own 122 bits, so
/// that the same capture gets the same id whenever it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u128);

const VERSION: u128 = 8 << 76;
const VARIANT: u128 = 0b10 << 62;
const FORM: &[u8; 45] = b"urn:uuid:01234567-0123-0123-0123-0123456789ab";
/// Where in its text each byte of a UUID stands.
const PLACES: [usize; 16] = [9, 11, 13, 15, 18, 20, 23, 25, 28, 30, 33, 35, 37, 39, 41, 43];
const DIGITS: &[u8; 16] = b"0123456789abcdef";
const OWN_BITS: u128 = !((0xF << 76) | (0b11 << 62));

impl RecordId {
    /// The id that carries `value`, less the six bits that a UUID keeps for itself.
    pub fn from_value(value: u128) -> Self {
        Self(value & OWN_BITS | VERSION | VARIANT)
    }

    /// `<urn:uuid:…>`, as it stands in a header.
    pub fn bracketed(self) -> String {
        let mut text = String::with_capacity("<>".len() + FORM.len());
        self.write_bracketed(&mut text);
        text
    }

    /// Appends the same.
    pub(crate) fn write_bracketed(self, text: &mut String) {
        let id = self.text();
        text.extend(["<", as_text(&id), ">"]);
    }

    fn text(self) -> [u8; FORM.len()] {
        let mut text = *FORM;
        for (place, byte) in PLACES.into_iter().zip(self.0.to_be_bytes()) {
            text[place] = DIGITS[usize::from(byte >> 4)];
            text[place + 1] = DIGITS[usize::from(byte & 0xF)];
        }
        text
    }
}

fn as_text(id: &[u8]) -> &str {
    str::from_utf8(id).expect("digits and dashes")
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(as_text(&self.text()))
    }
}
