//! The queue of new URLs, which IRLbot's α counts too: written once, read by nobody here.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Text gathered before it is written.
const BLOCK_BYTES: usize = 128 << 10;
/// A file is begun anew at this size, so that the queue does not fill the disk.
const FILE_BYTES: u64 = 256 << 20;

/// Front-coded: each URL as how much of the one before it begins with, and the rest.
pub(crate) struct Uniques {
    file: File,
    block: Vec<u8>,
    last: Vec<u8>,
    written: u64,
}

impl Uniques {
    pub(crate) fn create(dir: &Path) -> Self {
        Self {
            file: File::create(dir.join("uniques")).expect("a queue"),
            block: Vec::with_capacity(2 * BLOCK_BYTES),
            last: Vec::new(),
            written: 0,
        }
    }

    pub(crate) fn push(&mut self, url: &[u8]) -> io::Result<()> {
        let shared = self.last.iter().zip(url).take_while(|(a, b)| a == b).count();
        let rest = &url[shared..];
        self.block.extend_from_slice(&(shared as u16).to_le_bytes());
        self.block.extend_from_slice(&(rest.len() as u16).to_le_bytes());
        self.block.extend_from_slice(rest);
        self.last.truncate(shared);
        self.last.extend_from_slice(rest);
        if self.block.len() >= BLOCK_BYTES { self.write() } else { Ok(()) }
    }

    /// Bytes written in all.
    pub(crate) fn finish(&mut self) -> u64 {
        self.write().expect("the queue");
        self.written
    }

    fn write(&mut self) -> io::Result<()> {
        let after = self.written + self.block.len() as u64;
        if self.written / FILE_BYTES != after / FILE_BYTES {
            self.file.set_len(0)?;
        }
        self.file.write_all(&self.block)?;
        self.written = after;
        self.block.clear();
        self.last.clear();
        Ok(())
    }
}
