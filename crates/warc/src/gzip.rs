//! One gzip member (RFC 1952) around the parts of a record.

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use libdeflater::{CompressionLvl, Compressor};
use std::io::Write;

/// How a member's bytes are laid down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Stored deflate blocks: the payload is compressed already.
    Stored,
    /// Compressed here.
    Deflated,
}

/// Fixed header: deflate, no flags, no time, unknown system. Equal records give equal bytes.
pub(crate) const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
/// RFC 1951, section 3.2.4: a stored block's length is 16 bits.
pub(crate) const STORED_BLOCK_BYTES: usize = 65_535;
/// The cheapest level that still finds matches; captures are written once and mostly never read.
const LEVEL: i32 = 1;
/// A member of no more bytes is stored: to make its code costs ten times what all the rest of a record does (8 µs, three times
/// a capture) and saves some hundred bytes beside a body of forty thousand.
const SMALL_BYTES: usize = 1 << 10;

/// Appends members; keeps its tables and its scratch between them.
pub(crate) struct MemberWriter {
    compressor: Compressor,
    scratch: Vec<u8>,
}

impl MemberWriter {
    pub(crate) fn new() -> Self {
        let level = CompressionLvl::new(LEVEL).expect("libdeflate knows levels 0 to 12");
        Self { compressor: Compressor::new(level), scratch: Vec::new() }
    }

    /// Appends one member that holds `parts` one after the other.
    pub(crate) fn append(&mut self, out: &mut Vec<u8>, parts: &[&[u8]], form: Form) {
        let total: usize = parts.iter().map(|part| part.len()).sum();
        match form {
            Form::Deflated if total > SMALL_BYTES => self.append_deflated(out, parts),
            Form::Deflated | Form::Stored => append_stored(out, parts, total),
        }
    }

    fn append_deflated(&mut self, out: &mut Vec<u8>, parts: &[&[u8]]) {
        self.scratch.clear();
        self.scratch.reserve_exact(parts.iter().map(|part| part.len()).sum());
        for part in parts {
            self.scratch.extend_from_slice(part);
        }
        let start = out.len();
        out.resize(start + self.compressor.gzip_compress_bound(self.scratch.len()), 0);
        let written = self.compressor.gzip_compress(&self.scratch, &mut out[start..]);
        out.truncate(start + written.expect("the bound is libdeflate's own"));
    }
}

/// One member that is written as its bytes come, for parts that memory does not hold.
pub(crate) fn member_stream<W: Write>(out: W, form: Form) -> GzEncoder<W> {
    let level = match form {
        Form::Stored => Compression::none(),
        Form::Deflated => Compression::new(LEVEL as u32),
    };
    GzBuilder::new().operating_system(HEADER[9]).write(out, level)
}

fn append_stored(out: &mut Vec<u8>, parts: &[&[u8]], total: usize) {
    out.reserve(total + total / STORED_BLOCK_BYTES * 5 + parts.len() * 5 + 32);
    out.extend_from_slice(&HEADER);
    let mut crc = crc32fast::Hasher::new();
    let mut left = total;
    for block in parts.iter().flat_map(|part| part.chunks(STORED_BLOCK_BYTES)) {
        left -= block.len();
        append_stored_block(out, block, left == 0);
        crc.update(block);
    }
    out.extend_from_slice(&crc.finalize().to_le_bytes());
    out.extend_from_slice(&(total as u32).to_le_bytes());
}

fn append_stored_block(out: &mut Vec<u8>, block: &[u8], last: bool) {
    let len = block.len() as u16;
    out.push(u8::from(last));
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(&(!len).to_le_bytes());
    out.extend_from_slice(block);
}
