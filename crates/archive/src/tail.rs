use crate::limits::STAGED_BYTES;
use disk::{ALIGNMENT, AlignedBuffer, File};
use std::io::{self, Write};

/// The growing end of a file: bytes are gathered before they are written, past the operating system's cache where it can be. To find
/// memory for each page of what is written once and hardly ever read costs more than to write it.
pub(crate) struct Tail {
    file: Box<dyn File>,
    /// Bytes in the file.
    written: u64,
    /// How far the operating system has been told that nobody reads it soon.
    let_go: u64,
    /// The last bytes of the file, as many as it is longer than a multiple of [`ALIGNMENT`], and what comes after them: whole blocks go
    /// past the cache, so that the last one is written again when it has grown.
    pending: Vec<u8>,
    /// Bytes of `pending` that the file has.
    again: usize,
    staged: AlignedBuffer,
}

impl Tail {
    /// Of a new file.
    pub(crate) fn new(file: Box<dyn File>) -> Self {
        let (pending, staged) = Default::default();
        Self { file, written: 0, let_go: 0, pending, again: 0, staged }
    }

    /// Where the next byte goes.
    pub(crate) fn len(&self) -> u64 {
        self.written + self.unwritten() as u64
    }

    fn unwritten(&self) -> usize {
        self.pending.len() - self.again
    }

    /// What is gathered, to be appended to.
    pub(crate) fn pending(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Writes what is gathered if it is more than `above`.
    pub(crate) fn write_pending(&mut self, above: usize) -> io::Result<()> {
        if self.unwritten() > above {
            let mut at = self.written - self.again as u64;
            for part in self.pending.chunks(STAGED_BYTES) {
                self.staged.clear();
                self.staged.extend_from_slice(part);
                self.file.write_at(&self.staged, at)?;
                at += part.len() as u64;
            }
            self.written = at;
            self.pending.drain(..self.pending.len() / ALIGNMENT * ALIGNMENT);
            self.again = self.pending.len();
        }
        Ok(())
    }

    /// Makes everything durable, and lets go of what of it is in the cache.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.write_pending(0)?;
        self.file.sync()?;
        self.file.let_go(self.let_go..self.written);
        self.let_go = self.written;
        Ok(())
    }

    /// Cuts off, durably, what is behind `len`.
    pub(crate) fn roll_back(&mut self, len: u64) -> io::Result<()> {
        // Also when nothing is counted as written: a failed write may have written a part.
        if self.file.len()? != len {
            self.file.set_len(len)?;
            self.file.sync()?;
        } else if self.len() == len {
            return Ok(());
        }
        self.again = (len % ALIGNMENT as u64) as usize;
        self.pending.resize(self.again, 0);
        let found = self.file.read_at(&mut self.pending, len - self.again as u64)?;
        if found < self.again {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (self.written, self.let_go) = (len, self.let_go.min(len));
        Ok(())
    }
}

impl Write for Tail {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.write_pending(crate::limits::WRITE_BYTES)?;
        self.pending.extend_from_slice(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_pending(0)
    }
}
