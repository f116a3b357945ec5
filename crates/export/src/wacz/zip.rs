//! A ZIP file of stored entries (APPNOTE 6.3.10), with 64-bit fields where 32 do not suffice.

use crate::error::Result;
use crate::limits::WRITE_BYTES;
use crate::new_file::NewFile;
use data_encoding::HEXLOWER;
use disk::SequentialReader;
use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// A file on its way into another.
pub(super) struct Zip {
    out: NewFile,
    /// The central directory.
    directory: Vec<u8>,
    entries: u64,
}

/// What an entry turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) bytes: u64,
    /// `sha256:` and 64 hexadecimal digits.
    pub(super) hash: String,
}

const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
const END_64: u32 = 0x0606_4B50;
const LOCATOR_64: u32 = 0x0706_4B50;
/// Version 4.5: 64-bit fields.
const VERSION: u16 = 45;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// The first of January 1980, so that the same files make the same file.
const DATE: u16 = 1 << 5 | 1;
const EXTRA_64: u16 = 1;
/// Of [`END_64`], behind its length.
const END_64_BYTES: u64 = 44;

impl Zip {
    pub(super) fn new(out: NewFile) -> Self {
        Self { out, directory: Vec::new(), entries: 0 }
    }

    /// Stores what `open` gives under `name`; it is read twice, since its checksum stands before it. The first time `check` may
    /// read it.
    pub(super) fn add(
        &mut self,
        name: &str,
        open: impl Fn() -> Result<SequentialReader>,
        check: impl FnOnce(&mut Measured) -> Result<()>,
        failed: impl Fn(io::Error) -> crate::Error,
    ) -> Result<Stored> {
        let mut measured =
            Measured { from: open()?, crc: crc32fast::Hasher::new(), sha: Sha256::new(), bytes: 0 };
        check(&mut measured)?;
        io::copy(&mut measured, &mut io::sink()).map_err(&failed)?;
        let Measured { crc, sha, bytes, .. } = measured;
        let entry = Entry { name, crc: crc.finalize(), bytes, offset: self.out.len() };
        self.out.write(&entry.local())?;
        self.copy(open()?, failed)?;
        self.directory.extend(entry.central());
        self.entries += 1;
        Ok(Stored { bytes, hash: label(&sha.finalize()) })
    }

    fn copy(&mut self, mut from: SequentialReader, failed: impl Fn(io::Error) -> crate::Error) -> Result<()> {
        let mut buffer = vec![0; WRITE_BYTES];
        loop {
            match from.read(&mut buffer).map_err(&failed)? {
                0 => return Ok(()),
                count => self.out.write(&buffer[..count])?,
            }
        }
    }

    /// Stores bytes in memory.
    pub(super) fn add_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<Stored> {
        let entry =
            Entry { name, crc: crc32fast::hash(bytes), bytes: bytes.len() as u64, offset: self.out.len() };
        self.out.write(&entry.local())?;
        self.out.write(bytes)?;
        self.directory.extend(entry.central());
        self.entries += 1;
        Ok(Stored { bytes: entry.bytes, hash: label(&Sha256::digest(bytes)) })
    }

    /// Writes the directory; the file can then be finished.
    pub(super) fn finish(mut self) -> Result<NewFile> {
        let offset = self.out.len();
        let bytes = self.directory.len() as u64;
        self.out.write(&self.directory)?;
        self.out.write(&end_64(self.entries, bytes, offset))?;
        self.out.write(&end(self.entries, bytes, offset))?;
        Ok(self.out)
    }
}

/// A file that is measured while it is read.
pub(super) struct Measured {
    from: SequentialReader,
    crc: crc32fast::Hasher,
    sha: Sha256,
    bytes: u64,
}

impl Read for Measured {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(out)?;
        self.crc.update(&out[..count]);
        self.sha.update(&out[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

fn label(digest: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(digest))
}

struct Entry<'a> {
    name: &'a str,
    crc: u32,
    bytes: u64,
    offset: u64,
}

impl Entry<'_> {
    fn local(&self) -> Vec<u8> {
        let extra = if fits(self.bytes) { Vec::new() } else { extra_64(&[self.bytes, self.bytes]) };
        [&LOCAL.to_le_bytes()[..], &self.common(extra.len()), self.name.as_bytes(), &extra].concat()
    }

    fn central(&self) -> Vec<u8> {
        let mut large = Vec::new();
        if !fits(self.bytes) {
            large.extend([self.bytes, self.bytes]);
        }
        if !fits(self.offset) {
            large.push(self.offset);
        }
        let extra = if large.is_empty() { Vec::new() } else { extra_64(&large) };
        // No comment, the first disk, no attributes.
        let rest = [0; 10];
        [
            &CENTRAL.to_le_bytes()[..],
            &VERSION.to_le_bytes(),
            &self.common(extra.len()),
            &rest,
            &low(self.offset),
            self.name.as_bytes(),
            &extra,
        ]
        .concat()
    }

    /// What both headers say alike.
    fn common(&self, extra_bytes: usize) -> Vec<u8> {
        let (stored, time) = (0u16, 0u16);
        let shorts = [VERSION, FLAGS, stored, time, DATE].map(u16::to_le_bytes).concat();
        let lengths = [self.name.len() as u16, extra_bytes as u16].map(u16::to_le_bytes).concat();
        [&shorts[..], &self.crc.to_le_bytes(), &low(self.bytes), &low(self.bytes), &lengths].concat()
    }
}

fn fits(value: u64) -> bool {
    value < u64::from(u32::MAX)
}

/// A value in 32 bits, or the mark that it stands in a 64-bit field.
fn low(value: u64) -> [u8; 4] {
    u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes()
}

fn extra_64(values: &[u64]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    [&EXTRA_64.to_le_bytes()[..], &(bytes.len() as u16).to_le_bytes(), &bytes].concat()
}

/// The end of the directory in 64 bits, and where that is; nothing where 32 suffice.
fn end_64(entries: u64, bytes: u64, offset: u64) -> Vec<u8> {
    if entries < u64::from(u16::MAX) && fits(bytes) && fits(offset) {
        return Vec::new();
    }
    let versions = [VERSION, VERSION].map(u16::to_le_bytes).concat();
    let numbers = [entries, entries, bytes, offset].map(u64::to_le_bytes).concat();
    let record =
        [&END_64.to_le_bytes()[..], &END_64_BYTES.to_le_bytes(), &versions, &[0; 8], &numbers].concat();
    let place = (offset + bytes).to_le_bytes();
    [&record[..], &LOCATOR_64.to_le_bytes(), &[0; 4], &place, &1u32.to_le_bytes()].concat()
}

fn end(entries: u64, bytes: u64, offset: u64) -> Vec<u8> {
    let entries = u16::try_from(entries).unwrap_or(u16::MAX).to_le_bytes();
    [&END.to_le_bytes()[..], &[0; 4], &entries, &entries, &low(bytes), &low(offset), &[0; 2]].concat()
}

#[cfg(test)]
mod tests;
