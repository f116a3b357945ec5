//! The bytes of `state/earlier`, drawn in `docs/formats/earlier.md`.

use crate::error::{Error, Result};
use crate::frame::{u32_at, u64_at};
use crate::limits::EARLIER_NAMES_BYTES;
use disk::{File, read_exact_at};
use std::io;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

pub(super) const VERSION: u32 = 1;
pub(super) const HEADER_BYTES: usize = 40;
pub(super) const ENTRY_BYTES: usize = 24;
const MAGIC: [u8; 8] = *b"DRUMEARL";
/// Of the header, without its own checksum.
const CRC_AT: usize = 36;
/// Of an entry.
const ENTRY_CRC_AT: usize = 20;
/// Entries read at once, where the search has come so near.
const ENTRIES_AT_ONCE: u64 = 128;

/// What stands before the entries: how many there are, and the names of the files that they lie in.
pub(super) struct Header {
    pub(super) entries: u64,
    /// Names, each ended by LF.
    pub(super) names: String,
}

/// A page: where its answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Among the names.
    pub(super) file: u32,
    /// Of the response or revisit record.
    pub(super) offset: u64,
}

/// Under what a URL is found. Two may share it: what is found says which URL it is of.
pub(super) fn key_of(url: &str) -> u64 {
    xxh3_64(url.as_bytes())
}

impl Header {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER_BYTES + self.names.len());
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(self.names.len() as u32).to_le_bytes());
        out.extend_from_slice(&self.entries.to_le_bytes());
        out.extend_from_slice(&xxh3_64(self.names.as_bytes()).to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out.extend_from_slice(self.names.as_bytes());
        out
    }
}

impl Entry {
    pub(super) fn encode(&self) -> [u8; ENTRY_BYTES] {
        let mut out = [0; ENTRY_BYTES];
        out[..8].copy_from_slice(&self.key.to_le_bytes());
        out[8..16].copy_from_slice(&self.place.offset.to_le_bytes());
        out[16..ENTRY_CRC_AT].copy_from_slice(&self.place.file.to_le_bytes());
        let crc = crc32fast::hash(&out[..ENTRY_CRC_AT]);
        out[ENTRY_CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        out
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        if crc32fast::hash(&bytes[..ENTRY_CRC_AT]) != u32_at(bytes, ENTRY_CRC_AT) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let place = Place { file: u32_at(bytes, 16), offset: u64_at(bytes, 8) };
        Ok(Self { key: u64_at(bytes, 0), place })
    }
}

/// A table at rest: the names in memory, the entries on disk.
pub(super) struct Table {
    file: Box<dyn File>,
    names: Vec<String>,
    entries: u64,
    /// Where the entries begin.
    begin: u64,
}

impl Table {
    pub(super) fn open(file: Box<dyn File>, path: &Path) -> Result<Self> {
        let corrupt = |what| Error::corrupt(path, 0, what);
        let len = file.len()?;
        if len < HEADER_BYTES as u64 {
            return Err(corrupt("the table of the earlier crawl has no header"));
        }
        let mut header = [0; HEADER_BYTES];
        read_exact_at(file.as_ref(), &mut header, 0)?;
        if header[..8] != MAGIC || crc32fast::hash(&header[..CRC_AT]) != u32_at(&header, CRC_AT) {
            return Err(corrupt("this is no table of an earlier crawl"));
        }
        let version = u32_at(&header, 8);
        if version != VERSION {
            return Err(Error::Version { path: path.to_owned(), found: version, known: VERSION });
        }
        let (names_len, entries) = (u32_at(&header, 12), u64_at(&header, 16));
        let begin = HEADER_BYTES as u64 + u64::from(names_len);
        let end = entries.checked_mul(ENTRY_BYTES as u64).and_then(|bytes| bytes.checked_add(begin));
        if end != Some(len) || names_len as usize > EARLIER_NAMES_BYTES {
            return Err(corrupt("the table of the earlier crawl has another length than it says"));
        }
        let mut names = vec![0; names_len as usize];
        read_exact_at(file.as_ref(), &mut names, HEADER_BYTES as u64)?;
        if xxh3_64(&names) != u64_at(&header, 24) {
            return Err(corrupt("the names in the table of the earlier crawl are damaged"));
        }
        let names = String::from_utf8(names).map_err(|_| corrupt("a name is not text"))?;
        Ok(Self { file, names: names.lines().map(str::to_owned).collect(), entries, begin })
    }

    pub(super) fn len(&self) -> u64 {
        self.entries
    }

    pub(super) fn file_name(&self, file: u32) -> Option<&str> {
        self.names.get(file as usize).map(String::as_str)
    }

    /// Where answers stand that may be of this URL, the newest last.
    pub(super) fn places(&self, url: &str) -> io::Result<Vec<Place>> {
        let key = key_of(url);
        let (mut low, mut high) = (0, self.entries);
        while high - low > ENTRIES_AT_ONCE {
            let middle = low.midpoint(high);
            if self.read(middle, 1)?[0].key < key { low = middle } else { high = middle }
        }
        let mut places = Vec::new();
        loop {
            let entries = self.read(low, (self.entries - low).min(ENTRIES_AT_ONCE))?;
            places.extend(entries.iter().filter(|entry| entry.key == key).map(|entry| entry.place));
            low += entries.len() as u64;
            if entries.last().is_none_or(|last| last.key > key) {
                return Ok(places);
            }
        }
    }

    fn read(&self, first: u64, count: u64) -> io::Result<Vec<Entry>> {
        let mut bytes = vec![0; count as usize * ENTRY_BYTES];
        read_exact_at(self.file.as_ref(), &mut bytes, self.begin + first * ENTRY_BYTES as u64)?;
        bytes.chunks_exact(ENTRY_BYTES).map(Entry::decode).collect()
    }
}
