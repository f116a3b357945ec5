use super::Stretch;
use crate::block::Packer;
use crate::entries::Entries;
use crate::error::Result;
use crate::names;
use crate::store::Store;
use disk::Mode;
use std::ops::Range;

/// Writes batches of entries behind what a queue has, in its last file or a new one.
pub(crate) struct Appending {
    store: Store,
    packer: Packer,
    /// Generations for new files.
    generations: Range<u64>,
}

impl Appending {
    pub(crate) fn new(store: Store, generations: Range<u64>) -> Self {
        Self { packer: Packer::new(store.config.level), store, generations }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn block_bytes(&self) -> usize {
        self.store.config.block_bytes
    }

    /// The generation that the next new file has.
    pub(crate) fn next_generation(&self) -> u64 {
        self.generations.start
    }

    /// Writes a block of entries behind `last`, if its file has room. May be repeated after an error.
    pub(crate) fn write_behind(&mut self, last: Option<Stretch>, batch: &Entries) -> Result<Stretch> {
        assert!(!self.generations.is_empty(), "there are generations for all that a disk holds");
        let continued = last.filter(|last| last.end < self.store.config.queue_file_bytes);
        let (file, start) = continued.map_or((self.generations.start, 0), |last| (last.file, last.end));
        let path = self.store.path(&names::queue(file));
        let block = self.packer.entries(batch)?;
        self.store.disk.open(&path, Mode::OpenOrCreate)?.write_at(block, start)?;
        self.generations.start = self.generations.start.max(file + 1);
        Ok(Stretch { file, start, end: start + block.len() as u64, entries: batch.len() as u64 })
    }
}
