//! From what an earlier run left to an archive that can go on.

use crate::archive::Archive;
use crate::checkpoint::{self, Checkpoint, Saved, Standing};
use crate::config::ArchiveConfig;
use crate::error::{Error, Result};
use crate::frame::{NewFrame, SEGMENT_HEADER_BYTES, SegmentStart};
use crate::ids::{Birth, RecordIds};
use crate::journal::{Journal, JournalStart, Mark, Marks};
use crate::layout::{
    ARCHIVE_DIR, CHECKPOINT, RUN_DIR, STATE_DIR, TEMP_SUFFIX, WarcName, parse_warc_name, segment_path,
};
use crate::location::{JournalPosition, WarcPosition};
use crate::replay::Replay;
use crate::revisits::Revisits;
use crate::scan::{Frame, FrameReader, Step, ends_before_checkpoint, missing, segment_start, segments};
use crate::warclog::{WarcLog, recover_files};
use disk::{Disk, Mode, SharedDisk};
use std::path::{Path, PathBuf};
use stdx::{WallTime, Watch};

/// An archive ready for commits, and what it had held before.
pub struct Opened {
    /// The archive.
    pub archive: Archive,
    /// What an earlier run left.
    pub recovered: Recovered,
}

/// What an earlier run left.
pub struct Recovered {
    /// The last checkpoint.
    pub checkpoint: Option<Checkpoint>,
    /// Whether nothing happened after it and it said [`Standing::Clean`]; an archive that never was is clean.
    pub clean: bool,
    /// The journal from the frame that holds the checkpoint's `covers_seq` on: entries up to that number
    /// are given for their locations, those after it are to be applied.
    pub replay: Replay,
    /// The number the next entry will have.
    pub next_seq: u64,
}

/// Opens the archive below `disk`'s root: loads the checkpoint, finds the end of the journal, cuts the WARC
/// files back to what it names, removes temporary files, and notes in the journal that it was opened.
pub(crate) fn open(
    disk: SharedDisk,
    config: ArchiveConfig,
    now: WallTime,
    watch: &mut Watch<'_>,
) -> Result<Opened> {
    for dir in [ARCHIVE_DIR, STATE_DIR, RUN_DIR] {
        disk.create_dir(Path::new(dir))?;
    }
    remove_temporaries(disk.as_ref())?;
    let saved = checkpoint::load(disk.as_ref())?;
    let tail = find_tail(disk.as_ref(), saved.as_ref(), watch)?;
    let found = warc_files(disk.as_ref())?;
    let files = recover_files(&disk, found, tail.warc)?;
    let clean = tail.is_clean(saved.as_ref());
    let replay = tail.replay(&disk, saved.as_ref());
    let (next_seq, max) = (tail.next_seq, config.max_segment_bytes);
    let birth = tail.birth.unwrap_or_else(|| Birth::at(now, config.process));
    let begin = JournalStart { birth, end: tail.end, next_seq, marks: tail.marks };
    let mut journal = Journal::new(disk.clone(), begin, max);
    // Whoever starts may contact hosts before it commits anything: from here on a stop is unclean.
    journal.append(&NewFrame { first_seq: next_seq, committed: now, warc: tail.warc, entries: &[] })?;
    let ids = RecordIds { seed: config.seed, birth };
    let warc = WarcLog::new(disk.clone(), ids, &files, tail.warc);
    let revisits = Revisits::open(disk.clone(), &config, tail.warc)?;
    let archive = Archive::new(disk, config, ids, journal, warc, revisits);
    let checkpoint = saved.map(|saved| saved.checkpoint);
    Ok(Opened { archive, recovered: Recovered { checkpoint, clean, replay, next_seq } })
}

/// The end of the journal and what its last frame says.
struct Tail {
    /// As its segments say it, once there is one.
    birth: Option<Birth>,
    /// Behind the last sound frame; segment 0 when there is none yet.
    end: JournalPosition,
    next_seq: u64,
    warc: Option<WarcPosition>,
    marks: Marks,
    frames: u64,
    ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Whole,
    /// Something after the last sound frame was cut off.
    Cut,
}

const FIRST: JournalPosition = JournalPosition { segment: 1, offset: SEGMENT_HEADER_BYTES as u64 };

fn find_tail(disk: &dyn Disk, saved: Option<&Saved>, watch: &mut Watch<'_>) -> Result<Tail> {
    let mut numbers = segments(disk)?;
    let dropped = drop_unfinished_segment(disk, &mut numbers)?;
    let from = saved.map_or(FIRST, |saved| saved.replay_from);
    let Some(last) = numbers.last().copied() else {
        return match saved {
            Some(_) => Err(missing(from.segment)),
            None => Ok(Tail { ending: dropped, ..Tail::before_everything() }),
        };
    };
    if numbers[0] > from.segment || last < from.segment {
        return Err(missing(from.segment));
    }
    let mut tail = Tail { end: from, marks: Marks::new(from), ending: dropped, ..Tail::before_everything() };
    let mut scan = Scan { from, last, done: 0, of: bytes_behind(disk, from, last)?, watch };
    for number in from.segment..=last {
        tail.scan(disk, number, &mut scan)?;
    }
    tail.require_checkpointed(saved)?;
    make_durable(disk, last)?;
    Ok(tail)
}

/// Which part of the journal is looked through, and how far that has come, in bytes.
struct Scan<'a, 'w> {
    from: JournalPosition,
    /// The last segment.
    last: u32,
    done: u64,
    of: u64,
    watch: &'a mut Watch<'w>,
}

