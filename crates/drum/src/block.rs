//! Blocks of a bucket file; the layout is drawn in `docs/formats/drum.md`. A block has two parts, each under a
//! checksum of its own: what a merge sorts by, and the text that it reads afterwards.

use crate::front::FrontReader;
use crate::limits::{MAX_AUX_BYTES, MAX_BUFFER_BYTES};
use crate::packing::{self, Packing};
use crate::request::Op;
use disk::{ALIGNMENT, AlignedBuffer, Damage};
use std::io;
use stdx::wire::Fields;

const MAGIC: [u8; 4] = *b"DRMb";
const VERSION: u16 = 3;
pub(crate) const HEADER_BYTES: usize = 40;
/// Where the two checksums stand; the first covers what is before it.
const CHECKSUMS_AT: usize = HEADER_BYTES - 8;
/// In place of an operation: every request has its own, in a column behind the keys.
const MIXED: u8 = 0xFF;
/// A batch overshoots its size by one request.
const MAX_COLUMN_BYTES: usize = MAX_BUFFER_BYTES + MAX_AUX_BYTES + 16;

/// The columns of a batch, as the writer has them.
pub(crate) struct BlockParts<'a> {
    pub(crate) keys: &'a [[u8; 8]],
    pub(crate) ops: &'a [Op],
    pub(crate) values: &'a [u8],
    pub(crate) lengths: &'a [u8],
    pub(crate) rests: &'a [u8],
}

/// The batch as bytes, filled up to a multiple of the alignment.
pub(crate) fn encode(parts: &BlockParts, value_bytes: usize, packing: Packing) -> io::Result<AlignedBuffer> {
    let packed = match packing {
        Packing::Bare => None,
        Packing::Packed => {
            Some(packing::pack(parts.rests)?).filter(|packed| packed.len() < parts.rests.len())
        }
    };
    let rests = packed.as_deref().unwrap_or(parts.rests);
    let text_bytes = parts.lengths.len() + rests.len();
    let most_bytes = HEADER_BYTES + parts.keys.len() * 9 + parts.values.len() + text_bytes + ALIGNMENT;
    let mut out = AlignedBuffer::with_capacity(most_bytes);
    let uniform = parts.ops.iter().all(|op| *op == parts.ops[0]);
    put_header(&mut out, parts, value_bytes, if uniform { parts.ops[0] as u8 } else { MIXED }, rests.len());
    out.extend_from_slice(parts.keys.as_flattened());
    if !uniform {
        out.extend_from_slice(&parts.ops.iter().map(|op| *op as u8).collect::<Vec<_>>());
    }
    out.extend_from_slice(parts.values);
    let head_checksum = head_checksum(&out[..HEADER_BYTES], &out[HEADER_BYTES..]);
    let text_at = out.len();
    out.extend_from_slice(parts.lengths);
    out.extend_from_slice(rests);
    out.resize(out.len().next_multiple_of(ALIGNMENT));
    let text_checksum = crc32fast::hash(&out[text_at..]);
    out[CHECKSUMS_AT..CHECKSUMS_AT + 4].copy_from_slice(&head_checksum.to_le_bytes());
    out[CHECKSUMS_AT + 4..HEADER_BYTES].copy_from_slice(&text_checksum.to_le_bytes());
    Ok(out)
}

fn put_header(out: &mut AlignedBuffer, parts: &BlockParts, value_bytes: usize, op: u8, rest_bytes: usize) {
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(value_bytes as u16).to_le_bytes());
    let columns = [parts.keys.len(), parts.values.len(), parts.lengths.len(), parts.rests.len(), rest_bytes];
    for column in columns {
        out.extend_from_slice(&(column as u32).to_le_bytes());
    }
    out.extend_from_slice(&[op, 0, 0, 0]);
    out.extend_from_slice(&[0; 8]);
}

/// What a block says of itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header {
    count: usize,
    value_bytes: usize,
    length_bytes: usize,
    raw_rest_bytes: usize,
    rest_bytes: usize,
    op: u8,
    head_checksum: u32,
    text_checksum: u32,
}

/// What a merge sorts by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns<'a> {
    uniform: Option<Op>,
    ops: &'a [u8],
    keys: &'a [u8],
    pub(crate) values: &'a [u8],
}

