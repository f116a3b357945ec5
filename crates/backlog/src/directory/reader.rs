use super::format::{Footer, keys};
use super::look_up::block_with;
use super::{DirectoryCut, Key, Record};
use crate::block::{Ahead, BlockStream, Kind};
use crate::entries::Entries;
use crate::error::Result;
use crate::names;
use crate::store::Store;
use disk::{Damage, File, Mode};
use std::path::PathBuf;

/// Reads a directory from front to back.
pub struct DirectoryReader {
    source: Option<Source>,
    keys: Vec<Key>,
    payloads: Entries,
    /// Records of the block at hand that have been given, and where in its payloads the next one is.
    given: usize,
    place: usize,
}

/// What has not been read of a file.
struct Source {
    file: Box<dyn File>,
    path: PathBuf,
    footer: Footer,
    stream: BlockStream,
    /// Records in the blocks read so far; `None` if not all of them are read.
    read: Option<u64>,
}

impl DirectoryReader {
    /// Reads the directory that `cut` names; without one there are no records.
    pub(crate) fn open(store: &Store, cut: Option<DirectoryCut>) -> Result<Self> {
        Ok(Self {
            source: cut.map(|cut| Source::open(store, cut)).transpose()?,
            keys: Vec::new(),
            payloads: Entries::default(),
            given: 0,
            place: 0,
        })
    }

    /// The same from this key on.
    pub(crate) fn open_from(store: &Store, cut: Option<DirectoryCut>, key: Key) -> Result<Self> {
        let mut reader = Self::open(store, cut)?;
        if let (Some(source), Some(cut)) = (&mut reader.source, cut) {
            source.skip_to(cut, key)?;
        }
        while reader.peek()?.is_some_and(|next| next < key) {
            reader.next()?;
        }
        Ok(reader)
    }

    /// The next record, or `None` after the last.
    #[expect(clippy::should_implement_trait, reason = "it lends, and an iterator cannot")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<Record<'_>>> {
        let Some(key) = self.peek()? else { return Ok(None) };
        let (payload, next) = self.payloads.at(self.place).expect("loading counted the payloads");
        self.given += 1;
        self.place = next;
        Ok(Some(Record { key, payload }))
    }

    /// The key of the record that [`Self::next`] will give.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<Key>> {
        if self.given == self.keys.len() && !self.load_block()? {
            return Ok(None);
        }
        Ok(Some(self.keys[self.given]))
    }

    /// Whether there was another block.
    fn load_block(&mut self) -> Result<bool> {
        let Some(source) = &mut self.source else { return Ok(false) };
        if source.stream.offset() == source.footer.index_offset {
            source.check_end()?;
            self.source = None;
            return Ok(false);
        }
        let last = self.keys.last().copied();
        let block = source.stream.next(&*source.file, &source.path, Kind::Records)?;
        self.keys.clear();
        self.keys.extend(keys(block.keys));
        let damaged = |damage: Damage| damage.in_file(&source.path);
        self.payloads.load(&block).map_err(damaged)?;
        if !(last < self.keys.first().copied() && self.keys.is_sorted_by(|a, b| a < b)) {
            return Err(damaged(Damage::Bad("its records are out of order")).into());
        }
        source.read = source.read.map(|read| read + self.keys.len() as u64);
        (self.given, self.place) = (0, 0);
        Ok(true)
    }
}

impl Source {
    fn open(store: &Store, cut: DirectoryCut) -> Result<Self> {
        let path = store.path(&names::directory(cut.generation));
        let file = store.disk.open(&path, Mode::Read)?;
        let footer = Footer::read(&*file, &path, cut)?;
        let stream = BlockStream::new(0..cut.index_end(), Ahead::Stream);
        Ok(Self { file, path, footer, stream, read: Some(0) })
    }

    /// Leaves out the blocks before the one that has `key` if any has.
    fn skip_to(&mut self, cut: DirectoryCut, key: Key) -> Result<()> {
        let Some(block) = block_with(&*self.file, &self.path, self.footer, cut, key)? else { return Ok(()) };
        self.stream = BlockStream::new(block.start..cut.index_end(), Ahead::Stream);
        self.read = None;
        Ok(())
    }

    /// What stands behind the blocks is read too, so that whoever reads all of a directory has checked all of it.
    fn check_end(&mut self) -> Result<()> {
        let damaged = |damage: Damage| damage.in_file(&self.path);
        if self.read.is_some_and(|read| read != self.footer.records) {
            return Err(damaged(Damage::Bad("records are missing")).into());
        }
        let index_bytes = self.stream.left() as usize;
        let index = self.stream.take(&*self.file, &self.path, index_bytes)?;
        Ok(self.footer.check_index(index).map_err(damaged)?)
    }
}
