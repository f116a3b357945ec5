use super::{Block, CHECKSUM_AT, HEADER_BYTES, KEY_BYTES, Kind, VERSION, checksum};
use crate::entries::Entries;
use crate::error::Damage;
use std::io;
use zstd::bulk::{Compressor, Decompressor};

/// Makes blocks. Its context is made with the first and is some 100 KiB, so a packer lives as long as a job.
pub(crate) struct Packer {
    level: i32,
    compressor: Option<Compressor<'static>>,
    packed: Vec<u8>,
    block: Vec<u8>,
}

/// Takes blocks apart. Its context is made with the first, and is to a job what a packer's is.
#[derive(Default)]
pub(crate) struct Unpacker {
    decompressor: Option<Decompressor<'static>>,
}

impl Packer {
    pub(crate) fn new(level: i32) -> Self {
        Self { level, compressor: None, packed: Vec::new(), block: Vec::new() }
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
        self.compress(entries.raw())?;
        let raw = entries.raw();
        let packed = if self.packed.len() < raw.len() { &self.packed[..] } else { raw };
        let block = &mut self.block;
        block.clear();
        block.extend_from_slice(&kind.magic());
        block.push(VERSION);
        let numbers = [entries.len(), raw.len(), packed.len(), 0];
        numbers.iter().for_each(|number| block.extend_from_slice(&(*number as u32).to_le_bytes()));
        block.extend_from_slice(keys);
        block.extend_from_slice(packed);
        let checksum = checksum(block);
        block[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        Ok(block)
    }

    fn compress(&mut self, raw: &[u8]) -> io::Result<()> {
        if self.compressor.is_none() {
            self.compressor = Some(Compressor::new(self.level)?);
        }
        let compressor = self.compressor.as_mut().expect("it was just made");
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(raw.len()));
        compressor.compress_to_buffer(raw, &mut self.packed)?;
        Ok(())
    }
}

impl Unpacker {
    /// The entries of a block into `raw`.
    pub(crate) fn unpack(&mut self, block: &Block, raw: &mut Vec<u8>) -> Result<(), Damage> {
        raw.clear();
        if block.packed.len() == block.raw_bytes {
            raw.extend_from_slice(block.packed);
            return Ok(());
        }
        raw.reserve(block.raw_bytes);
        let damaged = Damage::Bad("a block does not unpack");
        match self.decompressor().map_err(|_| damaged)?.decompress_to_buffer(block.packed, raw) {
            Ok(len) if len == block.raw_bytes => Ok(()),
            _ => Err(damaged),
        }
    }

    fn decompressor(&mut self) -> io::Result<&mut Decompressor<'static>> {
        if self.decompressor.is_none() {
            self.decompressor = Some(Decompressor::new()?);
        }
        Ok(self.decompressor.as_mut().expect("it was just made"))
    }
}
