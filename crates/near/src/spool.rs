//! Sets of shingles on disk, in the order of their texts, for as long as a comparison takes.

use crate::error::Result;
use crate::scratch::Scratch;
use crate::shingles::ShingleSet;
use disk::{Appender, Disk, Mode, SequentialReader};
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

const HEADER_BYTES: usize = 16;

pub(crate) fn spool_path(scratch: &Scratch) -> PathBuf {
    scratch.file("shingles", 0)
}

pub(crate) struct SpoolWriter {
    out: Appender,
}

impl SpoolWriter {
    pub(crate) fn create(disk: &dyn Disk, path: &Path) -> Result<Self> {
        Ok(Self { out: Appender::new(disk.open(path, Mode::Truncate)?, 0) })
    }

    pub(crate) fn push(&mut self, text: u64, set: &ShingleSet) -> Result<()> {
        self.out.write_all(&text.to_le_bytes())?;
        self.out.write_all(&set.bound.to_le_bytes())?;
        self.out.write_all(&(set.hashes.len() as u32).to_le_bytes())?;
        set.hashes.iter().try_for_each(|hash| Ok(self.out.write_all(&hash.to_le_bytes())?))
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// A set and whose it is.
pub(crate) struct Spooled {
    pub(crate) text: u64,
    pub(crate) set: ShingleSet,
}

pub(crate) struct SpoolReader {
    from: SequentialReader,
}

impl SpoolReader {
    pub(crate) fn open(disk: &dyn Disk, path: &Path, offset: u64) -> Result<Self> {
        let file = disk.open(path, Mode::Read)?;
        let len = file.len()?;
        Ok(Self { from: SequentialReader::new(file, offset..len) })
    }

    pub(crate) fn offset(&self) -> u64 {
        self.from.offset()
    }

    pub(crate) fn next(&mut self) -> Result<Option<Spooled>> {
        if self.from.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut header = [0; HEADER_BYTES];
        self.from.read_exact(&mut header)?;
        let text = u64::from_le_bytes(std::array::from_fn(|at| header[at]));
        let [bound, len] =
            [8, 12].map(|from| u32::from_le_bytes(std::array::from_fn(|at| header[from + at])));
        let mut bytes = vec![0; len as usize * 4];
        self.from.read_exact(&mut bytes)?;
        let hashes = bytes.as_chunks().0.iter().map(|hash| u32::from_le_bytes(*hash)).collect();
        Ok(Some(Spooled { text, set: ShingleSet { hashes, bound } }))
    }
}