impl Header {
    /// Reads a header, of a block whose values have `value_bytes` each.
    pub(crate) fn parse(bytes: &[u8; HEADER_BYTES], value_bytes: usize) -> Result<Self, Damage> {
        if bytes[..4] != MAGIC {
            return Err(Damage::Bad("no block where one should be"));
        }
        let version = u16::from_le_bytes([bytes[4], bytes[5]]);
        if version != VERSION {
            return Err(Damage::Version { found: version, known: VERSION });
        }
        if usize::from(u16::from_le_bytes([bytes[6], bytes[7]])) != value_bytes {
            return Err(Damage::Bad("values of another size"));
        }
        let header = Self::parse_fields(&bytes[8..]).expect("an array has all its fields");
        header.is_possible(value_bytes).then_some(header).ok_or(Damage::Bad("an impossible block"))
    }

    fn parse_fields(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        let mut length = || fields.u32().map(|n| n as usize);
        let (count, value_bytes) = (length()?, length()?);
        let (length_bytes, raw_rest_bytes, rest_bytes) = (length()?, length()?, length()?);
        let op = fields.u8()?;
        fields.bytes(3)?;
        let (head_checksum, text_checksum) = (fields.u32()?, fields.u32()?);
        Some(Self {
            count,
            value_bytes,
            length_bytes,
            raw_rest_bytes,
            rest_bytes,
            op,
            head_checksum,
            text_checksum,
        })
    }

    fn is_possible(&self, value_bytes: usize) -> bool {
        let text_fits = self.length_bytes.max(self.raw_rest_bytes) <= MAX_COLUMN_BYTES;
        let op_fits = self.op == MIXED || Op::from_byte(self.op).is_some();
        (1..=MAX_BUFFER_BYTES).contains(&self.count)
            && self.value_bytes <= self.count * value_bytes
            && text_fits
            && self.rest_bytes <= self.raw_rest_bytes
            && op_fits
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Bytes before the text.
    pub(crate) fn head_bytes(&self) -> usize {
        let op_bytes = if self.op == MIXED { self.count } else { 0 };
        HEADER_BYTES + 8 * self.count + op_bytes + self.value_bytes
    }

    /// Bytes of the whole block.
    pub(crate) fn block_bytes(&self) -> usize {
        (self.head_bytes() + self.length_bytes + self.rest_bytes).next_multiple_of(ALIGNMENT)
    }

    /// The columns in `head`, which are [`Header::head_bytes`].
    pub(crate) fn columns<'a>(&self, head: &'a [u8], value_bytes: usize) -> Result<Columns<'a>, Damage> {
        let (header, columns) = head.split_at(HEADER_BYTES);
        if head_checksum(header, columns) != self.head_checksum {
            return Err(Damage::Bad("a block's checksum does not fit"));
        }
        let (keys, rest) = columns.split_at(8 * self.count);
        let (ops, values) = rest.split_at(if self.op == MIXED { self.count } else { 0 });
        let columns = Columns { uniform: Op::from_byte(self.op), ops, keys, values };
        if !ops.iter().all(|op| Op::from_byte(*op).is_some()) {
            return Err(Damage::Bad("an unknown operation"));
        }
        let updates = (0..self.count).filter(|nth| columns.op(*nth).updates()).count();
        let values_fit = values.len() == updates * value_bytes;
        values_fit.then_some(columns).ok_or(Damage::Bad("not as many values as updates"))
    }

    /// The texts in `bytes`, all of a block that is behind its head, unpacked into `raw` (reused from block to
    /// block).
    pub(crate) fn texts<'a>(&self, bytes: &'a [u8], raw: &'a mut Vec<u8>) -> Result<FrontReader<'a>, Damage> {
        if crc32fast::hash(bytes) != self.text_checksum {
            return Err(Damage::Bad("a text's checksum does not fit"));
        }
        let (lengths, rests) = bytes.split_at(self.length_bytes);
        let rests = &rests[..self.rest_bytes];
        if self.rest_bytes == self.raw_rest_bytes {
            return Ok(FrontReader::new(lengths, rests));
        }
        raw.clear();
        raw.reserve(self.raw_rest_bytes);
        match packing::unpack(rests, raw) {
            Ok(len) if len == self.raw_rest_bytes => Ok(FrontReader::new(lengths, raw)),
            _ => Err(Damage::Bad("aux does not unpack")),
        }
    }
}

impl<'a> Columns<'a> {
    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.keys.as_chunks().0.iter().map(|key| u64::from_le_bytes(*key))
    }

    pub(crate) fn op(&self, nth: usize) -> Op {
        self.uniform.or_else(|| Op::from_byte(self.ops[nth])).expect("parsing checked every operation")
    }
}

fn head_checksum(header: &[u8], columns: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..CHECKSUMS_AT]);
    hasher.update(columns);
    hasher.finalize()
}
