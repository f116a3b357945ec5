use std::fmt;

/// `WARC-Record-ID`: a UUID of version 8 (RFC 9562, section 5.8), made of the caller's own 122 bits, so
/// that the same capture gets the same id whenever it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u128);

const VERSION: u128 = 8 << 76;
const VARIANT: u128 = 0b10 << 62;
/// Where in a UUID's text its dashes stand.
const DASHES: [usize; 4] = [8, 13, 18, 23];
const OWN_BITS: u128 = !((0xF << 76) | (0b11 << 62));

impl RecordId {
    /// The id that carries `value`, less the six bits that a UUID keeps for itself.
    pub fn from_value(value: u128) -> Self {
        Self(value & OWN_BITS | VERSION | VARIANT)
    }

    /// `<urn:uuid:…>`, as it stands in a header.
    pub fn bracketed(self) -> String {
        format!("<{self}>")
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut digits, mut below) = ([0; 36], u128::BITS);
        for (at, digit) in digits.iter_mut().enumerate() {
            *digit = b'-';
            if !DASHES.contains(&at) {
                below -= 4;
                *digit = b"0123456789abcdef"[(self.0 >> below) as usize & 0xF];
            }
        }
        f.write_str("urn:uuid:")?;
        f.write_str(str::from_utf8(&digits).expect("digits and dashes"))
    }
}
