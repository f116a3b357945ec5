//! The writing end of the journal.

use crate::error::Result;
use crate::frame::{NewFrame, SEGMENT_HEADER_BYTES, SegmentHeader};
use crate::ids::Birth;
use crate::layout::{STATE_DIR, segment_path};
use crate::limits::MARKS;
use crate::location::JournalPosition;
use disk::{File, Mode, SharedDisk};
use std::path::Path;
use zstd::bulk::Compressor;

/// Appends frames, one sync each. `end` is what is committed; a failed append leaves bytes behind it that
/// [`Journal::heal`] cuts off.
pub(crate) struct Journal {
    disk: SharedDisk,
    birth: Birth,
    segment: u32,
    file: Option<Box<dyn File>>,
    end: u64,
    next_seq: u64,
    marks: Marks,
    health: Health,
    max_segment_bytes: u64,
    roll: Roll,
    packer: Compressor<'static>,
}

/// From where a journal goes on.
pub(crate) struct JournalStart {
    pub(crate) birth: Birth,
    /// Segment 0 is the one before the first.
    pub(crate) end: JournalPosition,
    pub(crate) next_seq: u64,
    pub(crate) marks: Marks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Sound,
    /// Bytes that do not count may lie behind `end`.
    Torn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Roll {
    Stay,
    /// The next frame begins a new segment.
    Due,
}

impl Journal {
    /// Goes on behind its end, where the file has been cut already.
    pub(crate) fn new(disk: SharedDisk, start: JournalStart, max: u64) -> Self {
        let JournalStart { birth, end, next_seq, marks } = start;
        Self {
            disk,
            birth,
            segment: end.segment,
            file: None,
            end: end.offset,
            next_seq,
            marks,
            health: Health::Sound,
            max_segment_bytes: max,
            roll: if end.segment == 0 { Roll::Due } else { Roll::Stay },
            packer: Compressor::default(),
        }
    }

    pub(crate) fn next_seq(&self) -> u64 {
        self.next_seq
    }

    pub(crate) fn end(&self) -> JournalPosition {
        JournalPosition { segment: self.segment, offset: self.end }
    }

    /// Where a replay must begin to meet the entry `seq`.
    pub(crate) fn position_of(&self, seq: u64) -> JournalPosition {
        self.marks.position_of(seq)
    }

    /// Appends a frame and makes it durable.
    pub(crate) fn append(&mut self, frame: &NewFrame<'_>) -> Result<()> {
        assert_eq!(frame.first_seq, self.next_seq, "frames follow each other without a gap");
        assert_eq!(self.health, Health::Sound, "healed before the next append");
        let bytes = frame.encode(&mut self.packer)?;
        self.roll_if_due()?;
        self.health = Health::Torn;
        let end = self.end;
        let file = self.file()?;
        file.write_at(&bytes, end)?;
        file.sync()?;
        file.let_go(end..end + bytes.len() as u64);
        self.health = Health::Sound;
        self.counted(frame, bytes.len());
        Ok(())
    }

    fn counted(&mut self, frame: &NewFrame<'_>, bytes: usize) {
        if !frame.entries.is_empty() {
            self.marks.push(Mark { first_seq: frame.first_seq, position: self.end() });
        }
        self.next_seq += frame.entries.len() as u64;
        self.end += bytes as u64;
    }

    /// Cuts off, durably, what a failed append has left.
    pub(crate) fn heal(&mut self) -> Result<()> {
        if self.health == Health::Torn {
            let end = self.end;
            let file = self.file()?;
            file.set_len(end)?;
            file.sync()?;
            self.health = Health::Sound;
        }
        Ok(())
    }

    /// A checkpoint covers everything to `seq`: earlier positions are not needed any more, and a long
    /// segment ends.
    pub(crate) fn checkpointed(&mut self, seq: u64) {
        self.marks.forget_before(seq);
        if self.end >= self.max_segment_bytes {
            self.roll = Roll::Due;
        }
    }

    fn roll_if_due(&mut self) -> Result<()> {
        if self.roll == Roll::Stay {
            return Ok(());
        }
        let number = self.segment + 1;
        let header = SegmentHeader { number, first_seq: self.next_seq, birth: self.birth };
        // Truncate, not CreateNew: an attempt that failed half-way may have left the name.
        let mut file = self.disk.open(&segment_path(number), Mode::Truncate)?;
        file.write_at(&header.encode(), 0)?;
        file.sync()?;
        self.disk.sync_dir(Path::new(STATE_DIR))?;
        (self.segment, self.end, self.file) = (number, SEGMENT_HEADER_BYTES as u64, Some(file));
        self.roll = Roll::Stay;
        Ok(())
    }

    fn file(&mut self) -> Result<&mut Box<dyn File>> {
        if self.file.is_none() {
            self.file = Some(self.disk.open(&segment_path(self.segment), Mode::Write)?);
        }
        Ok(self.file.as_mut().expect("just opened"))
    }
}

/// A frame that can be found again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) first_seq: u64,
    pub(crate) position: JournalPosition,
}

/// Where recent frames begin, ascending, never empty; thinned out when there are too many.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    list: Vec<Mark>,
}

impl Marks {
    /// Begins with the place before which nothing will be asked for.
    pub(crate) fn new(origin: JournalPosition) -> Self {
        Self { list: vec![Mark { first_seq: 0, position: origin }] }
    }

    pub(crate) fn push(&mut self, mark: Mark) {
        if self.list.len() >= MARKS {
            let mut index = 0;
            self.list.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        self.list.push(mark);
    }

    fn position_of(&self, seq: u64) -> JournalPosition {
        let after = self.list.partition_point(|mark| mark.first_seq <= seq);
        self.list[after.saturating_sub(1)].position
    }

    fn forget_before(&mut self, seq: u64) {
        let after = self.list.partition_point(|mark| mark.first_seq <= seq);
        self.list.drain(..after.saturating_sub(1));
    }
}
