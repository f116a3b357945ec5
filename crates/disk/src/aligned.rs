use std::ops::{Deref, DerefMut};

/// What memory, offset and length must be multiples of for a transfer that bypasses the operating system's
/// cache: the largest block that disks address.
pub const ALIGNMENT: usize = 4096;

/// Bytes that begin at a multiple of [`ALIGNMENT`] in memory.
#[derive(Debug)]
pub struct AlignedBuffer {
    /// Never outgrows its capacity in place: that would move it.
    bytes: Vec<u8>,
    start: usize,
}

impl AlignedBuffer {
    /// An empty buffer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut bytes: Vec<u8> = Vec::with_capacity(capacity + ALIGNMENT);
        let start = bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        bytes.resize(start, 0);
        Self { bytes, start }
    }

    /// Appends `more`.
    pub fn extend_from_slice(&mut self, more: &[u8]) {
        self.reserve(more.len());
        self.bytes.extend_from_slice(more);
    }

    /// Cuts the buffer to `len` bytes, or fills it up to them with zeros.
    pub fn resize(&mut self, len: usize) {
        self.reserve(len.saturating_sub(self.len()));
        self.bytes.resize(self.start + len, 0);
    }

    /// Empties the buffer; its memory stays.
    pub fn clear(&mut self) {
        self.bytes.truncate(self.start);
    }

    fn reserve(&mut self, more: usize) {
        if self.bytes.capacity() - self.bytes.len() < more {
            let mut larger = Self::with_capacity((self.len() + more).max(2 * self.len()));
            larger.bytes.extend_from_slice(self);
            *self = larger;
        }
    }
}

impl Default for AlignedBuffer {
    /// Takes no memory until there is something in it.
    fn default() -> Self {
        Self { bytes: Vec::new(), start: 0 }
    }
}

impl Deref for AlignedBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

impl DerefMut for AlignedBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }
}
