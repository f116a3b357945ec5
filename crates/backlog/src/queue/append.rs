use super::Stretch;
use crate::error::Result;
use crate::names;
use crate::store::Store;
use disk::Mode;

/// Where the next block of a queue goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tail {
    pub(crate) file: u64,
    pub(crate) offset: u64,
}

impl Tail {
    /// Behind `last`, if its file has room and may be continued.
    pub(crate) fn behind(last: Option<Stretch>, file_bytes: u64) -> Option<Self> {
        let last = last.filter(|last| last.end < file_bytes)?;
        Some(Self { file: last.file, offset: last.end })
    }
}

/// Writes a block of `entries` entries. May be repeated after an error.
pub(crate) fn append_block(store: &Store, tail: Tail, block: &[u8], entries: usize) -> Result<Stretch> {
    let mut file = store.disk.open(&store.path(&names::queue(tail.file)), Mode::OpenOrCreate)?;
    file.write_at(block, tail.offset)?;
    let end = tail.offset + block.len() as u64;
    Ok(Stretch { file: tail.file, start: tail.offset, end, entries: entries as u64 })
}
