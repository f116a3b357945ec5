use crate::error::Result;
use crate::key_file::{KeyFileId, KeyReader, KeyWriter};
use crate::manifest::KeysCut;
use crate::merge_keys::merge_keys;
use crate::names;
use crate::request::Verdict;
use crate::requests::Requests;
use crate::segment::{SegmentReader, Snapshot, TextBuffer};
use crate::sort::sort;
use crate::traffic::Traffic;
use crate::value::Value;
use disk::{Damage, SharedDisk};
use std::io;
use std::marker::PhantomData;
use std::path::PathBuf;

/// One bucket's merge: what waits in it against what it holds. It has all it needs and may run on any
/// thread, while requests go on being appended to every bucket, its own too. Memory: 30 bytes a request and
/// twice its value; the text passes through.
pub struct MergeJob<V> {
    pub(crate) disk: SharedDisk,
    pub(crate) dir: PathBuf,
    pub(crate) bucket: usize,
    pub(crate) segments: Vec<Snapshot>,
    pub(crate) old_keys: Option<KeysCut>,
    pub(crate) new_keys: KeyFileId,
    pub(crate) value: PhantomData<V>,
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
        let open = self.segments.iter().map(|segment| segment.open(&*self.disk));
        let segments: Vec<SegmentReader<'_>> = open.collect::<Result<_>>()?;
        let mut requests = Requests::read(&segments)?;
        let keys = self.merge(&mut requests)?;
        deliver(&segments, &requests, &mut sink)?;
        let (keys_read, keys_written) =
            (self.old_keys.map_or(0, |keys| keys.len), keys.map_or(0, |keys| keys.len));
        let bucket_read = segments.iter().map(SegmentReader::bytes_read).sum();
        let traffic = Traffic { bucket_read, keys_read, keys_written, ..Traffic::default() };
        Ok(Merged { bucket: self.bucket, generation: self.new_keys.generation, keys, traffic })
    }

    /// Writes the new key file, if the requests change anything.
    fn merge(&self, requests: &mut Requests<V>) -> Result<Option<KeysCut>> {
        let mut reader = match self.old_keys {
            Some(keys) => KeyReader::open(
                &*self.disk,
                self.key_path(keys.generation),
                self.key_id(keys.generation),
                keys.len,
            )?,
            None => KeyReader::empty(PathBuf::new()),
        };
        let changes = requests.outcomes.iter().any(|outcome| outcome.update.is_some());
        let path = self.key_path(self.new_keys.generation);
        let expected_bytes = self.old_keys.map_or(0, |keys| keys.len) + 5 * requests.keys.len() as u64;
        let create = || KeyWriter::create(&*self.disk, &path, self.new_keys, expected_bytes);
        let mut writer = changes.then(create).transpose()?;
        let entries = sort(requests.keys.iter().copied());
        merge_keys(&mut reader, &entries, &mut requests.outcomes, writer.as_mut())?;
        writer.map(KeyWriter::finish).transpose()
    }

    fn key_path(&self, generation: u64) -> PathBuf {
        self.dir.join(names::keys(self.bucket, generation))
    }

    fn key_id(&self, generation: u64) -> KeyFileId {
        KeyFileId { generation, ..self.new_keys }
    }
}

fn deliver<V: Value>(
    segments: &[SegmentReader<'_>],
    requests: &Requests<V>,
    sink: &mut impl FnMut(Verdict<'_, V>) -> io::Result<()>,
) -> Result<()> {
    let mut asked = requests.keys.iter().zip(&requests.outcomes);
    let mut buffer = TextBuffer::default();
    for text in &requests.texts {
        let segment = &segments[text.segment];
        let mut texts = segment.texts(text.place, &mut buffer)?;
        for (key, outcome) in asked.by_ref().take(text.place.count()) {
            let ends_early = || segment.damaged(Damage::Bad("an aux column ends too early"));
            let aux = texts.next().ok_or_else(ends_early)?;
            if outcome.op.checks() {
                sink(Verdict { key: *key, before: outcome.before, update: outcome.update, aux })?;
            }
        }
    }
    Ok(())
}
