use super::{Block, HEADER_BYTES, Kind, stored_bytes};
use crate::error::Result;
use crate::limits::{MAX_BLOCK_BYTES, STREAM_BYTES};
use disk::{Damage, File};
use std::ops::Range;
use std::path::Path;

/// Reads a range of a file block by block. The file is the caller's, so that one that is open serves many ranges.
#[derive(Default)]
pub(crate) struct BlockStream {
    buffer: Vec<u8>,
    /// How much of the buffer has been given.
    given: usize,
    /// What of the range is not in the buffer yet.
    rest: Range<u64>,
    ahead_bytes: usize,
}

/// How much is read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// A block: nothing more is wanted.
    Block,
    /// Many: all of it is wanted.
    Stream,
}

impl BlockStream {
    pub(crate) fn new(range: Range<u64>, ahead: Ahead) -> Self {
        let mut stream = Self::default();
        stream.reset(range, ahead);
        stream
    }

    /// Begins another range, with the buffer that is there.
    pub(crate) fn reset(&mut self, range: Range<u64>, ahead: Ahead) {
        self.buffer.clear();
        self.given = 0;
        self.rest = range;
        self.ahead_bytes = match ahead {
            Ahead::Block => HEADER_BYTES + MAX_BLOCK_BYTES,
            Ahead::Stream => STREAM_BYTES,
        };
    }

    /// Where in the file the next block begins.
    pub(crate) fn offset(&self) -> u64 {
        self.rest.start - (self.buffer.len() - self.given) as u64
    }

    /// Bytes of the range that have not been given.
    pub(crate) fn left(&self) -> u64 {
        self.rest.end.saturating_sub(self.offset())
    }

    /// The next block, which must be in the range.
    pub(crate) fn next(&mut self, file: &dyn File, path: &Path, kind: Kind) -> Result<Block<'_>> {
        let damaged = |damage: Damage| damage.in_file(path);
        let header = self.look(file, path, HEADER_BYTES)?;
        let len = stored_bytes(kind, header).map_err(damaged)?;
        let stored = self.take(file, path, len)?;
        Ok(Block::parse(kind, stored).map_err(damaged)?)
    }

    /// The next bytes, whatever they are.
    pub(crate) fn take(&mut self, file: &dyn File, path: &Path, len: usize) -> Result<&[u8]> {
        self.look(file, path, len)?;
        self.given += len;
        Ok(&self.buffer[self.given - len..self.given])
    }

    fn look(&mut self, file: &dyn File, path: &Path, len: usize) -> Result<&[u8]> {
        if self.buffer.len() - self.given < len {
            self.fill(file, path, len)?;
        }
        Ok(&self.buffer[self.given..self.given + len])
    }

    /// Has at least `len` bytes in the buffer that have not been given.
    fn fill(&mut self, file: &dyn File, path: &Path, len: usize) -> Result<()> {
        self.buffer.drain(..self.given);
        self.given = 0;
        let (there, left) = (self.buffer.len(), self.rest.end.saturating_sub(self.rest.start));
        let wanted = left.min(len.max(self.ahead_bytes) as u64 - there as u64) as usize;
        self.buffer.resize(there + wanted, 0);
        let read = file.read_at(&mut self.buffer[there..], self.rest.start);
        self.buffer.truncate(there + *read.as_ref().unwrap_or(&0));
        self.rest.start += read? as u64;
        if self.buffer.len() < len {
            return Err(Damage::Bad("a block reaches beyond its end").in_file(path).into());
        }
        Ok(())
    }
}
