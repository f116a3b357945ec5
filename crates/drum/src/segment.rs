use crate::block::{Columns, HEADER_BYTES, Header};
use crate::error::{Damage, Error, Result};
use crate::front::FrontReader;
use disk::{Disk, File, Mode, read_exact_at};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A stretch of a bucket's requests: one file, and the blocks that are not in it yet.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub(crate) generation: u64,
    /// Bytes of the file that count; what a torn write left behind them does not.
    pub(crate) written: u64,
    pub(crate) unwritten: Vec<Arc<[u8]>>,
    pub(crate) entries: u64,
    /// Bytes of the file that a committed cut names.
    pub(crate) durable: u64,
}

impl Segment {
    pub(crate) fn new(generation: u64) -> Self {
        Self { generation, ..Self::default() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.written + self.unwritten.iter().map(|block| block.len() as u64).sum::<u64>()
    }

    pub(crate) fn push(&mut self, block: Vec<u8>, entries: usize) {
        self.unwritten.push(block.into());
        self.entries += entries as u64;
    }

    /// Appends what is not written to the file at `path`. May be repeated after an error.
    pub(crate) fn write_out(&mut self, disk: &dyn Disk, path: &Path) -> Result<u64> {
        if self.unwritten.is_empty() {
            return Ok(0);
        }
        let mut file = disk.open(path, Mode::OpenOrCreate)?;
        let before = self.written;
        for block in &self.unwritten {
            file.write_at(block, self.written)?;
            self.written += block.len() as u64;
        }
        self.unwritten.clear();
        Ok(self.written - before)
    }

    pub(crate) fn is_durable(&self) -> bool {
        self.durable == self.written
    }

    /// The segment, whose file is at `path`, as it is now.
    pub(crate) fn snapshot(&self, path: PathBuf) -> Snapshot {
        Snapshot { path, written: self.written, unwritten: self.unwritten.clone() }
    }
}

/// What a segment holds at one moment, for a reader on any thread.
pub(crate) struct Snapshot {
    path: PathBuf,
    pub(crate) written: u64,
    unwritten: Vec<Arc<[u8]>>,
}

impl Snapshot {
    pub(crate) fn open(&self, disk: &dyn Disk) -> Result<SegmentReader<'_>> {
        let file = if self.written > 0 { Some(disk.open(&self.path, Mode::Read)?) } else { None };
        let end = self.written + self.unwritten.iter().map(|block| block.len() as u64).sum::<u64>();
        Ok(SegmentReader { snapshot: self, file, end })
    }
}

/// Reads a segment's blocks: their columns first, their texts when they are asked for.
pub(crate) struct SegmentReader<'a> {
    snapshot: &'a Snapshot,
    file: Option<Box<dyn File>>,
    end: u64,
}

/// A block whose columns have been read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextPlace {
    header: Header,
    offset: u64,
}

/// What reading texts needs, reused from block to block.
#[derive(Default)]
pub(crate) struct TextBuffer {
    stored: Vec<u8>,
    raw: Vec<u8>,
}

impl TextPlace {
    pub(crate) fn count(&self) -> usize {
        self.header.count()
    }
}

impl SegmentReader<'_> {
    /// Gives `take` the columns of each block and the place of its text.
    pub(crate) fn for_each_block(
        &self,
        value_bytes: usize,
        mut take: impl FnMut(Columns<'_>, TextPlace),
    ) -> Result<()> {
        let (mut offset, mut bytes) = (0, Vec::new());
        while offset < self.end {
            let mut header_bytes = [0; HEADER_BYTES];
            self.read(&mut header_bytes, offset)?;
            let header = Header::parse(&header_bytes, value_bytes).map_err(|damage| self.damaged(damage))?;
            let columns_at = offset + HEADER_BYTES as u64;
            let place = TextPlace { header, offset: columns_at + header.column_bytes() as u64 };
            offset = place.offset + header.text_bytes() as u64;
            bytes.resize(header.column_bytes(), 0);
            self.read(&mut bytes, columns_at)?;
            let columns =
                header.columns(&header_bytes, &bytes, value_bytes).map_err(|damage| self.damaged(damage))?;
            take(columns, place);
        }
        Ok(())
    }

    /// The texts of a block.
    pub(crate) fn texts<'a>(&self, place: TextPlace, buffer: &'a mut TextBuffer) -> Result<FrontReader<'a>> {
        buffer.stored.resize(place.header.text_bytes(), 0);
        self.read(&mut buffer.stored, place.offset)?;
        place.header.texts(&buffer.stored, &mut buffer.raw).map_err(|damage| self.damaged(damage))
    }

    pub(crate) fn damaged(&self, damage: Damage) -> Error {
        damage.in_file(&self.snapshot.path)
    }

    /// Fills `out`. Blocks that are in no file count as if they stood behind it.
    fn read(&self, out: &mut [u8], offset: u64) -> Result<()> {
        let cut_short = || self.damaged(Damage::Bad("the last block is cut short"));
        match (&self.file, offset.checked_sub(self.snapshot.written)) {
            (Some(file), None) if offset + out.len() as u64 <= self.snapshot.written => {
                read_exact_at(&**file, out, offset).map_err(|error| self.in_segment(error))
            }
            (_, Some(behind)) => {
                out.copy_from_slice(self.unwritten(behind, out.len()).ok_or_else(cut_short)?);
                Ok(())
            }
            _ => Err(cut_short()),
        }
    }

    fn unwritten(&self, mut offset: u64, len: usize) -> Option<&[u8]> {
        for block in &self.snapshot.unwritten {
            if offset < block.len() as u64 {
                return block.get(offset as usize..)?.get(..len);
            }
            offset -= block.len() as u64;
        }
        None
    }

    fn in_segment(&self, error: std::io::Error) -> Error {
        if error.kind() == std::io::ErrorKind::UnexpectedEof {
            return self.damaged(Damage::Bad("shorter than its manifest says"));
        }
        error.into()
    }
}