fn bytes_behind(disk: &dyn Disk, from: JournalPosition, last: u32) -> Result<u64> {
    let mut bytes = 0;
    for number in from.segment..=last {
        bytes += disk.stat(&segment_path(number))?.unwrap_or(0);
    }
    Ok(bytes.saturating_sub(from.offset))
}

/// After a kill the last frame may be in the system's cache only. Before the WARC files are changed on its
/// word it must be as durable as they will be.
fn make_durable(disk: &dyn Disk, last: u32) -> Result<()> {
    disk.open(&segment_path(last), Mode::Write)?.sync()?;
    Ok(disk.sync_dir(Path::new(STATE_DIR))?)
}

/// The newest segment may have been begun without its head reaching the disk: nothing is in it then.
fn drop_unfinished_segment(disk: &dyn Disk, numbers: &mut Vec<u32>) -> Result<Ending> {
    let Some(&last) = numbers.last() else { return Ok(Ending::Whole) };
    if segment_start(disk, last)? != SegmentStart::Broken {
        return Ok(Ending::Whole);
    }
    disk.remove(&segment_path(last))?;
    disk.sync_dir(Path::new(STATE_DIR))?;
    numbers.pop();
    Ok(Ending::Cut)
}

impl Tail {
    fn before_everything() -> Self {
        Self {
            birth: None,
            end: JournalPosition { segment: 0, offset: 0 },
            next_seq: 1,
            warc: None,
            marks: Marks::new(FIRST),
            frames: 0,
            ending: Ending::Whole,
        }
    }

    fn scan(&mut self, disk: &dyn Disk, number: u32, scan: &mut Scan<'_, '_>) -> Result<()> {
        let Scan { from, last, .. } = *scan;
        let SegmentStart::Sound(header) = segment_start(disk, number)? else {
            return Err(Error::corrupt(&segment_path(number), 0, "this is no journal segment"));
        };
        let offset = if number == from.segment { from.offset } else { SEGMENT_HEADER_BYTES as u64 };
        self.end = JournalPosition { segment: number, offset };
        self.birth = Some(header.birth);
        if self.frames == 0 && offset == SEGMENT_HEADER_BYTES as u64 {
            self.next_seq = header.first_seq;
        }
        let mut reader = FrameReader::open(disk, number, offset, None)?;
        loop {
            match reader.step()? {
                Step::Frame(frame) => {
                    self.take(reader.path(), &frame)?;
                    scan.done += frame.header.frame_bytes();
                    (scan.watch)(stdx::Step::bytes("checking the journal", scan.done, scan.of));
                }
                Step::End => return Ok(()),
                Step::TornTail(offset) if number < last => {
                    return Err(Error::corrupt(
                        reader.path(),
                        offset,
                        "a broken frame with a segment behind it",
                    ));
                }
                Step::TornTail(offset) => return self.cut(disk, reader.path(), offset),
            }
        }
    }

    fn take(&mut self, path: &Path, frame: &Frame) -> Result<()> {
        let header = frame.header;
        if self.frames > 0 && header.first_seq != self.next_seq {
            return Err(Error::corrupt(path, frame.offset, "the frame does not follow the one before"));
        }
        if header.entries > 0 {
            let position = JournalPosition { segment: self.end.segment, offset: frame.offset };
            self.marks.push(Mark { first_seq: header.first_seq, position });
        }
        self.end.offset = frame.offset + header.frame_bytes();
        (self.next_seq, self.warc) = (header.next_seq(), header.warc);
        self.frames += 1;
        Ok(())
    }

    fn cut(&mut self, disk: &dyn Disk, path: &Path, offset: u64) -> Result<()> {
        disk.open(path, Mode::Write)?.set_len(offset)?;
        self.ending = Ending::Cut;
        Ok(())
    }

    fn require_checkpointed(&self, saved: Option<&Saved>) -> Result<()> {
        let Some(saved) = saved else { return Ok(()) };
        if self.end < saved.journal_end || self.next_seq <= saved.checkpoint.covers_seq {
            return Err(ends_before_checkpoint(self.end));
        }
        Ok(())
    }

    fn is_clean(&self, saved: Option<&Saved>) -> bool {
        let untouched = self.ending == Ending::Whole;
        match saved {
            None => untouched && self.frames == 0,
            Some(saved) => untouched && saved.standing == Standing::Clean && saved.journal_end == self.end,
        }
    }

    fn replay(&self, disk: &SharedDisk, saved: Option<&Saved>) -> Replay {
        if self.end.segment == 0 {
            return Replay::empty(disk.clone());
        }
        Replay::between(disk.clone(), saved.map_or(FIRST, |saved| saved.replay_from), self.end)
    }
}

fn warc_files(disk: &dyn Disk) -> Result<Vec<WarcName>> {
    let names = disk.list(Path::new(ARCHIVE_DIR))?;
    let mut files: Vec<WarcName> = names.iter().filter_map(|name| parse_warc_name(name)).collect();
    files.sort_by_key(|file| file.serial);
    Ok(files)
}

fn remove_temporaries(disk: &dyn Disk) -> Result<()> {
    let mut leftovers = vec![format!("{CHECKPOINT}{TEMP_SUFFIX}")];
    for dir in [RUN_DIR, ARCHIVE_DIR] {
        let names = disk.list(Path::new(dir))?;
        let unfinished = names.iter().filter(|name| name.ends_with(TEMP_SUFFIX));
        leftovers.extend(unfinished.map(|name| format!("{dir}/{name}")));
    }
    for path in leftovers.into_iter().map(PathBuf::from) {
        if disk.stat(&path)?.is_some() {
            disk.remove(&path)?;
        }
    }
    Ok(())
}
