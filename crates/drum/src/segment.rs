mod reader;

pub(crate) use reader::{SegmentReader, TextBuffer, TextPlace};

use crate::error::Result;
use crate::limits::DIRECT_BYTES;
use disk::{AlignedBuffer, Disk, File, Mode};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A stretch of a bucket's requests: one file, and the blocks that are not in it yet.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub(crate) generation: u64,
    /// Bytes of the file that count; what a torn write left behind them does not.
    pub(crate) written: u64,
    pub(crate) unwritten: Vec<Arc<AlignedBuffer>>,
    pub(crate) unwritten_bytes: u64,
    pub(crate) entries: u64,
    /// Of their aux, unpacked.
    pub(crate) aux_bytes: u64,
    /// Bytes of the file that a committed cut names.
    pub(crate) durable: u64,
}

impl Segment {
    pub(crate) fn new(generation: u64) -> Self {
        Self { generation, ..Self::default() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.written + self.unwritten_bytes
    }

    /// Takes a batch of so many entries and bytes of aux, as a block.
    pub(crate) fn push(&mut self, block: AlignedBuffer, entries: usize, aux_bytes: u64) {
        self.unwritten_bytes += block.len() as u64;
        self.unwritten.push(Arc::new(block));
        self.entries += entries as u64;
        self.aux_bytes += aux_bytes;
    }

    /// Appends what is not written to the file at `path`, which will grow to `expected_bytes`. May be repeated
    /// after an error. What a file begins with goes the way of a small file: it may come to no more, and a file that
    /// goes past the operating system's cache has a name on the disk at once.
    pub(crate) fn write_out(&mut self, disk: &dyn Disk, path: &Path, expected_bytes: u64) -> Result<u64> {
        if self.unwritten.is_empty() {
            return Ok(0);
        }
        let bytes = if self.written == 0 { self.unwritten_bytes } else { expected_bytes };
        let mut file = open_stream(disk, path, Mode::OpenOrCreate, bytes)?;
        let before = self.written;
        while let Some(block) = self.unwritten.first() {
            file.write_at(block, self.written)?;
            self.written += block.len() as u64;
            self.unwritten_bytes -= block.len() as u64;
            self.unwritten.remove(0);
        }
        Ok(self.written - before)
    }

    pub(crate) fn is_durable(&self) -> bool {
        self.durable == self.written
    }

    /// The segment, whose file is at `path`, as it is now.
    pub(crate) fn snapshot(&self, path: PathBuf) -> Snapshot {
        Snapshot { path, written: self.written, unwritten: self.unwritten.clone() }
    }
}

/// What a segment holds at one moment, for a reader on any thread.
pub(crate) struct Snapshot {
    path: PathBuf,
    pub(crate) written: u64,
    unwritten: Vec<Arc<AlignedBuffer>>,
}

/// Opens a file of about `bytes`, past the operating system's cache if they are many.
pub(crate) fn open_stream(disk: &dyn Disk, path: &Path, mode: Mode, bytes: u64) -> Result<Box<dyn File>> {
    Ok(if bytes < DIRECT_BYTES { disk.open(path, mode)? } else { disk.open_direct(path, mode)? })
}
