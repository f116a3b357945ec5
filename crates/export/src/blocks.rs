use crate::index_lines::Line;
use crate::limits::{BLOCK_BYTES, LEVEL};
use libdeflater::{CompressionLvl, Compressor};

/// Makes gzip members of so many lines each, or fewer where they are long.
pub(crate) struct BlockMaker {
    compressor: Compressor,
    most_lines: u64,
    /// Key and time of the first line.
    first: String,
    lines: u64,
    bytes: Vec<u8>,
}

/// Some lines of an index, as one gzip member.
pub(crate) struct Block {
    /// Key and time of the first.
    pub(crate) first: String,
    pub(crate) member: Vec<u8>,
}

impl BlockMaker {
    pub(crate) fn new(most_lines: u64) -> Self {
        let compressor = Compressor::new(CompressionLvl::new(LEVEL).expect("libdeflate knows it"));
        Self { compressor, most_lines, first: String::new(), lines: 0, bytes: Vec::new() }
    }

    /// Takes in a line; gives the block that it fills.
    pub(crate) fn push(&mut self, line: Line<'_>) -> Option<Block> {
        if self.lines == 0 {
            line.place.clone_into(&mut self.first);
        }
        self.bytes.extend_from_slice(line.text);
        self.lines += 1;
        let is_full = self.lines == self.most_lines || self.bytes.len() >= BLOCK_BYTES;
        if is_full { self.take() } else { None }
    }

    /// The lines that fill no block.
    pub(crate) fn take(&mut self) -> Option<Block> {
        if self.lines == 0 {
            return None;
        }
        let mut member = vec![0; self.compressor.gzip_compress_bound(self.bytes.len())];
        let length = self.compressor.gzip_compress(&self.bytes, &mut member);
        member.truncate(length.expect("the bound is libdeflate's own"));
        self.lines = 0;
        self.bytes.clear();
        Some(Block { first: std::mem::take(&mut self.first), member })
    }
}
