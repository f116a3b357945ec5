//! Bits, the most significant first, and the instantaneous codes of the `WebGraph` framework.

use crate::error::Result;
use crate::new_file::NewFile;

/// Bits on their way into a file.
pub(super) struct BitWriter {
    out: NewFile,
    /// Not yet a byte: the low `pending` bits.
    last: u8,
    pending: u32,
    /// Bits so far.
    written: u64,
}

impl BitWriter {
    pub(super) fn new(out: NewFile) -> Self {
        Self { out, last: 0, pending: 0, written: 0 }
    }

    /// Bits so far.
    pub(super) fn len(&self) -> u64 {
        self.written
    }

    /// The file, filled up with zeros to a whole byte.
    pub(super) fn finish(mut self) -> Result<NewFile> {
        while self.pending > 0 {
            self.put(0, 1)?;
        }
        Ok(self.out)
    }

    /// The low `width` bits of `value`.
    pub(super) fn put(&mut self, value: u64, width: u32) -> Result<()> {
        for bit in (0..width).rev() {
            self.last = self.last << 1 | (value >> bit & 1) as u8;
            self.pending += 1;
            if self.pending == u8::BITS {
                self.out.write(&[self.last])?;
                (self.last, self.pending) = (0, 0);
            }
        }
        self.written += u64::from(width);
        Ok(())
    }

    fn unary(&mut self, value: u64) -> Result<()> {
        (0..value).try_for_each(|_| self.put(0, 1))?;
        self.put(1, 1)
    }

    /// Elias' γ: the length of `value` + 1 in unary, then its bits but the first.
    pub(super) fn gamma(&mut self, value: u64) -> Result<()> {
        let length = (value + 1).ilog2();
        self.unary(u64::from(length))?;
        self.put(value + 1, length)
    }

    /// ζ with parameter k (Boldi, Vigna, *Codes for the World Wide Web*, 2005): the magnitude of `value` + 1 in steps of k bits in unary,
    /// then the rest in minimal binary.
    pub(super) fn zeta(&mut self, value: u64, k: u32) -> Result<()> {
        let value = value + 1;
        let step = value.ilog2() / k;
        self.unary(u64::from(step))?;
        let (least, width) = (1u64 << (step * k), step * k + k);
        // Minimal binary among 2^width − least values: those below `least` need one bit less.
        let rest = value - least;
        if rest < least { self.put(rest, width - 1) } else { self.put(rest + least, width) }
    }
}
