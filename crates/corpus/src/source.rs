use bytes::Bytes;
use disk::{Disk, File, Mode};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

/// A closed file as the decoder wants to see it: any part, any number of times.
#[derive(Clone)]
pub(crate) struct Source {
    file: Arc<dyn File>,
    len: u64,
}

impl Source {
    /// Opens `path` for reading.
    pub(crate) fn open(disk: &dyn Disk, path: &Path) -> io::Result<Self> {
        let file = disk.open(path, Mode::Read)?;
        let len = file.len()?;
        Ok(Self { file: Arc::from(file), len })
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Source {
    type T = BufReader<Cursor>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(Cursor { file: Arc::clone(&self.file), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // The length comes from the file: a damaged one must not decide how much memory is asked for.
        if start.saturating_add(length as u64) > self.len {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} of a file of {}", self.len)));
        }
        let mut buffer = vec![0; length];
        let read = self.file.read_at(&mut buffer, start)?;
        buffer.truncate(read);
        Ok(buffer.into())
    }
}

/// Reads on from one place in the file.
pub(crate) struct Cursor {
    file: Arc<dyn File>,
    at: u64,
}

impl Read for Cursor {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buf, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
