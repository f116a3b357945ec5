use crate::checkpoint;
use crate::error::{Error, Result};
use crate::frame::{FrameEntry, SEGMENT_HEADER_BYTES, SegmentStart, decode_entries};
use crate::layout::{STATE_DIR, segment_path};
use crate::location::{JournalPosition, Location};
use crate::scan::{
    FramePlace, FrameReader, Step, ends_before_checkpoint, frame_places, segment_start, segments,
};
use disk::{Disk, SharedDisk};
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::Path;
use stdx::WallTime;
use zstd::bulk::Decompressor;

/// An entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayEntry {
    /// Its number; the first of a crawl is 1.
    pub seq: u64,
    /// When it was committed.
    pub committed: WallTime,
    /// What the caller gave.
    pub record: Vec<u8>,
    /// Where its capture is, if it has one.
    pub location: Option<Location>,
}

/// Entries of the journal in order; holds one frame in memory. An iterator; after an error it ends.
pub struct Replay {
    disk: SharedDisk,
    segments: VecDeque<Stretch>,
    reader: Option<FrameReader>,
    unpacker: Decompressor<'static>,
    entries: std::vec::IntoIter<FrameEntry>,
    next_seq: u64,
    committed: WallTime,
    /// Bytes of segments that are read, but for the one at hand.
    bytes_behind: u64,
    /// Where reading the one at hand began.
    began: u64,
    /// The last segment that was begun, and where the sound frames of the last that was read ended.
    at: JournalPosition,
    /// Where the journal ended when a checkpoint was written.
    checkpointed: Option<JournalPosition>,
}

/// The part of a segment that is to be read.
struct Stretch {
    number: u32,
    from: u64,
    to: Option<u64>,
}

/// All entries from the beginning of the crawl, for tools. A crawl may be running beside it: what its
/// journal does not hold whole yet is not given. An empty or absent journal has no entries; one that ends before the checkpoint
/// ends with an error.
pub fn ledger(disk: SharedDisk) -> Result<Replay> {
    ledger_from(disk, 0)
}

/// As [`ledger`], but without the segments that end before entry `seq`: what comes first may still be some entries
/// before it.
pub fn ledger_from(disk: SharedDisk, seq: u64) -> Result<Replay> {
    let checkpointed = checkpoint::load(disk.as_ref())?.map(|saved| saved.journal_end);
    let numbers = segments_if_any(disk.as_ref())?;
    let mut stretches = VecDeque::new();
    for (index, number) in numbers.iter().enumerate() {
        match segment_start(disk.as_ref(), *number)? {
            SegmentStart::Sound(header) => {
                if header.first_seq <= seq {
                    stretches.clear();
                }
                stretches.push_back(Stretch::whole(*number));
            }
            _ if index + 1 == numbers.len() => {}
            _ => return Err(Error::corrupt(&segment_path(*number), 0, "this is no journal segment")),
        }
    }
    Ok(Replay { checkpointed, ..Replay::over(disk, stretches) })
}

/// What every run has committed first, the earliest run first. Of all other commits no more is read than where they end, so that this takes a
/// moment however long the journal is.
pub fn beginnings(disk: SharedDisk) -> Result<Replay> {
    let (mut stretches, mut has_opened) = (VecDeque::new(), false);
    for number in segments_if_any(disk.as_ref())? {
        for FramePlace { from, to, entries } in frame_places(disk.as_ref(), number)? {
            if has_opened && entries > 0 {
                stretches.push_back(Stretch { number, from, to: Some(to) });
            }
            // Opening the archive writes a frame without entries.
            has_opened = entries == 0;
        }
    }
    Ok(Replay::over(disk, stretches))
}

fn segments_if_any(disk: &dyn Disk) -> Result<Vec<u32>> {
    match disk.list(Path::new("")) {
        Ok(names) if names.iter().any(|name| name == STATE_DIR) => segments(disk),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(Vec::new()),
    }
}

/// Bytes that [`ledger`] will read.
pub fn ledger_bytes(disk: &dyn Disk) -> Result<u64> {
    let numbers = segments_if_any(disk)?;
    numbers.iter().map(|number| Ok(disk.stat(&segment_path(*number))?.unwrap_or(0))).sum()
}

/// Whether there is anything of a journal: [`ledger`] has it as damage if there is nothing and a checkpoint.
pub fn has_journal(disk: &dyn Disk) -> Result<bool> {
    Ok(!segments_if_any(disk)?.is_empty())
}

impl Stretch {
    fn whole(number: u32) -> Self {
        Self { number, from: SEGMENT_HEADER_BYTES as u64, to: None }
    }

    /// Where it begins, for those who count bytes: the header of a segment is a part of it.
    fn begin(&self) -> u64 {
        if self.from == SEGMENT_HEADER_BYTES as u64 { 0 } else { self.from }
    }
}

