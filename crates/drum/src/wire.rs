//! Little-endian fields and variable-length integers.

/// Appends `n` in LEB128: seven bits a byte, lowest first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends two, of which most are a byte each.
#[inline]
pub(crate) fn put_varints(out: &mut Vec<u8>, [a, b]: [u64; 2]) {
    if (a | b) < 0x80 {
        out.extend_from_slice(&[a as u8, b as u8]);
    } else {
        put_varint(out, a);
        put_varint(out, b);
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

    pub(crate) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            n |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    /// What [`put_varints`] wrote.
    #[inline]
    pub(crate) fn varints(&mut self) -> Option<[u64; 2]> {
        if let [a @ 0..0x80, b @ 0..0x80, rest @ ..] = self.rest {
            self.rest = rest;
            return Some([u64::from(*a), u64::from(*b)]);
        }
        Some([self.varint()?, self.varint()?])
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }
}
