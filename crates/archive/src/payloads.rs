//! Which response has a payload: an index on disk, and in bounded memory where in it to look.
//!
//! The index may forget and may be wrong. Whoever asks it reads the response that it names and compares.

mod entry;
mod table;
#[cfg(test)]
mod tests;

use crate::error::{Error, Result};
use crate::layout::PAYLOADS;
use crate::limits::UNWRITTEN_BYTES;
use crate::location::WarcPosition;
use disk::{Disk, File, Mode, SequentialReader, read_exact_at};
use entry::{ENTRY_BYTES, Entry, HEADER_BYTES, Header, VERSION};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use table::Table;
use warc::Sha1Digest;

/// Where a response record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) serial: u32,
    pub(crate) offset: u64,
}

/// A log of payloads, an entry each, and a table of the most recent ones. Entries are counted from one.
pub(crate) struct PayloadIndex {
    file: Box<dyn File>,
    /// Entries in the file.
    written: u64,
    /// Entries behind them.
    unwritten: Vec<u8>,
    table: Table,
}

/// Whether an earlier run has written any entry: its archive may hold revisits.
pub(crate) fn is_begun(disk: &dyn Disk) -> Result<bool> {
    Ok(disk.stat(Path::new(PAYLOADS))?.is_some_and(|len| len > HEADER_BYTES as u64))
}

impl PayloadIndex {
    /// Opens the index below the disk's root, or begins it. The table takes `memory_bytes`. Entries at or behind `end` are of
    /// records that were never committed.
    pub(crate) fn open(disk: &dyn Disk, memory_bytes: usize, end: Option<WarcPosition>) -> Result<Self> {
        let path = Path::new(PAYLOADS);
        let mut file = disk.open(path, Mode::OpenOrCreate)?;
        require_header(&mut *file, path)?;
        let written = (file.len()? - HEADER_BYTES as u64) / ENTRY_BYTES as u64;
        let mut table = Table::new(memory_bytes);
        let read = disk.open(path, Mode::Read)?;
        fill(&mut table, read.into(), written, end)?;
        Ok(Self { file, written, unwritten: Vec::new(), table })
    }

    /// The response that had a payload of this digest when it was added.
    pub(crate) fn find(&self, digest: Sha1Digest) -> io::Result<Option<Place>> {
        let Some(number) = self.table.find(&digest.bytes()) else { return Ok(None) };
        let entry = self.entry(u64::from(number) - 1)?;
        Ok(entry.filter(|entry| entry.is_of(digest)).map(|entry| entry.place))
    }

    /// Notes a response that is committed. Where the disk has not taken in what came before, or there are four thousand million
    /// entries, it is passed over.
    pub(crate) fn add(&mut self, digest: Sha1Digest, place: Place) {
        let behind = self.written + (self.unwritten.len() / ENTRY_BYTES) as u64;
        let Ok(number) = u32::try_from(behind + 1) else { return };
        if self.unwritten.len() < UNWRITTEN_BYTES {
            self.unwritten.extend_from_slice(&Entry::new(digest, place).encode());
            self.table.put(&digest.bytes(), number);
        }
    }

    /// Writes what was added. It need not be durable: an entry that is lost costs a copy.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        self.file.write_at(&self.unwritten, offset_of(self.written))?;
        self.written += (self.unwritten.len() / ENTRY_BYTES) as u64;
        self.unwritten.clear();
        Ok(())
    }

    fn entry(&self, index: u64) -> io::Result<Option<Entry>> {
        let mut bytes = [0; ENTRY_BYTES];
        match index.checked_sub(self.written) {
            None => read_exact_at(&*self.file, &mut bytes, offset_of(index))?,
            Some(behind) => {
                let start = behind as usize * ENTRY_BYTES;
                bytes.copy_from_slice(&self.unwritten[start..start + ENTRY_BYTES]);
            }
        }
        Ok(Entry::decode(&bytes))
    }
}

fn offset_of(index: u64) -> u64 {
    HEADER_BYTES as u64 + index * ENTRY_BYTES as u64
}

/// A file without a whole header was never finished, or is damaged: nothing in it is needed.
fn require_header(file: &mut dyn File, path: &Path) -> Result<()> {
    let mut bytes = [0; HEADER_BYTES];
    let there = file.read_at(&mut bytes, 0)?;
    match Header::decode(&bytes[..there]) {
        Header::Sound => Ok(()),
        Header::Version(found) => Err(Error::Version { path: path.to_owned(), found, known: VERSION }),
        Header::Broken => {
            file.set_len(0)?;
            Ok(file.write_at(&Header::encode(), 0)?)
        }
    }
}

/// Takes in as many of the last entries as there is room for.
fn fill(table: &mut Table, file: Arc<dyn File>, written: u64, end: Option<WarcPosition>) -> Result<()> {
    let first = written.saturating_sub(table.slots());
    let mut entries = SequentialReader::new(file, offset_of(first)..offset_of(written));
    let mut bytes = [0; ENTRY_BYTES];
    for index in first..written {
        entries.read_exact(&mut bytes)?;
        let entry = Entry::decode(&bytes).filter(|entry| is_before(entry.place, end));
        if let (Some(entry), Ok(number)) = (entry, u32::try_from(index + 1)) {
            table.put(entry.digest_start(), number);
        }
    }
    Ok(())
}

fn is_before(place: Place, end: Option<WarcPosition>) -> bool {
    end.is_some_and(|end| (place.serial, place.offset) < (end.serial, end.length))
}
