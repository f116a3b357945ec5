use super::Stretch;
use crate::block::Packer;
use crate::entries::Entries;
use crate::error::Result;
use crate::limits::SCATTERED_STRETCHES;
use crate::names;
use crate::store::Store;
use disk::Mode;
use std::ops::Range;

/// Writes batches of entries behind what queues have. A full block goes to its queue's last file, or to a new one. What
/// is left over, which most often is small, goes to a new file that the queues share: one for each would cost more than
/// the entries do.
pub(crate) struct Appending {
    store: Store,
    packer: Packer,
    /// Generations for new files.
    generations: Range<u64>,
    /// The file that the queues share.
    shared: Option<u64>,
}

impl Appending {
    pub(crate) fn new(store: Store, generations: Range<u64>) -> Self {
        Self { packer: Packer::new(store.config.level), store, generations, shared: None }
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

    /// Writes a full block of the queue whose last stretch is `last`. May be repeated after an error.
    pub(crate) fn write_full(&mut self, last: Option<Stretch>, batch: &Entries) -> Result<Stretch> {
        let file = self.continued(last)?.unwrap_or(self.generations.start);
        self.write(file, batch)
    }

    /// Writes what is left over of the queue that is in so many stretches, `last` the last. May be repeated after an error.
    pub(crate) fn write_rest(
        &mut self,
        stretches: usize,
        last: Option<Stretch>,
        batch: &Entries,
    ) -> Result<Stretch> {
        if stretches >= SCATTERED_STRETCHES {
            return self.write_full(last, batch);
        }
        if let Some(file) = self.continued(last)? {
            return self.write(file, batch);
        }
        let written = self.write(self.shared.unwrap_or(self.generations.start), batch)?;
        self.shared = self.has_room(&written).then_some(written.file);
        Ok(written)
    }

    /// The file of the stretch, if it has room and nothing stands behind the stretch.
    fn continued(&self, last: Option<Stretch>) -> Result<Option<u64>> {
        let Some(last) = last.filter(|last| self.has_room(last)) else { return Ok(None) };
        let len = self.store.disk.stat(&self.store.path(&names::queue(last.file)))?;
        Ok((len == Some(last.end)).then_some(last.file))
    }

    fn has_room(&self, last: &Stretch) -> bool {
        last.end < self.store.config.queue_file_bytes
    }

    /// Writes a block at the end of a file.
    fn write(&mut self, file: u64, batch: &Entries) -> Result<Stretch> {
        assert!(!self.generations.is_empty(), "there are generations for all that a disk holds");
        let block = self.packer.entries(batch)?;
        let path = self.store.path(&names::queue(file));
        let mut opened = self.store.disk.open(&path, Mode::OpenOrCreate)?;
        let start = opened.len()?;
        opened.write_at(block, start)?;
        self.generations.start = self.generations.start.max(file + 1);
        Ok(Stretch { file, start, end: start + block.len() as u64, entries: batch.len() as u64 })
    }
}
