//! Blocks of a bucket file; the layout is drawn in `docs/formats/drum.md`.

use crate::error::Damage;
use crate::front::FrontReader;
use crate::limits::{MAX_AUX_BYTES, MAX_BUFFER_BYTES};
use crate::packing::{self, Packing};
use crate::request::Op;
use crate::wire::Fields;
use std::io;

const MAGIC: [u8; 4] = *b"DRMb";
const VERSION: u16 = 2;
const HEADER_BYTES: usize = 32;
/// Where the checksum stands: it covers the header before it and everything after it.
const CHECKSUM_AT: usize = HEADER_BYTES - 4;
/// In place of an operation: every request has its own, in a column behind the keys.
const MIXED: u8 = 0xFF;
/// A batch overshoots its size by one request.
const MAX_COLUMN_BYTES: usize = MAX_BUFFER_BYTES + MAX_AUX_BYTES + 16;

/// The columns of a batch, as the writer has them.
pub(crate) struct BlockParts<'a> {
    pub(crate) keys: &'a [u64],
    pub(crate) ops: &'a [Op],
    pub(crate) values: &'a [u8],
    pub(crate) lengths: &'a [u8],
    pub(crate) rests: &'a [u8],
}

/// The columns of a block, as they stand in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block<'a> {
    count: usize,
    uniform: Option<Op>,
    ops: &'a [u8],
    keys: &'a [u8],
    pub(crate) values: &'a [u8],
    lengths: &'a [u8],
    rests: &'a [u8],
    raw_rest_bytes: usize,
}

/// The batch as bytes.
pub(crate) fn encode(parts: &BlockParts, value_bytes: usize, packing: Packing) -> io::Result<Vec<u8>> {
    let packed = match packing {
        Packing::Bare => None,
        Packing::Packed => {
            Some(packing::pack(parts.rests)?).filter(|packed| packed.len() < parts.rests.len())
        }
    };
    let rests = packed.as_deref().unwrap_or(parts.rests);
    let mut out = Vec::with_capacity(
        HEADER_BYTES + parts.keys.len() * 9 + parts.values.len() + parts.lengths.len() + rests.len(),
    );
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(value_bytes as u16).to_le_bytes());
    for length in [parts.keys.len(), parts.lengths.len(), parts.rests.len(), rests.len()] {
        out.extend_from_slice(&(length as u32).to_le_bytes());
    }
    let uniform = parts.ops.iter().all(|op| *op == parts.ops[0]);
    out.extend_from_slice(&[if uniform { parts.ops[0] as u8 } else { MIXED }, 0, 0, 0]);
    out.extend_from_slice(&[0; 4]);
    parts.keys.iter().for_each(|key| out.extend_from_slice(&key.to_le_bytes()));
    if !uniform {
        out.extend(parts.ops.iter().map(|op| *op as u8));
    }
    out.extend_from_slice(parts.values);
    out.extend_from_slice(parts.lengths);
    out.extend_from_slice(rests);
    let checksum = checksum(&out);
    out[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
    Ok(out)
}

/// The blocks of a bucket file, one after the other; ends after the first damage.
pub(crate) struct Blocks<'a> {
    rest: &'a [u8],
    value_bytes: usize,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(bytes: &'a [u8], value_bytes: usize) -> Self {
        Self { rest: bytes, value_bytes }
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<Block<'a>, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let bytes = std::mem::take(&mut self.rest);
        let len = match block_len(bytes, self.value_bytes) {
            Ok(len) => len,
            Err(damage) => return Some(Err(damage)),
        };
        let Some((block, rest)) = bytes.split_at_checked(len) else {
            return Some(Err(Damage::Bad("the last block is cut short")));
        };
        self.rest = rest;
        Some(parse(block, self.value_bytes))
    }
}

