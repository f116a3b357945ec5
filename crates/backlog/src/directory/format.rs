use super::{DirectoryCut, Key};
use crate::block::KEY_BYTES;
use crate::error::{Result, pass_version};
use disk::{Damage, File, read_exact_at};
use std::path::Path;
use stdx::wire::Fields;

const MAGIC: [u8; 7] = *b"BLOGdir";
const VERSION: u8 = 1;
pub(super) const FOOTER_BYTES: usize = 40;
pub(super) const INDEX_ENTRY_BYTES: usize = KEY_BYTES + 8;

/// The end of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) generation: u64,
    pub(super) records: u64,
    pub(super) index_offset: u64,
    pub(super) index_checksum: u32,
}

/// A line of the index: where the block begins that has `first`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub(super) first: Key,
    pub(super) offset: u64,
}

pub(super) fn put_key(out: &mut Vec<u8>, key: Key) {
    out.extend_from_slice(&key.group.to_le_bytes());
    out.extend_from_slice(&key.host.to_le_bytes());
}

/// Keys of a column that [`put_key`] filled.
pub(super) fn keys(column: &[u8]) -> impl ExactSizeIterator<Item = Key> {
    let (words, _) = column.as_chunks().0.as_chunks();
    words
        .iter()
        .map(|[group, host]| Key { group: u64::from_le_bytes(*group), host: u64::from_le_bytes(*host) })
}

impl Footer {
    pub(super) fn to_bytes(self) -> [u8; FOOTER_BYTES] {
        let mut out = MAGIC.to_vec();
        out.push(VERSION);
        for number in [self.generation, self.records, self.index_offset] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.index_checksum.to_le_bytes());
        let checksum = crc32fast::hash(&out);
        out.extend_from_slice(&checksum.to_le_bytes());
        out.try_into().expect("the fields add up to the length")
    }

    fn parse(bytes: &[u8; FOOTER_BYTES]) -> Result<Self, Damage> {
        let damaged = Damage::Bad("its end is damaged");
        let (body, checksum) = bytes.split_last_chunk().ok_or(damaged)?;
        let mut fields = Fields::new(body);
        pass_version(&mut fields, &MAGIC, VERSION, "its end is damaged")?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(damaged);
        }
        let mut number = || fields.u64().ok_or(damaged);
        let (generation, records, index_offset) = (number()?, number()?, number()?);
        let index_checksum = fields.u32().ok_or(damaged)?;
        Ok(Self { generation, records, index_offset, index_checksum })
    }

    /// The footer of the open file, which must be the one that `cut` names.
    pub(super) fn read(file: &dyn File, path: &Path, cut: DirectoryCut) -> Result<Self> {
        let damaged = |what| Damage::Bad(what).in_file(path);
        if file.len()? != cut.len || cut.len < FOOTER_BYTES as u64 {
            return Err(damaged("not as long as its manifest says").into());
        }
        let mut bytes = [0; FOOTER_BYTES];
        read_exact_at(file, &mut bytes, cut.index_end())?;
        let footer = Self::parse(&bytes).map_err(|damage| damage.in_file(path))?;
        let fits = footer.generation == cut.generation
            && footer.records == cut.records
            && footer.index_offset <= cut.index_end();
        Ok(fits.then_some(footer).ok_or_else(|| damaged("not the directory that its manifest names"))?)
    }

    /// Whether the bytes between the blocks and the footer are the index.
    pub(super) fn check_index(self, bytes: &[u8]) -> Result<(), Damage> {
        let fits = crc32fast::hash(bytes) == self.index_checksum;
        fits.then_some(()).ok_or(Damage::Bad("the checksum of its index does not fit"))
    }

    /// The index, from the bytes between the blocks and the footer.
    pub(super) fn parse_index(self, bytes: &[u8]) -> Result<Vec<IndexEntry>, Damage> {
        self.check_index(bytes)?;
        let (lines, _) = bytes.as_chunks::<INDEX_ENTRY_BYTES>();
        lines.iter().map(IndexEntry::parse).collect::<Option<_>>().ok_or(Damage::Bad("its index is damaged"))
    }
}

impl IndexEntry {
    pub(super) fn append_to(self, out: &mut Vec<u8>) {
        put_key(out, self.first);
        out.extend_from_slice(&self.offset.to_le_bytes());
    }

    fn parse(bytes: &[u8; INDEX_ENTRY_BYTES]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        Some(Self { first: Key { group: fields.u64()?, host: fields.u64()? }, offset: fields.u64()? })
    }
}

impl DirectoryCut {
    /// Where the index ends and the footer begins.
    pub(super) fn index_end(&self) -> u64 {
        self.len - FOOTER_BYTES as u64
    }
}
