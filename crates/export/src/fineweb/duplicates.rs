use crate::error::{Error, Result};
use crate::scratch::{Scratch, ScratchFile};
use disk::SequentialReader;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// The table of near-duplicates beside the rows it speaks of, both in the corpus's order.
pub(super) struct Duplicates<'a> {
    table: PathBuf,
    file: ScratchFile<'a>,
    pairs: SequentialReader,
    next: Option<Pair>,
}

struct Pair {
    capture: u64,
    of: u64,
}

const BUFFER_BYTES: usize = 64 << 10;

impl<'a> Duplicates<'a> {
    pub(super) fn open(scratch: Scratch<'a>, corpus: &Path) -> Result<Self> {
        let file = scratch.file("duplicates");
        file.write(|out| {
            corpus::for_each_duplicate(scratch.disk, corpus, |capture, of| {
                out.put(&capture.to_le_bytes())?;
                out.put(&of.to_le_bytes())
            })
        })?;
        let pairs = file.read(BUFFER_BYTES)?;
        let table = corpus.join(corpus::DUPLICATES_FILE);
        let mut duplicates = Self { table, file, pairs, next: None };
        duplicates.advance()?;
        Ok(duplicates)
    }

    /// The capture that stands for the group of this row, if the row repeats it.
    pub(super) fn of(&mut self, capture: u64) -> Result<Option<u64>> {
        let Some(pair) = self.next.take_if(|pair| pair.capture == capture) else { return Ok(None) };
        self.advance()?;
        Ok(Some(pair.of))
    }

    /// After all rows. Of rows that are not there any more, or elsewhere, the table speaks in vain.
    pub(super) fn finish(self) -> Result<()> {
        if self.next.is_some() { Err(Error::OtherRows { table: self.table }) } else { Ok(()) }
    }

    fn advance(&mut self) -> Result<()> {
        let mut numbers = [[0; 8]; 2];
        if self.pairs.fill_buf().map_err(self.file.failed())?.is_empty() {
            return Ok(());
        }
        for bytes in &mut numbers {
            self.pairs.read_exact(bytes).map_err(self.file.failed())?;
        }
        let [capture, of] = numbers.map(u64::from_le_bytes);
        self.next = Some(Pair { capture, of });
        Ok(())
    }
}