impl<'a> Block<'a> {
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.keys.as_chunks().0.iter().map(|key| u64::from_le_bytes(*key))
    }

    pub(crate) fn op(&self, nth: usize) -> Op {
        self.uniform.or_else(|| Op::from_byte(self.ops[nth])).expect("parsing checked every operation")
    }

    /// The texts, unpacked into `raw` (reused from block to block).
    pub(crate) fn texts<'b>(&'b self, raw: &'b mut Vec<u8>) -> Result<FrontReader<'b>, Damage> {
        if self.rests.len() == self.raw_rest_bytes {
            return Ok(FrontReader::new(self.lengths, self.rests));
        }
        raw.clear();
        raw.reserve(self.raw_rest_bytes);
        match packing::unpack(self.rests, raw) {
            Ok(len) if len == self.raw_rest_bytes => Ok(FrontReader::new(self.lengths, raw)),
            _ => Err(Damage::Bad("aux does not unpack")),
        }
    }
}

struct Header {
    count: usize,
    length_bytes: usize,
    raw_rest_bytes: usize,
    rest_bytes: usize,
    op: u8,
}

/// The length of the block that `bytes` begin with. Its values depend on its operations, so a mixed block's
/// column is looked at before the checksum was.
fn block_len(bytes: &[u8], value_bytes: usize) -> Result<usize, Damage> {
    let header = header(bytes, value_bytes)?;
    let updates = match header.op {
        MIXED => {
            let ops = bytes.get(HEADER_BYTES + 8 * header.count..).and_then(|rest| rest.get(..header.count));
            ops.ok_or(Damage::Bad("the last block is cut short"))?.iter().filter(|op| **op != 0).count()
        }
        op => header.count * usize::from(op != 0),
    };
    let op_bytes = if header.op == MIXED { header.count } else { 0 };
    let text_bytes = header.length_bytes + header.rest_bytes;
    Ok(HEADER_BYTES + 8 * header.count + op_bytes + updates * value_bytes + text_bytes)
}

fn header(bytes: &[u8], value_bytes: usize) -> Result<Header, Damage> {
    let cut = || Damage::Bad("the last block is cut short");
    let mut fields = Fields::new(bytes.get(..HEADER_BYTES).ok_or_else(cut)?);
    if fields.bytes(MAGIC.len()) != Some(&MAGIC) {
        return Err(Damage::Bad("no block where one should be"));
    }
    let version = fields.u16().ok_or_else(cut)?;
    if version != VERSION {
        return Err(Damage::Version { found: version, known: VERSION });
    }
    if fields.u16().map(usize::from) != Some(value_bytes) {
        return Err(Damage::Bad("values of another size"));
    }
    let mut length = || fields.u32().map(|n| n as usize).ok_or_else(cut);
    let (count, length_bytes, raw_rest_bytes, rest_bytes) = (length()?, length()?, length()?, length()?);
    let op = fields.u8().ok_or_else(cut)?;
    let columns_fit = length_bytes.max(raw_rest_bytes) <= MAX_COLUMN_BYTES;
    let sizes_fit = count <= MAX_BUFFER_BYTES && columns_fit && rest_bytes <= raw_rest_bytes;
    let op_fits = op == MIXED || Op::from_byte(op).is_some();
    (sizes_fit && op_fits)
        .then_some(Header { count, length_bytes, raw_rest_bytes, rest_bytes, op })
        .ok_or(Damage::Bad("an impossible block"))
}

fn parse(bytes: &[u8], value_bytes: usize) -> Result<Block<'_>, Damage> {
    let stored = u32::from_le_bytes([28, 29, 30, 31].map(|at: usize| bytes[at]));
    if stored != checksum(bytes) {
        return Err(Damage::Bad("a block's checksum does not fit"));
    }
    let header = header(bytes, value_bytes)?;
    let (keys, rest) = bytes[HEADER_BYTES..].split_at(8 * header.count);
    let (ops, rest) = rest.split_at(if header.op == MIXED { header.count } else { 0 });
    let (values, text) = rest.split_at(rest.len() - header.length_bytes - header.rest_bytes);
    let (lengths, rests) = text.split_at(header.length_bytes);
    let ops_fit = ops.iter().all(|op| Op::from_byte(*op).is_some());
    let uniform = Op::from_byte(header.op);
    let (count, raw_rest_bytes) = (header.count, header.raw_rest_bytes);
    let block = Block { count, uniform, ops, keys, values, lengths, rests, raw_rest_bytes };
    ops_fit.then_some(block).ok_or(Damage::Bad("an unknown operation"))
}

fn checksum(block: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block[..CHECKSUM_AT]);
    hasher.update(&block[HEADER_BYTES..]);
    hasher.finalize()
}
