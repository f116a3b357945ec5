//! Blocks, of which all files consist; the layout is drawn in `docs/formats/backlog.md`.

mod pack;
mod stream;

pub(crate) use pack::Packer;
pub(crate) use stream::{Ahead, BlockStream};

use crate::error::pass_version;
use crate::limits::{MAX_BLOCK_BYTES, MAX_ENTRY_BYTES};
use disk::Damage;
use stdx::wire::Fields;

const VERSION: u8 = 1;
pub(crate) const HEADER_BYTES: usize = 20;
/// Where the checksum stands: it covers the header before it and everything after it.
const CHECKSUM_AT: usize = HEADER_BYTES - 4;
pub(crate) const KEY_BYTES: usize = 16;
/// A length of at most [`MAX_ENTRY_BYTES`] as a varint.
pub(crate) const MAX_LENGTH_BYTES: usize = 3;
/// A block that is one entry of the largest size.
const MAX_RAW_BYTES: usize = MAX_ENTRY_BYTES + MAX_LENGTH_BYTES;
const _: () = assert!(MAX_RAW_BYTES >= MAX_BLOCK_BYTES && MAX_ENTRY_BYTES < 1 << (7 * MAX_LENGTH_BYTES));

/// What a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Entries, of a run or a queue.
    Entries,
    /// Records of a directory: as many keys before the entries.
    Records,
}

/// A block as it stands in a file, its checksum found right.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block<'a> {
    /// All of it.
    pub(crate) stored: &'a [u8],
    pub(crate) count: usize,
    pub(crate) keys: &'a [u8],
    packed: &'a [u8],
    raw_bytes: usize,
}

struct Header {
    count: usize,
    raw_bytes: usize,
    packed_bytes: usize,
    checksum: u32,
}

/// The length of the block that begins with `header`.
pub(crate) fn stored_bytes(kind: Kind, header: &[u8]) -> Result<usize, Damage> {
    let header = Header::parse(kind, header)?;
    Ok(HEADER_BYTES + header.count * kind.key_bytes() + header.packed_bytes)
}

impl<'a> Block<'a> {
    /// Reads a block of [`stored_bytes`].
    pub(crate) fn parse(kind: Kind, stored: &'a [u8]) -> Result<Self, Damage> {
        let header = Header::parse(kind, stored)?;
        if header.checksum != checksum(stored) {
            return Err(Damage::Bad("a block's checksum does not fit"));
        }
        let (keys, packed) = stored[HEADER_BYTES..].split_at(header.count * kind.key_bytes());
        Ok(Self { stored, count: header.count, keys, packed, raw_bytes: header.raw_bytes })
    }
}

impl Header {
    fn parse(kind: Kind, bytes: &[u8]) -> Result<Self, Damage> {
        let mut fields = Fields::new(bytes);
        pass_version(&mut fields, &kind.magic(), VERSION, "no block where one should be")?;
        let mut number = || fields.u32().ok_or(Damage::Bad("a block is cut short"));
        let (count, raw_bytes) = (number()? as usize, number()? as usize);
        let header = Self { count, raw_bytes, packed_bytes: number()? as usize, checksum: number()? };
        header.is_possible().then_some(header).ok_or(Damage::Bad("an impossible block"))
    }

    fn is_possible(&self) -> bool {
        (1..=MAX_BLOCK_BYTES).contains(&self.count)
            && (self.count..=MAX_RAW_BYTES).contains(&self.raw_bytes)
            && self.packed_bytes <= self.raw_bytes
    }
}

impl Kind {
    fn magic(self) -> [u8; 3] {
        match self {
            Self::Entries => *b"BLe",
            Self::Records => *b"BLr",
        }
    }

    fn key_bytes(self) -> usize {
        match self {
            Self::Entries => 0,
            Self::Records => KEY_BYTES,
        }
    }
}

fn checksum(block: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block[..CHECKSUM_AT]);
    hasher.update(&block[HEADER_BYTES..]);
    hasher.finalize()
}
