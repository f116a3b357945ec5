use super::append::Appending;
use super::{Queue, QueueId, Queues, Stretch};
use crate::block::{Ahead, BlockStream, Kind};
use crate::entries::Entries;
use crate::error::Result;
use crate::names;
use crate::store::Store;
use disk::{Damage, File, Mode};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

/// The queues in the hands of a job. What the job appends it does not read. After an error the job must be abandoned.
pub struct JobQueues {
    queues: BTreeMap<QueueId, JobQueue>,
    appending: Appending,
    source: Option<Source>,
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
        let of_job = |(id, unread)| (id, JobQueue { unread, ..JobQueue::default() });
        Self {
            queues: queues.into_iter().map(of_job).collect(),
            source: None,
            entries: Entries::default(),
            appending: Appending::new(store, generations),
        }
    }

    /// Appends an entry of at most 1 MiB.
    pub fn append(&mut self, queue: QueueId, entry: &[u8]) -> Result<()> {
        let queue = self.queues.entry(queue).or_default();
        if !queue.batch.fits(entry.len(), self.appending.block_bytes()) {
            queue.write_full(&mut self.appending)?;
        }
        queue.batch.push(entry);
        Ok(())
    }

    /// Takes the first block off a queue; `None` when everything that was there when the job began has been taken.
    pub fn read(&mut self, queue: QueueId) -> Result<Option<&Entries>> {
        let unread = self.queues.get_mut(&queue).map(|queue| &mut queue.unread);
        let Some(unread) = unread.filter(|unread| !unread.is_empty()) else { return Ok(None) };
        let source = Source::at(self.source.take(), self.appending.store(), unread)?;
        let source = self.source.insert(source);
        let block = source.stream.next(&*source.file, &source.path, Kind::Entries)?;
        let damaged = |damage: Damage| damage.in_file(&source.path);
        unread
            .take(block.stored.len() as u64, block.count as u64)
            .ok_or_else(|| damaged(Damage::Bad("the blocks of a queue do not add up")))?;
        self.entries.load(&block).map_err(damaged)?;
        Ok(Some(&self.entries))
    }

    /// Everything in `from`, whether it can be read or was appended, is in `to` instead, which must be empty. No byte moves on
    /// disk.
    pub fn splice(&mut self, from: QueueId, to: QueueId) -> Result<()> {
        assert!(
            self.is_empty(to),
            "what was appended to one queue would stand behind what can be read of the other"
        );
        let mut taken = self.queues.remove(&from).unwrap_or_default();
        taken.write_rest(&mut self.appending)?;
        self.queues.insert(to, taken);
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
        self.queues.values_mut().try_for_each(|queue| queue.write_rest(&mut self.appending))?;
        Ok(self.queues.into_iter().map(|(id, queue)| (id, queue.whole())).collect())
    }
}

impl JobQueue {
    fn entries(&self) -> u64 {
        self.unread.entries() + self.written.entries() + self.batch.len() as u64
    }

    fn write_full(&mut self, appending: &mut Appending) -> Result<()> {
        if !self.batch.is_empty() {
            self.written.push(appending.write_full(self.last(), &self.batch)?);
            self.batch.clear();
        }
        Ok(())
    }

    fn write_rest(&mut self, appending: &mut Appending) -> Result<()> {
        if !self.batch.is_empty() {
            let stretches = self.unread.stretches().len() + self.written.stretches().len();
            self.written.push(appending.write_rest(stretches, self.last(), &self.batch)?);
            self.batch.clear();
        }
        Ok(())
    }

    fn last(&self) -> Option<Stretch> {
        self.written.last().or(self.unread.last())
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
