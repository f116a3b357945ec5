//! Little-endian fields and variable-length integers.

use crate::error::{Damage, Result};

/// Appends `n` in LEB128: seven bits a byte, lowest first.
#[inline]
pub(crate) fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends several.
pub(crate) fn put_varints<const N: usize>(out: &mut Vec<u8>, numbers: [u64; N]) {
    for n in numbers {
        put_varint(out, n);
    }
}

/// Reads fields from front to back; `None` when the bytes are at an end.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn rest(&self) -> usize {
        self.rest.len()
    }

    #[inline]
    pub(crate) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    /// Bytes behind their length.
    #[inline]
    pub(crate) fn counted_bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.varint()?;
        self.bytes(usize::try_from(len).ok()?)
    }

    /// Passes over a magic and a version, which must be the ones that are known.
    pub(crate) fn expect(&mut self, magic: &[u8], known: u8, otherwise: &'static str) -> Result<(), Damage> {
        if self.bytes(magic.len()) != Some(magic) {
            return Err(Damage::Bad(otherwise));
        }
        match self.array() {
            Some([found]) if found == known => Ok(()),
            Some([found]) => Err(Damage::Version { found, known }),
            None => Err(Damage::Bad(otherwise)),
        }
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            n |= u64::from(byte & 0x7F) << shift;
            if *byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }
}
