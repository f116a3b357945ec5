use disk::File;
use std::io::{self, Write};

/// A new disk file as the encoder wants to see it: bytes one after the other.
pub(crate) struct Sink {
    file: Box<dyn File>,
    at: u64,
}

impl Sink {
    /// Writes from the start of `file`.
    pub(crate) fn new(file: Box<dyn File>) -> Self {
        Self { file, at: 0 }
    }

    /// Bytes written.
    pub(crate) fn len(&self) -> u64 {
        self.at
    }

    /// Makes what was written durable.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

impl Write for Sink {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.file.write_at(data, self.at)?;
        self.at += data.len() as u64;
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