impl Replay {
    /// The entries between two frame boundaries.
    pub(crate) fn between(disk: SharedDisk, from: JournalPosition, to: JournalPosition) -> Self {
        let stretch = |number| Stretch {
            number,
            from: if number == from.segment { from.offset } else { SEGMENT_HEADER_BYTES as u64 },
            to: (number == to.segment).then_some(to.offset),
        };
        Self::over(disk, (from.segment..=to.segment).map(stretch).collect())
    }

    /// Nothing.
    pub(crate) fn empty(disk: SharedDisk) -> Self {
        Self::over(disk, VecDeque::new())
    }

    fn over(disk: SharedDisk, segments: VecDeque<Stretch>) -> Self {
        let entries = Vec::new().into_iter();
        Self {
            disk,
            segments,
            reader: None,
            unpacker: Decompressor::default(),
            entries,
            next_seq: 0,
            committed: WallTime::default(),
            bytes_behind: 0,
            began: 0,
            at: JournalPosition { segment: 0, offset: 0 },
            checkpointed: None,
        }
    }

    /// At the end, goes on with what has been committed since: for those who follow a crawl that runs.
    pub fn follow(&mut self) -> Result<()> {
        if self.reader.is_some() || !self.segments.is_empty() {
            return Ok(());
        }
        let JournalPosition { segment, offset } = self.at;
        let numbers = segments(self.disk.as_ref())?.into_iter().filter(|number| *number >= segment);
        let stretch = |number| match number {
            number if number == segment => Stretch { number, from: offset, to: None },
            number => Stretch::whole(number),
        };
        self.segments = numbers.map(stretch).collect();
        Ok(())
    }

    /// Bytes that are to be read, from now on.
    pub fn bytes_left(&self) -> Result<u64> {
        let mut left = 0;
        for stretch in &self.segments {
            let end = match stretch.to {
                Some(end) => end,
                None => self.disk.stat(&segment_path(stretch.number))?.unwrap_or(0),
            };
            left += end.saturating_sub(stretch.begin());
        }
        Ok(left)
    }

    /// Bytes of the journal that have been read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_behind + self.reader.as_ref().map_or(0, |reader| reader.offset() - self.began)
    }

    fn next_entry(&mut self) -> Result<Option<ReplayEntry>> {
        loop {
            if let Some(entry) = self.entries.next() {
                let seq = self.next_seq;
                self.next_seq += 1;
                let FrameEntry { record, location } = entry;
                return Ok(Some(ReplayEntry { seq, committed: self.committed, record, location }));
            }
            if !self.next_frame()? {
                return Ok(None);
            }
        }
    }

    fn next_frame(&mut self) -> Result<bool> {
        let Some(reader) = &mut self.reader else { return self.next_segment() };
        match reader.step()? {
            Step::Frame(frame) => {
                let entries = decode_entries(&frame.header, &frame.payload, &mut self.unpacker);
                let entries = entries.ok_or_else(|| {
                    Error::corrupt(reader.path(), frame.offset, "the entries of a sound frame cannot be read")
                })?;
                (self.next_seq, self.committed) = (frame.header.first_seq, frame.header.committed);
                self.entries = entries.into_iter();
            }
            Step::TornTail(offset) if !self.segments.is_empty() => {
                return Err(Error::corrupt(reader.path(), offset, "a broken frame with a segment behind it"));
            }
            Step::End => {
                let end = reader.offset();
                self.leave(end);
            }
            Step::TornTail(offset) => self.leave(offset),
        }
        Ok(true)
    }

    /// Behind a segment, whose sound frames end at `offset`.
    fn leave(&mut self, offset: u64) {
        self.bytes_behind = self.bytes_read();
        self.reader = None;
        self.at = JournalPosition { offset, ..self.at };
    }

    fn end(&mut self) -> Result<bool> {
        match self.checkpointed.take().filter(|checkpointed| self.at < *checkpointed) {
            Some(_) => Err(ends_before_checkpoint(self.at)),
            None => Ok(false),
        }
    }

    fn next_segment(&mut self) -> Result<bool> {
        let Some(stretch) = self.segments.pop_front() else { return self.end() };
        let disk: &dyn Disk = self.disk.as_ref();
        (self.at.segment, self.began) = (stretch.number, stretch.begin());
        self.reader = Some(FrameReader::open(disk, stretch.number, stretch.from, stretch.to)?);
        Ok(true)
    }
}

impl Iterator for Replay {
    type Item = Result<ReplayEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.next_entry();
        if entry.is_err() {
            self.segments.clear();
            self.reader = None;
            self.entries = Vec::new().into_iter();
        }
        entry.transpose()
    }
}
