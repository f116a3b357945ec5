use super::format::{Footer, IndexEntry, put_key};
use super::{DirectoryCut, Key};
use crate::block::{KEY_BYTES, Packer};
use crate::entries::Entries;
use crate::error::Result;
use crate::names;
use crate::store::{Output, Store};

/// Writes a directory from front to back. After an error the job must be abandoned.
pub struct DirectoryWriter {
    out: Output,
    generation: u64,
    block_bytes: usize,
    packer: Packer,
    keys: Vec<u8>,
    payloads: Entries,
    first: Option<Key>,
    last: Option<Key>,
    index: Vec<u8>,
    records: u64,
}

impl DirectoryWriter {
    pub(crate) fn new(store: Store, generation: u64) -> Self {
        let (block_bytes, packer) = (store.config.block_bytes, Packer::new(store.config.level));
        Self {
            out: Output::new(store, names::directory(generation)),
            generation,
            block_bytes,
            packer,
            keys: Vec::new(),
            payloads: Entries::default(),
            first: None,
            last: None,
            index: Vec::new(),
            records: 0,
        }
    }

    /// Appends a record with a payload of at most 1 MiB. Its key must be greater than the one before.
    #[inline]
    pub fn push(&mut self, key: Key, payload: &[u8]) -> Result<()> {
        assert!(self.last < Some(key), "records out of order");
        if !self.payloads.fits(self.keys.len() + KEY_BYTES + payload.len(), self.block_bytes) {
            self.write_block()?;
        }
        self.first.get_or_insert(key);
        self.last = Some(key);
        put_key(&mut self.keys, key);
        self.payloads.push(payload);
        self.records += 1;
        Ok(())
    }

    /// Records pushed so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Writes index and footer; `None` if there are no records.
    pub(crate) fn finish(mut self) -> Result<Option<DirectoryCut>> {
        if self.records == 0 {
            return Ok(None);
        }
        self.write_block()?;
        let footer = Footer {
            generation: self.generation,
            records: self.records,
            index_offset: self.out.offset(),
            index_checksum: crc32fast::hash(&self.index),
        };
        self.out.write(&self.index)?;
        self.out.write(&footer.to_bytes())?;
        let len = self.out.offset();
        self.out.finish()?;
        Ok(Some(DirectoryCut { generation: self.generation, len, records: self.records }))
    }

    fn write_block(&mut self) -> Result<()> {
        let first = self.first.take().expect("a block has a record");
        IndexEntry { first, offset: self.out.offset() }.append_to(&mut self.index);
        self.out.write(self.packer.records(&self.keys, &self.payloads)?)?;
        self.keys.clear();
        self.payloads.clear();
        Ok(())
    }
}
