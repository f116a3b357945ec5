use super::{RunId, RunReader, Section};
use crate::block::Packer;
use crate::entries::Entries;
use crate::error::Result;
use crate::names;
use crate::store::{Output, Store};

/// Writes a run, section after section. After an error the job must be abandoned.
pub struct RunWriter {
    out: Output,
    id: RunId,
    block_bytes: usize,
    packer: Packer,
    batch: Entries,
    /// The section that is being written: what of it is in blocks.
    open: Option<Section>,
}

/// A finished run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunCut {
    pub(crate) id: RunId,
    pub(crate) bytes: u64,
}

impl RunWriter {
    pub(crate) fn new(store: Store, id: RunId) -> Self {
        let (block_bytes, packer) = (store.config.block_bytes, Packer::new(store.config.level));
        Self {
            out: Output::new(store, names::run(id.0)),
            id,
            block_bytes,
            packer,
            batch: Entries::default(),
            open: None,
        }
    }

    /// Begins a section. The one before must have been ended.
    pub fn begin(&mut self) {
        assert!(self.open.is_none(), "the section before was not ended");
        self.open = Some(Section { run: self.id, offset: self.out.offset(), bytes: 0, count: 0 });
    }

    /// Appends an entry of at most 1 MiB to the section.
    #[inline]
    pub fn push(&mut self, entry: &[u8]) -> Result<()> {
        assert!(self.open.is_some(), "no section was begun");
        if !self.batch.fits(entry.len(), self.block_bytes) {
            self.write_batch()?;
        }
        self.batch.push(entry);
        Ok(())
    }

    /// Appends all of an older run's section, block by block as it stands there: checked, not unpacked. Small blocks stay
    /// small; whoever wants them gathered [scans](RunReader::scan) and [pushes](Self::push).
    pub fn copy(&mut self, source: &mut RunReader, section: Section) -> Result<()> {
        self.write_batch()?;
        let (out, open) = (&mut self.out, self.open.as_mut().expect("a section was begun"));
        source.blocks(section, |block| {
            open.count += block.count as u64;
            out.write(block.stored)
        })
    }

    /// Ends the section; `None` if it has no entries.
    pub fn end(&mut self) -> Result<Option<Section>> {
        self.write_batch()?;
        let open = self.open.take().expect("a section was begun");
        let section = Section { bytes: self.out.offset() - open.offset, ..open };
        Ok((section.count > 0).then_some(section))
    }

    /// The run, if it has sections.
    pub(crate) fn finish(self) -> Result<Option<RunCut>> {
        assert!(self.open.is_none(), "the last section was not ended");
        let cut = RunCut { id: self.id, bytes: self.out.offset() };
        self.out.finish()?;
        Ok((cut.bytes > 0).then_some(cut))
    }

    fn write_batch(&mut self) -> Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.out.write(self.packer.entries(&self.batch)?)?;
        self.open.as_mut().expect("entries belong to a section").count += self.batch.len() as u64;
        self.batch.clear();
        Ok(())
    }
}
