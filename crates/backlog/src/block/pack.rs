use super::{Block, CHECKSUM_AT, HEADER_BYTES, KEY_BYTES, Kind, VERSION, checksum};
use crate::entries::{Entries, empty};
use disk::Damage;
use std::cell::RefCell;
use std::io;
use zstd::bulk::{Compressor, Decompressor};

thread_local! {
    // Working memory, not state: some 100 KiB each, slow to make, and shared by the backlogs of all shards.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Makes blocks.
pub(crate) struct Packer {
    level: i32,
    packed: Vec<u8>,
    block: Vec<u8>,
}

impl Packer {
    pub(crate) fn new(level: i32) -> Self {
        Self { level, packed: Vec::new(), block: Vec::new() }
    }

    /// Entries as a block.
    pub(crate) fn entries(&mut self, entries: &Entries) -> io::Result<&[u8]> {
        self.pack(Kind::Entries, &[], entries)
    }

    /// Records as a block: their keys, and their payloads as entries.
    pub(crate) fn records(&mut self, keys: &[u8], payloads: &Entries) -> io::Result<&[u8]> {
        debug_assert_eq!(keys.len(), payloads.len() * KEY_BYTES);
        self.pack(Kind::Records, keys, payloads)
    }

    fn pack(&mut self, kind: Kind, keys: &[u8], entries: &Entries) -> io::Result<&[u8]> {
        let raw = entries.raw();
        compress(raw, self.level, &mut self.packed)?;
        let packed = if self.packed.len() < raw.len() { &self.packed[..] } else { raw };
        let block = &mut self.block;
        empty(block, HEADER_BYTES + keys.len() + packed.len());
        block.extend_from_slice(&kind.magic());
        block.push(VERSION);
        for number in [entries.len(), raw.len(), packed.len(), 0] {
            block.extend_from_slice(&(number as u32).to_le_bytes());
        }
        block.extend_from_slice(keys);
        block.extend_from_slice(packed);
        let checksum = checksum(block);
        block[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        Ok(block)
    }
}

impl Block<'_> {
    /// The entries with their lengths, in place of what `raw` had.
    pub(crate) fn unpack(&self, raw: &mut Vec<u8>) -> Result<(), Damage> {
        empty(raw, self.raw_bytes);
        if self.packed.len() == self.raw_bytes {
            raw.extend_from_slice(self.packed);
            return Ok(());
        }
        match decompress(self.packed, raw) {
            Ok(len) if len == self.raw_bytes => Ok(()),
            _ => Err(Damage::Bad("a block does not unpack")),
        }
    }
}

fn compress(raw: &[u8], level: i32, packed: &mut Vec<u8>) -> io::Result<()> {
    empty(packed, zstd::zstd_safe::compress_bound(raw.len()));
    COMPRESSOR.with_borrow_mut(|context| {
        let compressor = match context {
            Some(compressor) => compressor,
            None => context.insert(Compressor::default()),
        };
        compressor.set_compression_level(level)?;
        compressor.compress_to_buffer(raw, packed).map(drop)
    })
}

fn decompress(packed: &[u8], raw: &mut Vec<u8>) -> io::Result<usize> {
    DECOMPRESSOR.with_borrow_mut(|context| match context {
        Some(decompressor) => decompressor.decompress_to_buffer(packed, raw),
        None => context.insert(Decompressor::new()?).decompress_to_buffer(packed, raw),
    })
}
