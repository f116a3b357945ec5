use super::{Queue, QueueId, Queues, Tail, append_block};
use crate::block::{Ahead, BlockStream, Kind, Packer, Unpacker};
use crate::entries::Entries;
use crate::error::{Damage, Result};
use crate::names;
use crate::store::Store;
use disk::{File, Mode};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

/// The queues in the hands of a job. What the job appends it does not read. After an error the job must be abandoned.
pub struct JobQueues {
    store: Store,
    /// Generations for new files.
    generations: Range<u64>,
    queues: BTreeMap<QueueId, JobQueue>,
    source: Option<Source>,
    packer: Packer,
    unpacker: Unpacker,
    entries: Entries,
}

/// A queue that is read at one end and appended to at the other.
#[derive(Default)]
struct JobQueue {
    unread: Queue,
    written: Queue,
    batch: Entries,
}

/// The stretch that is being read.
struct Source {
    generation: u64,
    file: Box<dyn File>,
    path: PathBuf,
    stream: BlockStream,
}

impl JobQueues {
    pub(crate) fn new(store: Store, generations: Range<u64>, queues: Queues) -> Self {
        let packer = Packer::new(store.config.level);
        let of_job = |(id, unread)| (id, JobQueue { unread, ..JobQueue::default() });
        Self {
            store,
            generations,
            queues: queues.into_iter().map(of_job).collect(),
            source: None,
            packer,
            unpacker: Unpacker::default(),
            entries: Entries::default(),
        }
    }

    /// Appends an entry of at most 1 MiB.
    pub fn append(&mut self, queue: QueueId, entry: &[u8]) -> Result<()> {
        let batch = &self.queues.entry(queue).or_default().batch;
        if !batch.fits(entry.len(), self.store.config.block_bytes) {
            self.write_batch(queue)?;
        }
        self.queues.entry(queue).or_default().batch.push(entry);
        Ok(())
    }

    /// Takes the first block off a queue; `None` when everything that was there when the job began has been taken.
    pub fn read(&mut self, queue: QueueId) -> Result<Option<&Entries>> {
        let unread = self.queues.get_mut(&queue).map(|queue| &mut queue.unread);
        let Some(unread) = unread.filter(|unread| !unread.is_empty()) else { return Ok(None) };
        let source = Source::at(self.source.take(), &self.store, unread)?;
        let source = self.source.insert(source);
        let block = source.stream.next(&*source.file, &source.path, Kind::Entries)?;
        let damaged = |damage: Damage| damage.in_file(&source.path);
        unread
            .take(block.stored.len() as u64, block.count as u64)
            .ok_or_else(|| damaged(Damage::Bad("the blocks of a queue do not add up")))?;
        self.entries.load(&block, &mut self.unpacker).map_err(damaged)?;
        Ok(Some(&self.entries))
    }

    /// Everything in `from`, read and appended, goes behind everything in `onto`; `from` is empty then. No byte moves
    /// on disk.
    pub fn splice(&mut self, from: QueueId, onto: QueueId) -> Result<()> {
        assert_ne!(from, onto, "a queue cannot stand behind itself");
        self.write_batch(onto)?;
        self.write_batch(from)?;
        let Some(taken) = self.queues.remove(&from) else { return Ok(()) };
        let onto = self.queues.entry(onto).or_default();
        onto.unread.extend(taken.unread);
        onto.written.extend(taken.written);
        Ok(())
    }

    /// Entries that can be read.
    pub fn readable(&self, queue: QueueId) -> u64 {
        self.queues.get(&queue).map_or(0, |queue| queue.unread.entries())
    }

    /// Entries in a queue, those appended by the job too.
    pub fn len(&self, queue: QueueId) -> u64 {
        self.queues.get(&queue).map_or(0, JobQueue::entries)
    }

    /// Whether a queue has no entries.
    pub fn is_empty(&self, queue: QueueId) -> bool {
        self.len(queue) == 0
    }

    pub(crate) fn finish(mut self) -> Result<Queues> {
        let ids: Vec<QueueId> = self.queues.keys().copied().collect();
        ids.into_iter().try_for_each(|queue| self.write_batch(queue))?;
        Ok(self.queues.into_iter().map(|(id, queue)| (id, queue.whole())).collect())
    }

    fn write_batch(&mut self, id: QueueId) -> Result<()> {
        let Some(queue) = self.queues.get_mut(&id).filter(|queue| !queue.batch.is_empty()) else {
            return Ok(());
        };
        let last = queue.written.last().or(queue.unread.last());
        let tail = Tail::behind(last, self.store.config.queue_file_bytes).unwrap_or_else(|| {
            let file = self.generations.next().expect("a job has generations for all that a disk holds");
            Tail { file, offset: 0 }
        });
        let block = self.packer.entries(&queue.batch)?;
        queue.written.push(append_block(&self.store, tail, block, queue.batch.len())?);
        queue.batch.clear();
        Ok(())
    }
}

impl JobQueue {
    fn entries(&self) -> u64 {
        self.unread.entries() + self.written.entries() + self.batch.len() as u64
    }

    fn whole(self) -> Queue {
        let mut whole = self.unread;
        whole.extend(self.written);
        whole
    }
}

impl Source {
    /// A source whose next block is the first of `queue`: the one before, if that is where it stands.
    fn at(before: Option<Self>, store: &Store, queue: &Queue) -> Result<Self> {
        let first = queue.first().expect("a queue that is read is not empty");
        let continues = |source: &Self| {
            source.generation == first.file
                && source.stream.offset() == first.start
                && source.stream.left() == first.end - first.start
        };
        if let Some(source) = before.filter(continues) {
            return Ok(source);
        }
        let path = store.path(&names::queue(first.file));
        let file = store.disk.open(&path, Mode::Read)?;
        Ok(Self {
            generation: first.file,
            file,
            path,
            stream: BlockStream::new(first.range(), Ahead::Stream),
        })
    }
}
