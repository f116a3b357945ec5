//! Bytes as files of Drumlin have them: little-endian fields, variable-length integers, texts that lean on the one before.

/// Appends `n` in LEB128: seven bits a byte, lowest first.
#[inline]
pub fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends several, of which most are a byte each.
#[inline]
pub fn put_varints<const N: usize>(out: &mut Vec<u8>, numbers: [u64; N]) {
    if numbers.iter().all(|n| *n < 0x80) {
        out.extend_from_slice(&numbers.map(|n| n as u8));
    } else {
        for n in numbers {
            put_varint(out, n);
        }
    }
}

/// Appends bytes behind their length.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// How many bytes `a` and `b` begin with alike, looked at eight at a time.
#[inline]
pub fn shared_prefix(a: &[u8], b: &[u8]) -> usize {
    let (words_a, words_b) = (a.as_chunks().0, b.as_chunks().0);
    let words = words_a.iter().zip(words_b);
    for (nth, (a, b)) in words.enumerate() {
        let differing = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differing != 0 {
            return nth * 8 + differing.trailing_zeros() as usize / 8;
        }
    }
    let done = words_a.len().min(words_b.len()) * 8;
    done + a[done..].iter().zip(&b[done..]).take_while(|(a, b)| a == b).count()
}

/// Reads fields from front to back; `None` when the bytes are at an end.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether all has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// So many bytes.
    #[inline]
    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    /// Bytes behind their length, as [`put_bytes`] writes them.
    #[inline]
    pub fn counted_bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.varint()?;
        self.bytes(usize::try_from(len).ok()?)
    }

    /// A byte.
    #[inline]
    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Eight bytes.
    #[inline]
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number, as [`put_varint`] writes it; `None` also if it has more than ten bytes.
    #[inline]
    pub fn varint(&mut self) -> Option<u64> {
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

    /// Two numbers, as [`put_varints`] writes them.
    #[inline]
    pub fn varints(&mut self) -> Option<[u64; 2]> {
        if let [a @ 0..0x80, b @ 0..0x80, rest @ ..] = self.rest {
            self.rest = rest;
            return Some([u64::from(*a), u64::from(*b)]);
        }
        Some([self.varint()?, self.varint()?])
    }

    /// So many bytes, by value.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }
}
