//! One table on disk, read and written from front to back; the layout is drawn in `docs/formats/near.md`.

use crate::error::Result;
use crate::limits::{BLOCK_ENTRIES, STREAM_BYTES};
use crate::tables::Entry;
use crate::traffic::Traffic;
use disk::{Appender, Damage, Disk, Mode, SequentialReader};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"NEARtabl";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 24;
const BLOCK_HEADER_BYTES: usize = 8;
const ENTRY_BYTES: usize = 16;

/// Which of the tables, and which state of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableId {
    pub(crate) table: u16,
    pub(crate) generation: u64,
}

impl TableId {
    pub(crate) fn file_name(self) -> String {
        format!("table-{}-{:010}.near", self.table, self.generation)
    }

    fn header(self) -> [u8; HEADER_BYTES] {
        let mut out = [0; HEADER_BYTES];
        out[..8].copy_from_slice(&MAGIC);
        out[8..10].copy_from_slice(&VERSION.to_le_bytes());
        out[10..12].copy_from_slice(&self.table.to_le_bytes());
        out[12..20].copy_from_slice(&self.generation.to_le_bytes());
        let checksum = crc32fast::hash(&out[..20]);
        out[20..].copy_from_slice(&checksum.to_le_bytes());
        out
    }

    fn check(self, header: &[u8; HEADER_BYTES]) -> Result<(), Damage> {
        let found = u16::from_le_bytes([header[8], header[9]]);
        match header {
            _ if header[..8] != MAGIC => Err(Damage::Bad("not a table")),
            _ if found != VERSION => Err(Damage::Version { found, known: VERSION }),
            _ if *header != self.header() => Err(Damage::Bad("another table, or its checksum does not fit")),
            _ => Ok(()),
        }
    }
}

/// Writes entries that ascend.
pub(crate) struct TableWriter {
    out: Appender,
    block: Vec<u8>,
    entries: u64,
}

impl TableWriter {
    pub(crate) fn create(disk: &dyn Disk, path: &Path, id: TableId) -> Result<Self> {
        let mut out = Appender::with_buffer(disk.open_direct(path, Mode::Truncate)?, 0, STREAM_BYTES);
        out.write_all(&id.header())?;
        Ok(Self { out, block: Vec::with_capacity(BLOCK_ENTRIES * ENTRY_BYTES), entries: 0 })
    }

    pub(crate) fn push(&mut self, entry: Entry) -> Result<()> {
        self.block.extend_from_slice(&entry.fingerprint.to_le_bytes());
        self.block.extend_from_slice(&entry.id.to_le_bytes());
        self.entries += 1;
        if self.block.len() == BLOCK_ENTRIES * ENTRY_BYTES { self.end_block() } else { Ok(()) }
    }

    /// The file is durable then, its name not yet. Returns how many entries it has.
    pub(crate) fn finish(mut self, traffic: &mut Traffic) -> Result<u64> {
        self.end_block()?;
        self.out.sync()?;
        traffic.written += self.out.offset();
        Ok(self.entries)
    }

    fn end_block(&mut self) -> Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let count = (self.block.len() / ENTRY_BYTES) as u32;
        self.out.write_all(&count.to_le_bytes())?;
        self.out.write_all(&crc32fast::hash(&self.block).to_le_bytes())?;
        self.out.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}

/// Reads a table that has `entries`.
pub(crate) struct TableReader {
    path: PathBuf,
    from: SequentialReader,
    left: u64,
    bytes: Vec<u8>,
}

impl TableReader {
    pub(crate) fn open(disk: &dyn Disk, path: &Path, id: TableId, entries: u64) -> Result<Self> {
        let file = disk.open_direct(path, Mode::Read)?;
        let len = file.len()?;
        let from = SequentialReader::with_buffer(file, 0..len, STREAM_BYTES);
        let mut reader = Self { path: path.to_owned(), from, left: entries, bytes: Vec::new() };
        let mut header = [0; HEADER_BYTES];
        reader.fill(&mut header)?;
        id.check(&header).map_err(|damage| damage.in_file(path))?;
        Ok(reader)
    }

    /// The entries of the next block in `entries`, none at the end.
    pub(crate) fn next_block(&mut self, entries: &mut Vec<Entry>) -> Result<()> {
        entries.clear();
        if self.left == 0 {
            return Ok(());
        }
        let mut header = [0; BLOCK_HEADER_BYTES];
        self.fill(&mut header)?;
        let [count, checksum] = [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|n| header[at + n])));
        if count == 0 || count as usize > BLOCK_ENTRIES || u64::from(count) > self.left {
            return Err(self.damaged("an impossible block"));
        }
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.resize(count as usize * ENTRY_BYTES, 0);
        self.fill(&mut bytes)?;
        if crc32fast::hash(&bytes) != checksum {
            return Err(self.damaged("a block's checksum does not fit"));
        }
        entries.extend(bytes.as_chunks().0.iter().map(entry));
        self.bytes = bytes;
        self.left -= u64::from(count);
        Ok(())
    }

    /// Bytes read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.from.offset()
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        match self.from.read_exact(bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged("it ends before its entries do"))
            }
            read => Ok(read?),
        }
    }

    fn damaged(&self, what: &'static str) -> crate::Error {
        Damage::Bad(what).in_file(&self.path).into()
    }
}

fn entry(bytes: &[u8; ENTRY_BYTES]) -> Entry {
    let words = bytes.as_chunks().0;
    Entry { fingerprint: u64::from_le_bytes(words[0]), id: u64::from_le_bytes(words[1]) }
}
