use crate::read::{ReadErrorKind, Reader};
use std::io::{self, Read};

/// The payload of the HTTP message in a record, as it is asked for: a buffer's memory, however long it is.
pub struct PayloadReader<R> {
    reader: Reader<R>,
    left: u64,
}

impl<R: Read> PayloadReader<R> {
    /// Reads the record at the start of `read`, from behind the `head_len` bytes of its message's head.
    pub fn open(read: R, head_len: u64) -> io::Result<Self> {
        let mut reader = Reader::new(read);
        let left = reader.enter_block().map_err(io_error)?;
        let mut payload = Self { reader, left };
        let skipped = io::copy(&mut payload.by_ref().take(head_len), &mut io::sink())?;
        if skipped < head_len {
            return Err(io_error(ReadErrorKind::Truncated));
        }
        Ok(payload)
    }
}

impl<R: Read> Read for PayloadReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let wanted = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        let count = self.reader.read_in_block(&mut out[..wanted]).map_err(io_error)?;
        self.left -= count as u64;
        Ok(count)
    }
}

/// What is broken was whole when it was written, so it is the disk's fault.
fn io_error(kind: ReadErrorKind) -> io::Error {
    match kind {
        ReadErrorKind::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}
