use super::{RunId, Section};
use crate::block::{Ahead, Block, BlockStream, Kind};
use crate::error::{Error, Result};
use crate::names;
use crate::store::Store;
use disk::{Damage, File, Mode};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The blocks of one section after the other; the files of their runs stay open, one a run.
pub(super) struct SectionBlocks {
    store: Store,
    open: BTreeMap<RunId, OpenRun>,
    stream: BlockStream,
    left: Option<Section>,
}

struct OpenRun {
    file: Box<dyn File>,
    path: PathBuf,
}

impl SectionBlocks {
    pub(super) fn new(store: Store) -> Self {
        Self { store, open: BTreeMap::new(), stream: BlockStream::default(), left: None }
    }

    /// Begins another section.
    pub(super) fn begin(&mut self, section: Section, ahead: Ahead) -> Result<()> {
        self.left = None;
        if !self.open.contains_key(&section.run) {
            let path = self.path(section.run);
            let file = self.store.disk.open(&path, Mode::Read)?;
            self.open.insert(section.run, OpenRun { file, path });
        }
        self.stream.reset(section.range(), ahead);
        self.left = Some(section);
        Ok(())
    }

    /// The next block; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Block<'_>>> {
        let Some(section) = self.left.take() else { return Ok(None) };
        let OpenRun { file, path } = &self.open[&section.run];
        let block = self.stream.next(&**file, path, Kind::Entries)?;
        self.left = behind(section, &block).map_err(|damage| damage.in_file(path))?;
        Ok(Some(block))
    }

    /// What is left of the section.
    pub(super) fn left(&self) -> Option<Section> {
        self.left
    }

    pub(super) fn damaged(&self, run: RunId, damage: Damage) -> Error {
        damage.in_file(self.path(run)).into()
    }

    fn path(&self, run: RunId) -> PathBuf {
        self.store.path(&names::run(run.0))
    }
}

/// What is left of a section without its first block.
fn behind(section: Section, first: &Block) -> Result<Option<Section>, Damage> {
    let (bytes, count) = (first.stored.len() as u64, first.count as u64);
    if (bytes, count) == (section.bytes, section.count) {
        return Ok(None);
    }
    if bytes >= section.bytes || count >= section.count {
        return Err(Damage::Bad("the blocks of a section do not add up"));
    }
    let offset = section.offset + bytes;
    Ok(Some(Section { offset, bytes: section.bytes - bytes, count: section.count - count, ..section }))
}
