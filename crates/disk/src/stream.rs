use crate::{ALIGNMENT, AlignedBuffer, File};
use std::io::{self, BufRead, Read, Write};
use std::ops::Range;
use std::sync::Arc;

/// Bytes gathered before they go to the file, and read ahead of the reader: large enough for a disk to be
/// sequential, small enough for a thousand open streams (64 MiB).
const BUFFER_BYTES: usize = 64 * 1024;

/// Writes a file from one offset onwards. What is buffered reaches the file with [`Write::flush`],
/// [`Appender::sync`] or [`Appender::into_file`]; dropping an appender drops it.
pub struct Appender {
    file: Box<dyn File>,
    buffer: AlignedBuffer,
    buffer_bytes: usize,
    written: u64,
}

impl Appender {
    /// Appends to `file` from `offset`; what the file holds there is overwritten.
    pub fn new(file: Box<dyn File>, offset: u64) -> Self {
        Self::with_buffer(file, offset, BUFFER_BYTES)
    }

    /// The same, gathering `buffer_bytes` instead of 64 KiB.
    pub fn with_buffer(file: Box<dyn File>, offset: u64, buffer_bytes: usize) -> Self {
        Self { file, buffer: AlignedBuffer::default(), buffer_bytes, written: offset }
    }

    /// Where the next byte goes, buffered bytes counted.
    pub fn offset(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Makes everything written so far durable.
    pub fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.sync()
    }

    /// The file, with everything written.
    pub fn into_file(mut self) -> io::Result<Box<dyn File>> {
        self.flush()?;
        Ok(self.file)
    }

    fn write_through(&mut self, data: &[u8]) -> io::Result<()> {
        self.file.write_at(data, self.written)?;
        self.written += data.len() as u64;
        Ok(())
    }
}

impl Write for Appender {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        // Full buffers are written, no others: so they stay aligned in the file, if the first one is.
        if self.buffer.len() == self.buffer_bytes {
            self.flush()?;
        }
        if self.buffer.is_empty() && data.len() >= self.buffer_bytes {
            self.write_through(data)?;
            return Ok(data.len());
        }
        let taken = data.len().min(self.buffer_bytes - self.buffer.len());
        self.buffer.extend_from_slice(&data[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        // On failure the bytes stay in the buffer: a later flush writes them again at the same place.
        self.file.write_at(&self.buffer, self.written)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// Reads a range of a file from front to back.
pub struct SequentialReader {
    file: Arc<dyn File>,
    buffer: AlignedBuffer,
    buffer_bytes: usize,
    consumed: usize,
    rest: Range<u64>,
}

impl SequentialReader {
    /// Reads the bytes of `range`, or as many of them as the file has.
    pub fn new(file: impl Into<Arc<dyn File>>, range: Range<u64>) -> Self {
        Self::with_buffer(file, range, BUFFER_BYTES)
    }

    /// The same, reading `buffer_bytes` (8 KiB at least) at a time instead of 64 KiB.
    pub fn with_buffer(file: impl Into<Arc<dyn File>>, range: Range<u64>, buffer_bytes: usize) -> Self {
        let buffer_bytes = buffer_bytes.max(2 * ALIGNMENT);
        let file = file.into();
        Self { file, buffer: AlignedBuffer::default(), buffer_bytes, consumed: 0, rest: range }
    }

    /// Reads all of the file.
    pub fn whole(file: Box<dyn File>) -> io::Result<Self> {
        let len = file.len()?;
        Ok(Self::new(file, 0..len))
    }

    /// Where in the file the next byte comes from.
    pub fn offset(&self) -> u64 {
        self.rest.start - (self.buffer.len() - self.consumed) as u64
    }

    fn refill(&mut self) -> io::Result<()> {
        // From an aligned place on, which only the first time is before what is wanted.
        let skipped = (self.rest.start % ALIGNMENT as u64) as usize;
        let start = self.rest.start - skipped as u64;
        let wanted = self.rest.end.saturating_sub(start).min(self.buffer_bytes as u64) as usize;
        self.buffer.resize(wanted);
        let read = self.file.read_at(&mut self.buffer, start);
        self.buffer.resize(*read.as_ref().unwrap_or(&0));
        self.consumed = skipped.min(self.buffer.len());
        self.rest.start = self.rest.start.max(start + read? as u64);
        Ok(())
    }
}

impl BufRead for SequentialReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.consumed == self.buffer.len() {
            self.refill()?;
        }
        Ok(&self.buffer[self.consumed..])
    }

    fn consume(&mut self, amount: usize) {
        self.consumed = (self.consumed + amount).min(self.buffer.len());
    }
}

impl Read for SequentialReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let taken = available.len().min(out.len());
        out[..taken].copy_from_slice(&available[..taken]);
        self.consume(taken);
        Ok(taken)
    }
}
