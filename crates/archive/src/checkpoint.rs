//! `state/checkpoint`, drawn in `docs/formats/checkpoint.md`.

use crate::error::{Error, Result};
use crate::frame::{u32_at, u64_at};
use crate::layout::{CHECKPOINT, segment_path};
use crate::location::JournalPosition;
use disk::Disk;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The caller's state as it was last saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Every entry up to this one has been applied to the state.
    pub covers_seq: u64,
    /// What the caller gave.
    pub state: Vec<u8>,
}

/// In which situation a checkpoint is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The crawl goes on.
    Running,
    /// Everything is drained: the next start need not assume unrecorded contacts.
    Clean,
}

/// A checkpoint with what only the archive needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) standing: Standing,
    /// Where the replay begins: the frame that holds `covers_seq`.
    pub(crate) replay_from: JournalPosition,
    /// Where the journal ended.
    pub(crate) journal_end: JournalPosition,
}

const MAGIC: [u8; 8] = *b"DRUMCKPT";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 64;
const CHECKSUM_AT: usize = HEADER_BYTES - 8;

/// What stands before `state` in the file.
pub(crate) fn header(
    standing: Standing,
    covers_seq: u64,
    replay_from: JournalPosition,
    journal_end: JournalPosition,
    state: &[u8],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER_BYTES);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&u32::from(standing == Standing::Clean).to_le_bytes());
    out.extend_from_slice(&covers_seq.to_le_bytes());
    for position in [replay_from, journal_end] {
        out.extend_from_slice(&position.segment.to_le_bytes());
        out.extend_from_slice(&position.offset.to_le_bytes());
    }
    out.extend_from_slice(&(state.len() as u64).to_le_bytes());
    let checksum = checksum(&out, state);
    out.extend_from_slice(&checksum.to_le_bytes());
    out
}

/// The checkpoint on the disk, `None` if there has never been one; for tools, beside a crawl that runs too.
pub fn last_checkpoint(disk: &dyn Disk) -> Result<Option<Checkpoint>> {
    Ok(load(disk)?.map(|saved| saved.checkpoint))
}

/// Whether the last run came to its end and nobody has opened the archive since: for tools, of a crawl that does not run.
pub fn has_ended_clean(disk: &dyn Disk) -> Result<bool> {
    let Some(Saved { standing: Standing::Clean, journal_end, .. }) = load(disk)? else { return Ok(false) };
    let is_last = disk.stat(&segment_path(journal_end.segment + 1))?.is_none();
    Ok(is_last && disk.stat(&segment_path(journal_end.segment))? == Some(journal_end.offset))
}

/// The checkpoint on the disk, `None` if there has never been one.
pub(crate) fn load(disk: &dyn Disk) -> Result<Option<Saved>> {
    let path = Path::new(CHECKPOINT);
    match disk.stat(path)? {
        None => Ok(None),
        Some(_) => decode(disk::read_all(disk, path)?).map(Some),
    }
}

/// Reads [`header`] and state.
pub(crate) fn decode(mut bytes: Vec<u8>) -> Result<Saved> {
    let path = Path::new(CHECKPOINT);
    if bytes.len() < HEADER_BYTES || bytes[..8] != MAGIC {
        return Err(Error::corrupt(path, 0, "this is no checkpoint"));
    }
    let found = u32_at(&bytes, 8);
    if found != VERSION {
        return Err(Error::Version { path: path.to_owned(), found, known: VERSION });
    }
    let state = &bytes[HEADER_BYTES..];
    let sound = u64_at(&bytes, 48) == state.len() as u64
        && u64_at(&bytes, CHECKSUM_AT) == checksum(&bytes[..CHECKSUM_AT], state);
    if !sound {
        return Err(Error::corrupt(path, CHECKSUM_AT as u64, "the checksum is wrong"));
    }
    let position = |at| JournalPosition { segment: u32_at(&bytes, at), offset: u64_at(&bytes, at + 4) };
    let standing = if u32_at(&bytes, 12) & 1 == 1 { Standing::Clean } else { Standing::Running };
    let (covers_seq, replay_from, journal_end) = (u64_at(&bytes, 16), position(24), position(36));
    // In place: the state may be large.
    bytes.drain(..HEADER_BYTES);
    Ok(Saved { checkpoint: Checkpoint { covers_seq, state: bytes }, standing, replay_from, journal_end })
}

fn checksum(header: &[u8], state: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(header);
    hasher.update(state);
    hasher.digest()
}
