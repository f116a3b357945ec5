use crate::elias_fano;
use crate::limits::KEY_BLOCK_BYTES;
use crate::value::Value;
use disk::Damage;
use stdx::wire::Fields;

const MAGIC: [u8; 8] = *b"DRUMkeys";
const END_MAGIC: [u8; 8] = *b"DRUMkend";
const VERSION: u16 = 1;
pub(super) const HEADER_BYTES: usize = 32;
pub(super) const BLOCK_HEADER_BYTES: usize = 24;
pub(super) const INDEX_ENTRY_BYTES: usize = 16;
pub(super) const FOOTER_BYTES: usize = 40;
/// About what a key of a billion takes.
const TYPICAL_KEY_BYTES: usize = 5;

/// What a key file says of itself, and must.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyFileId {
    pub(crate) bucket: u32,
    pub(crate) bucket_bits: u8,
    pub(crate) value_bytes: u16,
    pub(crate) generation: u64,
}

/// A block's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockHeader {
    pub(super) count: usize,
    pub(super) payload_bytes: usize,
    pub(super) first: u64,
    low_bits: u8,
    checksum: u32,
}

/// The end of a key file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) index_offset: u64,
    pub(super) blocks: u32,
    pub(super) keys: u64,
    pub(super) index_checksum: u32,
}

/// Keys in a full block.
pub(super) fn keys_per_block(value_bytes: usize) -> usize {
    KEY_BLOCK_BYTES / (TYPICAL_KEY_BYTES + value_bytes)
}

impl KeyFileId {
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut out = Vec::with_capacity(HEADER_BYTES);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&self.value_bytes.to_le_bytes());
        out.extend_from_slice(&[self.bucket_bits, 0, 0, 0]);
        out.extend_from_slice(&self.bucket.to_le_bytes());
        out.extend_from_slice(&self.generation.to_le_bytes());
        with_checksum(out)
    }

    /// Checks that `bytes` begin the file that `self` describes.
    pub(super) fn check(self, bytes: &[u8; HEADER_BYTES]) -> Result<(), Damage> {
        if bytes[..8] != MAGIC {
            return Err(Damage::Bad("not a key file"));
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(Damage::Version { found: version, known: VERSION });
        }
        let same = *bytes == self.to_bytes();
        same.then_some(()).ok_or(Damage::Bad("the header of another bucket, or a damaged one"))
    }
}

/// Appends a block to `out`. `keys` ascend and are not empty; `values` has one of each.
pub(super) fn encode_block(keys: &[u64], values: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + BLOCK_HEADER_BYTES, 0);
    let low_bits = elias_fano::encode(keys, out);
    out.extend_from_slice(values);
    let payload_bytes = out.len() - start - BLOCK_HEADER_BYTES;
    let (header, payload) = out[start..].split_at_mut(BLOCK_HEADER_BYTES);
    header[0..4].copy_from_slice(&(keys.len() as u32).to_le_bytes());
    header[4..8].copy_from_slice(&(payload_bytes as u32).to_le_bytes());
    header[8..16].copy_from_slice(&keys[0].to_le_bytes());
    header[16] = low_bits;
    let checksum = block_checksum(header, payload);
    header[20..24].copy_from_slice(&checksum.to_le_bytes());
}

impl BlockHeader {
    /// Reads a header; `None` if it is impossible.
    pub(super) fn parse<V: Value>(bytes: &[u8; BLOCK_HEADER_BYTES]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        let (count, payload_bytes) = (fields.u32()? as usize, fields.u32()? as usize);
        let (first, low_bits) = (fields.u64()?, fields.u8()?);
        fields.bytes(3)?;
        let header = Self { count, payload_bytes, first, low_bits, checksum: fields.u32()? };
        let fits = (1..=keys_per_block(V::SIZE)).contains(&count) && payload_bytes <= max_payload::<V>(count);
        (fits && low_bits < 64).then_some(header)
    }

    /// The keys of a block into `keys`; returns its value column. `None` if the block is damaged.
    pub(super) fn decode<'a, V: Value>(
        &self,
        header: &[u8; BLOCK_HEADER_BYTES],
        payload: &'a [u8],
        keys: &mut Vec<u64>,
    ) -> Option<&'a [u8]> {
        if block_checksum(header, payload) != self.checksum {
            return None;
        }
        let (coded, values) = payload.split_at_checked(payload.len().checked_sub(self.count * V::SIZE)?)?;
        elias_fano::decode(self.first, self.count, self.low_bits, coded, keys)?;
        Some(values)
    }
}

impl Footer {
    pub(super) fn to_bytes(self) -> [u8; FOOTER_BYTES] {
        let mut out = Vec::with_capacity(FOOTER_BYTES);
        out.extend_from_slice(&END_MAGIC);
        out.extend_from_slice(&self.index_offset.to_le_bytes());
        out.extend_from_slice(&self.keys.to_le_bytes());
        out.extend_from_slice(&self.blocks.to_le_bytes());
        out.extend_from_slice(&self.index_checksum.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        with_checksum(out)
    }

    pub(super) fn parse(bytes: &[u8; FOOTER_BYTES]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        (fields.bytes(8)? == END_MAGIC).then_some(())?;
        let (index_offset, keys) = (fields.u64()?, fields.u64()?);
        let footer = Self { index_offset, keys, blocks: fields.u32()?, index_checksum: fields.u32()? };
        (footer.to_bytes() == *bytes).then_some(footer)
    }
}

/// Two bits of high part and up to 64 of low part a key, both rounded up to a word.
fn max_payload<V: Value>(count: usize) -> usize {
    count * (9 + V::SIZE) + 32
}

fn block_checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..20]);
    hasher.update(payload);
    hasher.finalize()
}

fn with_checksum<const N: usize>(mut out: Vec<u8>) -> [u8; N] {
    let checksum = crc32fast::hash(&out);
    out.extend_from_slice(&checksum.to_le_bytes());
    out.try_into().expect("the fields add up to the length")
}
