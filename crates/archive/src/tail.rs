use disk::File;
use std::io::{self, Write};

/// The growing end of a file: bytes are gathered before they are written.
pub(crate) struct Tail {
    file: Box<dyn File>,
    /// Bytes in the file; what is in `pending` comes after them.
    written: u64,
    /// How far the operating system has been told that nobody reads it soon.
    let_go: u64,
    pending: Vec<u8>,
}

impl Tail {
    /// Of a new file.
    pub(crate) fn new(file: Box<dyn File>) -> Self {
        Self { file, written: 0, let_go: 0, pending: Vec::new() }
    }

    /// Where the next byte goes.
    pub(crate) fn len(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    /// What is gathered, to be appended to.
    pub(crate) fn pending(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Writes what is gathered if it is more than `above`.
    pub(crate) fn write_pending(&mut self, above: usize) -> io::Result<()> {
        if self.pending.len() > above {
            self.file.write_at(&self.pending, self.written)?;
            self.written += self.pending.len() as u64;
            self.pending.clear();
        }
        Ok(())
    }

    /// Makes everything durable, and lets go of it: to find new memory for each page of what is written once and hardly ever
    /// read costs more than to write it.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.write_pending(0)?;
        self.file.sync()?;
        self.file.let_go(self.let_go..self.written);
        self.let_go = self.written;
        Ok(())
    }

    /// Cuts off, durably, what is behind `len`.
    pub(crate) fn roll_back(&mut self, len: u64) -> io::Result<()> {
        self.pending.clear();
        // Also when nothing is counted as written: a failed write may have written a part.
        if self.file.len()? != len {
            self.file.set_len(len)?;
            self.file.sync()?;
        }
        self.written = len;
        self.let_go = self.let_go.min(len);
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
