use std::fmt;

/// `WARC-Record-ID`: a UUID of version 8 (RFC 9562, section 5.8), made of the caller's own 122 bits, so
/// that the same capture gets the same id whenever it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u128);

const VERSION: u128 = 8 << 76;
const VARIANT: u128 = 0b10 << 62;
const NODE_BITS: u64 = (1 << 48) - 1;
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
        let [high, middle, version, variant] = [96, 80, 64, 48].map(|below| self.0 >> below);
        let (middle, version, variant) = (middle as u16, version as u16, variant as u16);
        let node = self.0 as u64 & NODE_BITS;
        write!(f, "urn:uuid:{high:08x}-{middle:04x}-{version:04x}-{variant:04x}-{node:012x}")
    }
}
