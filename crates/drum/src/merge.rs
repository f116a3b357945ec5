use crate::block::{Block, Blocks};
use crate::error::{Damage, Result};
use crate::key_file::{KeyFileId, KeyReader, KeyWriter};
use crate::manifest::KeysCut;
use crate::merge_keys::{Batch, merge_keys};
use crate::names;
use crate::request::Verdict;
use crate::segment::read_segment;
use crate::sort::{Entry, sort};
use crate::traffic::Traffic;
use crate::value::{Value, decode_values};
use disk::SharedDisk;
use std::io;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

/// One bucket's merge: what waits in it against what it holds. It has all it needs and may run on any
/// thread, while requests go on being appended to every bucket, its own too.
pub struct MergeJob<V> {
    pub(crate) disk: SharedDisk,
    pub(crate) dir: PathBuf,
    pub(crate) bucket: usize,
    pub(crate) sources: Vec<Source>,
    pub(crate) old_keys: Option<KeysCut>,
    pub(crate) new_keys: KeyFileId,
    pub(crate) value: PhantomData<V>,
}

/// A segment as a job sees it.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) written: u64,
    pub(crate) unwritten: Vec<Arc<[u8]>>,
}

/// What a finished [`MergeJob`] brings back, for [`Drum::finish_merge`](crate::Drum::finish_merge).
#[derive(Debug)]
#[must_use = "until it is given to `finish_merge` the merge has not happened"]
pub struct Merged {
    pub(crate) bucket: usize,
    pub(crate) generation: u64,
    pub(crate) keys: Option<KeysCut>,
    pub(crate) traffic: Traffic,
}

impl<V: Value> MergeJob<V> {
    /// The bucket's number.
    pub fn bucket(&self) -> usize {
        self.bucket
    }

    /// Sorts the requests, merges them with the keys into a new key file, then gives `sink` the verdict of
    /// every check and check+update in the order of discovery. What the sink does must count only once the
    /// result has been given to [`Drum::finish_merge`](crate::Drum::finish_merge): after an error, the sink's
    /// own too, or a crash, the same verdicts come again.
    pub fn run(self, mut sink: impl FnMut(Verdict<'_, V>) -> io::Result<()>) -> Result<Merged> {
        let stored = self.read_sources()?;
        let blocks = self.parse(&stored)?;
        let mut batch = to_batch::<V>(&blocks);
        sort(&mut batch.entries);
        let keys = self.merge(&mut batch)?;
        self.deliver(&blocks, &batch, &mut sink)?;
        let (keys_read, keys_written) =
            (self.old_keys.map_or(0, |keys| keys.len), keys.map_or(0, |keys| keys.len));
        let bucket_read = self.sources.iter().map(|source| source.written).sum();
        let traffic = Traffic { bucket_read, keys_read, keys_written, ..Traffic::default() };
        Ok(Merged { bucket: self.bucket, generation: self.new_keys.generation, keys, traffic })
    }

    fn read_sources(&self) -> Result<Vec<Vec<u8>>> {
        let read =
            |source: &Source| read_segment(&*self.disk, &source.path, source.written, &source.unwritten);
        self.sources.iter().map(read).collect()
    }

    fn parse<'a>(&self, stored: &'a [Vec<u8>]) -> Result<Vec<Block<'a>>> {
        let mut blocks = Vec::new();
        for (source, bytes) in self.sources.iter().zip(stored) {
            for block in Blocks::new(bytes, V::SIZE) {
                blocks.push(block.map_err(|damage| damage.in_file(&source.path))?);
            }
        }
        Ok(blocks)
    }

    /// Writes the new key file, if the batch changes anything.
    fn merge(&self, batch: &mut Batch<V>) -> Result<Option<KeysCut>> {
        let mut reader = match self.old_keys {
            Some(keys) => {
                KeyReader::open(&*self.disk, self.key_path(keys.generation), self.key_id(keys.generation))?
            }
            None => KeyReader::empty(PathBuf::new()),
        };
        let changes = batch.updates.iter().any(Option::is_some);
        let path = self.key_path(self.new_keys.generation);
        let create = || KeyWriter::create(&*self.disk, &path, self.new_keys);
        let mut writer = changes.then(create).transpose()?;
        merge_keys(&mut reader, batch, writer.as_mut())?;
        writer.map(KeyWriter::finish).transpose()
    }

    fn deliver(
        &self,
        blocks: &[Block],
        batch: &Batch<V>,
        sink: &mut impl FnMut(Verdict<'_, V>) -> io::Result<()>,
    ) -> Result<()> {
        let mut raw = Vec::new();
        let mut seq = 0;
        for block in blocks {
            let damaged = |damage: Damage| damage.in_file(&self.sources[0].path);
            let mut texts = block.texts(&mut raw).map_err(damaged)?;
            for (nth, key) in block.keys().enumerate() {
                let aux = texts.next().ok_or(Damage::Bad("an aux column ends too early")).map_err(damaged)?;
                let (before, update) = (batch.befores[seq], batch.updates[seq]);
                seq += 1;
                if block.op(nth).checks() {
                    sink(Verdict { key, before, update, aux })?;
                }
            }
        }
        Ok(())
    }

    fn key_path(&self, generation: u64) -> PathBuf {
        self.dir.join(names::keys(self.bucket, generation))
    }

    fn key_id(&self, generation: u64) -> KeyFileId {
        KeyFileId { generation, ..self.new_keys }
    }
}

fn to_batch<V: Value>(blocks: &[Block]) -> Batch<V> {
    let count = blocks.iter().map(Block::count).sum();
    let mut entries = Vec::with_capacity(count);
    let mut updates = Vec::with_capacity(count);
    for block in blocks {
        entries.extend(block.keys().zip(entries.len() as u32..).map(|(key, seq)| Entry { key, seq }));
        let brought = (0..block.count()).filter(|nth| block.op(*nth).updates()).count();
        let mut values = decode_values::<V>(block.values, brought);
        updates
            .extend((0..block.count()).map(|nth| block.op(nth).updates().then(|| values.next()).flatten()));
    }
    Batch { entries, updates, befores: vec![None; count] }
}
