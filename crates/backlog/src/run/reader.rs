use super::Section;
use super::blocks::SectionBlocks;
use crate::block::{Ahead, Block};
use crate::entries::Entries;
use crate::error::Result;
use crate::store::Store;

/// Reads sections; keeps the files of their runs open, one a run.
pub struct RunReader {
    blocks: SectionBlocks,
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

impl RunReader {
    pub(crate) fn new(store: Store) -> Self {
        Self { blocks: SectionBlocks::new(store), entries: Entries::default() }
    }

    /// Reads the first block of a section, in one read.
    pub fn head(&mut self, section: Section) -> Result<Head> {
        self.blocks.begin(section, Ahead::Block)?;
        self.load_block(section)?;
        Ok(Head { entries: std::mem::take(&mut self.entries), rest: self.blocks.left() })
    }

    /// Shows `see` every entry of a section, first to last.
    pub fn scan(&mut self, section: Section, mut see: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.blocks.begin(section, Ahead::Stream)?;
        while self.blocks.left().is_some() {
            self.load_block(section)?;
            self.entries.iter().try_for_each(&mut see)?;
        }
        Ok(())
    }

    /// Shows `see` every block of a section.
    pub(super) fn blocks(
        &mut self,
        section: Section,
        mut see: impl FnMut(&Block) -> Result<()>,
    ) -> Result<()> {
        self.blocks.begin(section, Ahead::Stream)?;
        while let Some(block) = self.blocks.next()? {
            see(&block)?;
        }
        Ok(())
    }

    /// The entries of the next block of `section`.
    fn load_block(&mut self, section: Section) -> Result<()> {
        let block = self.blocks.next()?.expect("a section has a block");
        let loaded = self.entries.load(&block);
        loaded.map_err(|damage| self.blocks.damaged(section.run, damage))
    }
}
