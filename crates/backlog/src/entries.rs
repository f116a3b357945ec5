use crate::block::{Block, MAX_LENGTH_BYTES};
use crate::limits::{MAX_BLOCK_BYTES, MAX_ENTRY_BYTES};
use disk::Damage;
use stdx::wire::{Fields, put_varint};

/// Entries of one block, in order.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Entries {
    /// Each behind its length (varint).
    raw: Vec<u8>,
    count: usize,
}

impl Entries {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The entries, first to last.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut fields = Fields::new(&self.raw);
        std::iter::from_fn(move || fields.counted_bytes())
    }

    /// The entries with their lengths, as they are compressed.
    pub(crate) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The entry at `place` in the raw bytes, and the place of the next.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> Option<(&[u8], usize)> {
        let mut fields = Fields::new(self.raw.get(place..)?);
        let entry = fields.counted_bytes()?;
        Some((entry, self.raw.len() - fields.rest().len()))
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: &[u8]) {
        assert!(entry.len() <= MAX_ENTRY_BYTES, "an entry of {} bytes", entry.len());
        if entry.len() > MAX_BLOCK_BYTES {
            self.raw.reserve_exact(MAX_LENGTH_BYTES + entry.len());
        }
        put_varint(&mut self.raw, entry.len() as u64);
        self.raw.extend_from_slice(entry);
        self.count += 1;
    }

    /// Whether one more entry of `len` bytes leaves the raw bytes within `limit`; the first always fits.
    #[inline]
    pub(crate) fn fits(&self, len: usize, limit: usize) -> bool {
        self.is_empty() || self.raw.len() + MAX_LENGTH_BYTES + len <= limit
    }

    pub(crate) fn clear(&mut self) {
        empty(&mut self.raw, 0);
        self.count = 0;
    }

    /// What a block holds, in place of what was there.
    pub(crate) fn load(&mut self, block: &Block) -> Result<(), Damage> {
        block.unpack(&mut self.raw)?;
        let mut fields = Fields::new(&self.raw);
        self.count = std::iter::from_fn(|| fields.counted_bytes()).count();
        let fits = fields.is_empty() && self.count == block.count;
        fits.then_some(()).ok_or(Damage::Bad("the entries of a block do not add up"))
    }
}

/// Empties a buffer and gives it room for `bytes`: exactly, since one entry may be as large as many blocks, and no more than twice that once
/// smaller ones come again.
pub(crate) fn empty(buffer: &mut Vec<u8>, bytes: usize) {
    buffer.clear();
    buffer.shrink_to(2 * bytes.max(MAX_BLOCK_BYTES));
    buffer.reserve_exact(bytes);
}
