use super::{RunId, Section};
use crate::block::{Ahead, Block, BlockStream, Kind, Unpacker};
use crate::entries::Entries;
use crate::error::{Damage, Result};
use crate::names;
use crate::store::Store;
use disk::{File, Mode};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Reads sections; keeps the files of the runs open, at most one a run.
pub struct RunReader {
    store: Store,
    open: BTreeMap<RunId, OpenRun>,
    stream: BlockStream,
    unpacker: Unpacker,
    entries: Entries,
}

/// The first block of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its entries.
    pub entries: Entries,
    /// The section without it; `None` if that was all.
    pub rest: Option<Section>,
}

struct OpenRun {
    file: Box<dyn File>,
    path: PathBuf,
}

impl RunReader {
    pub(crate) fn new(store: Store) -> Self {
        Self {
            store,
            open: BTreeMap::new(),
            stream: BlockStream::default(),
            unpacker: Unpacker::default(),
            entries: Entries::default(),
        }
    }

    /// Reads the first block of a section, in one read.
    pub fn head(&mut self, section: Section) -> Result<Head> {
        let run = open_run(&mut self.open, &self.store, section.run)?;
        self.stream.reset(section.range(), Ahead::Block);
        let block = self.stream.next(&*run.file, &run.path, Kind::Entries)?;
        let rest = section_behind(section, &block).map_err(|damage| damage.in_file(&run.path))?;
        let mut entries = Entries::default();
        entries.load(&block, &mut self.unpacker).map_err(|damage| damage.in_file(&run.path))?;
        Ok(Head { entries, rest })
    }

    /// Shows `see` every entry of a section, first to last.
    pub fn scan(&mut self, section: Section, mut see: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let (mut unpacker, mut entries) =
            (std::mem::take(&mut self.unpacker), std::mem::take(&mut self.entries));
        let scanned = self.blocks(section, |block, path| {
            entries.load(block, &mut unpacker).map_err(|damage| damage.in_file(path))?;
            entries.iter().try_for_each(&mut see)
        });
        (self.unpacker, self.entries) = (unpacker, entries);
        scanned
    }

    /// Shows `see` every block of a section.
    pub(super) fn blocks(
        &mut self,
        section: Section,
        mut see: impl FnMut(&Block, &Path) -> Result<()>,
    ) -> Result<()> {
        let run = open_run(&mut self.open, &self.store, section.run)?;
        self.stream.reset(section.range(), Ahead::Stream);
        let mut left = Some(section);
        while let Some(section) = left {
            let block = self.stream.next(&*run.file, &run.path, Kind::Entries)?;
            left = section_behind(section, &block).map_err(|damage| damage.in_file(&run.path))?;
            see(&block, &run.path)?;
        }
        Ok(())
    }
}

fn open_run<'a>(open: &'a mut BTreeMap<RunId, OpenRun>, store: &Store, id: RunId) -> Result<&'a OpenRun> {
    if !open.contains_key(&id) {
        let path = store.path(&names::run(id.0));
        let file = store.disk.open(&path, Mode::Read)?;
        open.insert(id, OpenRun { file, path });
    }
    Ok(&open[&id])
}

/// What is left of a section without its first block.
fn section_behind(section: Section, first: &Block) -> Result<Option<Section>, Damage> {
    let (bytes, count) = (first.stored.len() as u64, first.count as u64);
    if bytes == section.bytes && count == section.count {
        return Ok(None);
    }
    if bytes >= section.bytes || count >= section.count {
        return Err(Damage::Bad("the blocks of a section do not add up"));
    }
    let rest = Section {
        offset: section.offset + bytes,
        bytes: section.bytes - bytes,
        count: section.count - count,
        ..section
    };
    Ok(Some(rest))
}
