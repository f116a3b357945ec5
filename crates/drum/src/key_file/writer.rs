use super::format::{BLOCK_HEADER_BYTES, Footer, HEADER_BYTES, KeyFileId, encode_block, keys_per_block};
use crate::error::Result;
use crate::limits::STREAM_BYTES;
use crate::manifest::KeysCut;
use crate::segment::open_stream;
use crate::value::{Value, append_value};
use disk::{Appender, Disk, Mode};
use std::io::Write;
use std::marker::PhantomData;
use std::path::Path;

/// Writes a key file from front to back. What is written is durable only after the checkpoint's sync.
pub(crate) struct KeyWriter<V> {
    out: Appender,
    generation: u64,
    keys: Vec<u64>,
    values: Vec<u8>,
    block: Vec<u8>,
    index: Vec<u8>,
    blocks: u32,
    count: u64,
    value: PhantomData<V>,
}

impl<V: Value> KeyWriter<V> {
    /// A new file, which is expected to grow to `bytes`.
    pub(crate) fn create(disk: &dyn Disk, path: &Path, id: KeyFileId, bytes: u64) -> Result<Self> {
        let file = open_stream(disk, path, Mode::Truncate, bytes)?;
        let mut out = Appender::with_buffer(file, 0, STREAM_BYTES);
        out.write_all(&id.to_bytes())?;
        Ok(Self {
            out,
            generation: id.generation,
            keys: Vec::with_capacity(keys_per_block(V::SIZE)),
            values: Vec::new(),
            block: Vec::new(),
            index: Vec::new(),
            blocks: 0,
            count: 0,
            value: PhantomData,
        })
    }

    /// Appends a key, which must be greater than the one before.
    #[inline]
    pub(crate) fn push(&mut self, key: u64, value: &V) -> Result<()> {
        if self.keys.len() == keys_per_block(V::SIZE) {
            self.write_block()?;
        }
        debug_assert!(self.keys.last().is_none_or(|last| *last < key));
        self.keys.push(key);
        append_value(&mut self.values, value);
        Ok(())
    }

    /// Appends keys that another key file had, with their values as they stand there.
    pub(crate) fn extend(&mut self, mut keys: &[u64], mut values: &[u8]) -> Result<()> {
        while !keys.is_empty() {
            if self.keys.len() == keys_per_block(V::SIZE) {
                self.write_block()?;
            }
            let fitting = keys.len().min(keys_per_block(V::SIZE) - self.keys.len());
            self.keys.extend_from_slice(&keys[..fitting]);
            self.values.extend_from_slice(&values[..fitting * V::SIZE]);
            keys = &keys[fitting..];
            values = &values[fitting * V::SIZE..];
        }
        Ok(())
    }

    /// Writes index and footer.
    pub(crate) fn finish(mut self) -> Result<KeysCut> {
        if !self.keys.is_empty() {
            self.write_block()?;
        }
        let footer = Footer {
            index_offset: self.out.offset(),
            blocks: self.blocks,
            keys: self.count,
            index_checksum: crc32fast::hash(&self.index),
        };
        self.out.write_all(&self.index)?;
        self.out.write_all(&footer.to_bytes())?;
        let len = self.out.offset();
        self.out.into_file()?;
        Ok(KeysCut { generation: self.generation, len, keys: self.count })
    }

    fn write_block(&mut self) -> Result<()> {
        debug_assert!(self.out.offset() >= HEADER_BYTES as u64);
        self.index.extend_from_slice(&self.keys[0].to_le_bytes());
        self.index.extend_from_slice(&self.out.offset().to_le_bytes());
        encode_block(&self.keys, &self.values, &mut self.block);
        debug_assert!(self.block.len() > BLOCK_HEADER_BYTES);
        self.out.write_all(&self.block)?;
        self.blocks += 1;
        self.count += self.keys.len() as u64;
        self.block.clear();
        self.keys.clear();
        self.values.clear();
        Ok(())
    }
}
