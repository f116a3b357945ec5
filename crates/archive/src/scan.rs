//! Frames out of a segment, one after the other, and what is wrong where there is none.

use crate::error::{Error, Result};
use crate::frame::{
    FRAME_HEADER_BYTES, FRAME_MAGIC, FrameHeader, SEGMENT_HEADER_BYTES, SegmentHeader, SegmentStart, VERSION,
};
use crate::layout::{STATE_DIR, parse_segment_name, segment_path};
use crate::limits::SEARCH_BYTES;
use crate::location::JournalPosition;
use disk::{Disk, File, Mode, SequentialReader};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Numbers of the segments there are, ascending and without a gap.
pub(crate) fn segments(disk: &dyn Disk) -> Result<Vec<u32>> {
    let names = disk.list(Path::new(STATE_DIR))?;
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| parse_segment_name(name)).collect();
    numbers.sort_unstable();
    if let Some(gap) = numbers.windows(2).find(|pair| pair[0] + 1 != pair[1]) {
        return Err(missing(gap[0] + 1));
    }
    Ok(numbers)
}

/// The head of a segment. One that is broken is that of a segment that was being begun; with a sound frame behind it it is damage.
pub(crate) fn segment_start(disk: &dyn Disk, number: u32) -> Result<SegmentStart> {
    let path = segment_path(number);
    let file = disk.open(&path, Mode::Read)?;
    // Asked first: a crawl that runs writes the head before any frame.
    let end = file.len()?;
    let mut bytes = [0; SEGMENT_HEADER_BYTES];
    let there = file.read_at(&mut bytes, 0)?;
    match SegmentHeader::decode(&bytes[..there]) {
        SegmentStart::Version(found) => Err(Error::Version { path, found, known: VERSION }),
        SegmentStart::Sound(header) if header.number != number => {
            Err(Error::corrupt(&path, 12, "the segment has another number than its name"))
        }
        SegmentStart::Broken if holds_frames(disk, number, end)? => {
            Err(Error::corrupt(&path, 0, "the head of the segment is broken, its frames are not"))
        }
        start => Ok(start),
    }
}

/// Whether a segment with a broken head has a sound frame before `end`.
fn holds_frames(disk: &dyn Disk, number: u32, end: u64) -> Result<bool> {
    match FrameReader::open(disk, number, 0, Some(end))?.step() {
        Ok(Step::End | Step::TornTail(_)) => Ok(false),
        Ok(Step::Frame(_)) | Err(Error::Corrupt { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}

/// What is wrong with a journal that ends at `end`, before a checkpoint: that was written after its journal was durable.
pub(crate) fn ends_before_checkpoint(end: JournalPosition) -> Error {
    match end.segment {
        0 => missing(1),
        segment => {
            Error::corrupt(&segment_path(segment), end.offset, "the journal ends before the checkpoint")
        }
    }
}

pub(crate) fn missing(segment: u32) -> Error {
    Error::inconsistent(&segment_path(segment), "this journal segment is missing")
}

/// Where a frame lies, by its head: whether it is sound is not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FramePlace {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) entries: u32,
}

/// The frames of a segment, of which the heads alone are read.
pub(crate) fn frame_places(disk: &dyn Disk, number: u32) -> Result<Vec<FramePlace>> {
    let file = disk.open(&segment_path(number), Mode::Read)?;
    let (mut places, mut from) = (Vec::new(), SEGMENT_HEADER_BYTES as u64);
    let mut head = [0; FRAME_HEADER_BYTES];
    loop {
        let there = file.read_at(&mut head, from)?;
        let Some(header) = FrameHeader::decode(&head[..there]) else { return Ok(places) };
        let to = from + header.frame_bytes();
        if to > file.len()? {
            return Ok(places);
        }
        places.push(FramePlace { from, to, entries: header.entries });
        from = to;
    }
}

/// A frame whose checksum is right.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) offset: u64,
    pub(crate) header: FrameHeader,
    pub(crate) payload: Vec<u8>,
}

/// What comes next in a segment.
#[derive(Debug)]
pub(crate) enum Step {
    Frame(Frame),
    /// The segment ends here, after a whole frame.
    End,
    /// From this offset on there is no sound frame: a commit that was never finished.
    TornTail(u64),
}

/// Reads the frames of one segment from a frame boundary to an end.
pub(crate) struct FrameReader {
    path: PathBuf,
    file: Box<dyn File>,
    stream: SequentialReader,
    end: u64,
}

impl FrameReader {
    /// Reads segment `number` from `offset` to `end`, or to the end of the file.
    pub(crate) fn open(disk: &dyn Disk, number: u32, offset: u64, end: Option<u64>) -> Result<Self> {
        let path = segment_path(number);
        let file = disk.open(&path, Mode::Read)?;
        let end = end.map_or_else(|| file.len(), Ok)?;
        let stream = SequentialReader::new(disk.open(&path, Mode::Read)?, offset..end);
        Ok(Self { path, file, stream, end })
    }

    /// How far it has come.
    pub(crate) fn offset(&self) -> u64 {
        self.stream.offset()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The next frame, or how the segment ends. A broken frame with a sound one behind it is damage.
    pub(crate) fn step(&mut self) -> Result<Step> {
        let offset = self.stream.offset();
        if offset >= self.end {
            return Ok(Step::End);
        }
        if let Some(frame) = self.read_frame(offset)? {
            return Ok(Step::Frame(frame));
        }
        if self.finds_sound_frame_after(offset)? {
            return Err(Error::corrupt(&self.path, offset, "a broken frame with sound ones behind it"));
        }
        Ok(Step::TornTail(offset))
    }

    fn read_frame(&mut self, offset: u64) -> Result<Option<Frame>> {
        let mut head = [0; FRAME_HEADER_BYTES];
        if self.end - offset < head.len() as u64 {
            return Ok(None);
        }
        self.stream.read_exact(&mut head)?;
        let Some(header) = FrameHeader::decode(&head) else { return Ok(None) };
        if self.end - offset < header.frame_bytes() {
            return Ok(None);
        }
        let mut payload = vec![0; header.payload_bytes as usize];
        self.stream.read_exact(&mut payload)?;
        Ok(header.is_sound(&head, &payload).then_some(Frame { offset, header, payload }))
    }

    fn finds_sound_frame_after(&self, offset: u64) -> Result<bool> {
        let mut window = vec![0; SEARCH_BYTES.min((self.end - offset) as usize)];
        let mut at = offset + 1;
        while at < self.end {
            let there = self.file.read_at(&mut window, at)?;
            let candidates = window[..there].windows(FRAME_MAGIC.len()).enumerate();
            for (index, _) in candidates.filter(|(_, bytes)| **bytes == FRAME_MAGIC) {
                if self.is_sound_at(at + index as u64)? {
                    return Ok(true);
                }
            }
            if there < window.len() {
                break;
            }
            at += (there - FRAME_MAGIC.len() + 1) as u64;
        }
        Ok(false)
    }

    fn is_sound_at(&self, offset: u64) -> Result<bool> {
        let mut head = [0; FRAME_HEADER_BYTES];
        let there = self.file.read_at(&mut head, offset)?;
        let Some(header) = FrameHeader::decode(&head[..there]) else { return Ok(false) };
        let mut payload = vec![0; header.payload_bytes as usize];
        let there = self.file.read_at(&mut payload, offset + FRAME_HEADER_BYTES as u64)?;
        Ok(there == payload.len() && header.is_sound(&head, &payload))
    }
}
