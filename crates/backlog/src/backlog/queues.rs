use super::Backlog;
use crate::block::{Ahead, BlockStream, Kind};
use crate::entries::Entries;
use crate::error::Result;
use crate::limits::APPEND_BYTES;
use crate::names;
use crate::queue::{Appending, Queue, QueueId, Stretch};
use disk::Mode;

impl Backlog {
    /// Appends an entry of at most 1 MiB to a queue. After an error it was not taken. During a job it stands behind
    /// whatever the job appends.
    pub fn append(&mut self, queue: QueueId, entry: &[u8]) -> Result<()> {
        let limit = APPEND_BYTES.min(self.store.config.block_bytes);
        if self.pending.get(&queue).is_some_and(|batch| !batch.fits(entry.len(), limit)) {
            self.write_pending(queue, &mut self.appending())?;
        }
        self.pending.entry(queue).or_default().push(entry);
        Ok(())
    }

    /// Writes what was appended and is in memory. May be repeated after an error.
    pub fn flush(&mut self) -> Result<()> {
        let mut appending = self.appending();
        while let Some(queue) = self.pending.keys().next() {
            self.write_pending(*queue, &mut appending)?;
        }
        Ok(())
    }

    /// Entries that wait in a queue.
    pub fn queue_len(&self, queue: QueueId) -> u64 {
        let written = self.now.queues.get(&queue).map_or(0, Queue::entries);
        written + self.pending.get(&queue).map_or(0, |batch| batch.len() as u64)
    }

    /// Shows `see` every entry of a queue, first to last, and takes none. For people.
    pub fn scan_queue(&self, queue: QueueId, mut see: impl FnMut(&[u8])) -> Result<()> {
        let written = self.now.queues.get(&queue).into_iter().flat_map(Queue::stretches);
        let mut entries = Entries::default();
        for stretch in written {
            self.scan_stretch(stretch, &mut entries, &mut see)?;
        }
        self.pending.get(&queue).into_iter().flat_map(Entries::iter).for_each(see);
        Ok(())
    }

    fn scan_stretch(
        &self,
        stretch: Stretch,
        entries: &mut Entries,
        see: &mut impl FnMut(&[u8]),
    ) -> Result<()> {
        let path = self.store.path(&names::queue(stretch.file));
        let file = self.store.disk.open(&path, Mode::Read)?;
        let mut stream = BlockStream::new(stretch.range(), Ahead::Stream);
        while stream.left() > 0 {
            let block = stream.next(&*file, &path, Kind::Entries)?;
            entries.load(&block).map_err(|damage| damage.in_file(&path))?;
            entries.iter().for_each(&mut *see);
        }
        Ok(())
    }

    /// New files come after everything that there is, and after whatever the job may make.
    fn appending(&self) -> Appending {
        Appending::new(self.store.clone(), self.now.next_generation..u64::MAX)
    }

    fn write_pending(&mut self, id: QueueId, appending: &mut Appending) -> Result<()> {
        let Some(batch) = self.pending.get(&id) else { return Ok(()) };
        // A file that the job may be writing is not continued.
        let first_free = self.running.as_ref().map_or(0, |running| running.generations.end);
        let queue = self.now.queues.get(&id);
        let last = queue.and_then(Queue::last).filter(|last| last.file >= first_free);
        let stretches = queue.map_or(0, |queue| queue.stretches().len());
        let stretch = appending.write_rest(stretches, last, batch)?;
        self.now.next_generation = appending.next_generation();
        self.now.queues.entry(id).or_default().push(stretch);
        self.pending.remove(&id);
        Ok(())
    }
}
