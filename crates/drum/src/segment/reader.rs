use super::{Snapshot, open_stream};
use crate::block::{Columns, Header};
use crate::error::{Error, Result};
use crate::front::FrontReader;
use disk::{ALIGNMENT, AlignedBuffer, Damage, Disk, File, Mode, read_exact_at};
use std::cell::Cell;

impl Snapshot {
    pub(crate) fn open(&self, disk: &dyn Disk) -> Result<SegmentReader<'_>> {
        let file = match self.written {
            0 => None,
            written => Some(open_stream(disk, &self.path, Mode::Read, written)?),
        };
        let end = self.written + self.unwritten.iter().map(|block| block.len() as u64).sum::<u64>();
        Ok(SegmentReader { snapshot: self, file, end, bytes_read: Cell::new(0) })
    }
}

/// Reads a segment's blocks: their columns first, their texts when they are asked for.
pub(crate) struct SegmentReader<'a> {
    snapshot: &'a Snapshot,
    file: Option<Box<dyn File>>,
    end: u64,
    bytes_read: Cell<u64>,
}

/// A block whose columns have been read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextPlace {
    header: Header,
    /// Of the block.
    offset: u64,
}

/// What reading texts needs, reused from block to block.
#[derive(Default)]
pub(crate) struct TextBuffer {
    stored: AlignedBuffer,
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
        let (mut offset, mut head) = (0, AlignedBuffer::default());
        // Blocks are alike: what the head of one took, the next one's will take too, in a single read.
        let mut expected_bytes = ALIGNMENT;
        while offset < self.end {
            head.clear();
            self.read(&mut head, offset, expected_bytes.min(self.together(offset)))?;
            let header = self.header(&head, value_bytes)?;
            self.read(&mut head, offset, header.head_bytes())?;
            let columns = header.columns(&head[..header.head_bytes()], value_bytes);
            take(columns.map_err(|damage| self.damaged(damage))?, TextPlace { header, offset });
            offset += header.block_bytes() as u64;
            expected_bytes = header.head_bytes().next_multiple_of(ALIGNMENT);
        }
        Ok(())
    }

    /// The texts of a block.
    pub(crate) fn texts<'a>(&self, place: TextPlace, buffer: &'a mut TextBuffer) -> Result<FrontReader<'a>> {
        let TextPlace { header, offset } = place;
        // From the page on in which the text begins.
        let within_page = header.head_bytes() % ALIGNMENT;
        let skipped = header.head_bytes() - within_page;
        buffer.stored.clear();
        self.read(&mut buffer.stored, offset + skipped as u64, header.block_bytes() - skipped)?;
        let texts = header.texts(&buffer.stored[within_page..], &mut buffer.raw);
        texts.map_err(|damage| self.damaged(damage))
    }

    /// Bytes read from the file so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes_read.get()
    }

    pub(crate) fn damaged(&self, damage: Damage) -> Error {
        damage.in_file(&self.snapshot.path).into()
    }

    fn header(&self, head: &[u8], value_bytes: usize) -> Result<Header> {
        let bytes = head.first_chunk().ok_or_else(|| self.cut_short())?;
        Header::parse(bytes, value_bytes).map_err(|damage| self.damaged(damage))
    }

    /// Reads on until `buffer`, which holds what begins at `offset`, has `bytes` and ends with a page.
    fn read(&self, buffer: &mut AlignedBuffer, offset: u64, bytes: usize) -> Result<()> {
        let there = buffer.len();
        if there >= bytes {
            return Ok(());
        }
        let whole = bytes.next_multiple_of(ALIGNMENT).min(self.together(offset));
        if whole < bytes {
            return Err(self.cut_short());
        }
        buffer.resize(whole);
        self.fill(&mut buffer[there..], offset + there as u64)
    }

    /// Blocks that are in no file count as if they stood behind it.
    fn fill(&self, out: &mut [u8], offset: u64) -> Result<()> {
        if offset >= self.snapshot.written {
            let block = self.unwritten(offset).and_then(|rest| rest.get(..out.len()));
            out.copy_from_slice(block.ok_or_else(|| self.cut_short())?);
            return Ok(());
        }
        let file = self.file.as_ref().ok_or_else(|| self.cut_short())?;
        read_exact_at(&**file, out, offset).map_err(|error| self.in_segment(error))?;
        self.bytes_read.set(self.bytes_read.get() + out.len() as u64);
        Ok(())
    }

    /// How many bytes from `offset` on can be read at once: to the end of the file, or of a block that is in none.
    fn together(&self, offset: u64) -> usize {
        let in_file = self.snapshot.written.saturating_sub(offset) as usize;
        if in_file > 0 { in_file } else { self.unwritten(offset).map_or(0, <[u8]>::len) }
    }

    /// What of a block that is in no file stands at `offset` and behind it.
    fn unwritten(&self, offset: u64) -> Option<&[u8]> {
        let mut behind = offset.checked_sub(self.snapshot.written)?;
        for block in &self.snapshot.unwritten {
            if behind < block.len() as u64 {
                return block.get(behind as usize..);
            }
            behind -= block.len() as u64;
        }
        None
    }

    fn in_segment(&self, error: std::io::Error) -> Error {
        if error.kind() == std::io::ErrorKind::UnexpectedEof {
            return self.damaged(Damage::Bad("shorter than its manifest says"));
        }
        error.into()
    }

    fn cut_short(&self) -> Error {
        self.damaged(Damage::Bad("the last block is cut short"))
    }
}
