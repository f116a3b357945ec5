use crate::error::{Damage, Error, Result};
use disk::{Disk, Mode, read_exact_at};
use std::path::Path;
use std::sync::Arc;

/// A stretch of a bucket's requests: one file, and the blocks that are not in it yet.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub(crate) generation: u64,
    /// Bytes of the file that count; what a torn write left behind them does not.
    pub(crate) written: u64,
    pub(crate) unwritten: Vec<Arc<[u8]>>,
    pub(crate) entries: u64,
    /// Bytes of the file that a committed cut names.
    pub(crate) durable: u64,
}

impl Segment {
    pub(crate) fn new(generation: u64) -> Self {
        Self { generation, ..Self::default() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.written + self.unwritten.iter().map(|block| block.len() as u64).sum::<u64>()
    }

    pub(crate) fn push(&mut self, block: Vec<u8>, entries: usize) {
        self.unwritten.push(block.into());
        self.entries += entries as u64;
    }

    /// Appends what is not written to the file at `path`. May be repeated after an error.
    pub(crate) fn write_out(&mut self, disk: &dyn Disk, path: &Path) -> Result<u64> {
        if self.unwritten.is_empty() {
            return Ok(0);
        }
        let mut file = disk.open(path, Mode::OpenOrCreate)?;
        let before = self.written;
        for block in &self.unwritten {
            file.write_at(block, self.written)?;
            self.written += block.len() as u64;
        }
        self.unwritten.clear();
        Ok(self.written - before)
    }

    pub(crate) fn is_durable(&self) -> bool {
        self.durable == self.written
    }
}

/// The content of a segment: `written` bytes of its file, then `blocks`.
pub(crate) fn read_segment(
    disk: &dyn Disk,
    path: &Path,
    written: u64,
    blocks: &[Arc<[u8]>],
) -> Result<Vec<u8>> {
    let mut bytes = vec![0; written as usize];
    if written > 0 {
        let file = disk.open(path, Mode::Read)?;
        read_exact_at(&*file, &mut bytes, 0).map_err(|e| in_segment(e, path))?;
    }
    for block in blocks {
        bytes.extend_from_slice(block);
    }
    Ok(bytes)
}

fn in_segment(error: std::io::Error, path: &Path) -> Error {
    if error.kind() == std::io::ErrorKind::UnexpectedEof {
        return Damage::Bad("shorter than its manifest says").in_file(path);
    }
    error.into()
}
