//! `state/cdxj/<WARC file>.run`, drawn in `docs/formats/cdxj.md`: the sorted lines of a closed WARC file, and a trailer.

use crate::error::{Error, Result};
use crate::frame::{u32_at, u64_at};
use crate::layout::run_path;
use crate::merge::Sorted;
use disk::{Disk, File, Mode, SequentialReader, read_exact_at};
use std::io::{BufRead, ErrorKind};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

const MAGIC: [u8; 8] = *b"DRUMCDXJ";
const VERSION: u32 = 1;
const TRAILER_BYTES: usize = 32;
/// The trailer ends with its checksum.
const CRC_AT: usize = TRAILER_BYTES - 4;

/// What stands behind the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Trailer {
    /// Of the WARC file, when it was closed.
    warc_bytes: u64,
    /// Of the lines.
    checksum: u64,
}

/// Puts the trailer behind sorted lines, durably.
pub(super) fn seal(disk: &dyn Disk, lines: &Sorted, warc_bytes: u64) -> Result<()> {
    let checksum = checksum(disk.open(&lines.path, Mode::Read)?, lines.bytes)?;
    let mut file = disk.open(&lines.path, Mode::Write)?;
    file.write_at(&Trailer { warc_bytes, checksum }.encode(), lines.bytes)?;
    Ok(file.sync()?)
}

/// The lines of the run of a WARC file. Nothing where there is no run, where it is not what was written, or where it was written
/// before runs had a trailer: then it has to be made again.
pub(crate) fn lines_of(disk: &dyn Disk, name: &str) -> Result<Option<Sorted>> {
    let path = run_path(name);
    let Some((trailer, bytes)) = trailer_of(disk, &path)? else { return Ok(None) };
    let is_sound = checksum(disk.open(&path, Mode::Read)?, bytes)? == trailer.checksum;
    Ok(is_sound.then_some(Sorted { path, bytes }))
}

/// How long a WARC file was when it was closed, if its run can say so.
pub(crate) fn warc_bytes(disk: &dyn Disk, name: &str) -> Result<Option<u64>> {
    Ok(trailer_of(disk, &run_path(name))?.map(|(trailer, _)| trailer.warc_bytes))
}

/// What the lines of the run of a WARC file take, if it can say so.
pub(crate) fn lines_bytes(disk: &dyn Disk, name: &str) -> Result<Option<u64>> {
    Ok(trailer_of(disk, &run_path(name))?.map(|(_, bytes)| bytes))
}

/// With the bytes before it.
fn trailer_of(disk: &dyn Disk, path: &Path) -> Result<Option<(Trailer, u64)>> {
    let file = match disk.open(path, Mode::Read) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let Some(at) = file.len()?.checked_sub(TRAILER_BYTES as u64) else { return Ok(None) };
    let mut bytes = [0; TRAILER_BYTES];
    read_exact_at(&*file, &mut bytes, at)?;
    Ok(Trailer::decode(path, &bytes)?.map(|trailer| (trailer, at)))
}

fn checksum(file: Box<dyn File>, bytes: u64) -> Result<u64> {
    let mut lines = SequentialReader::new(file, 0..bytes);
    let mut hasher = Xxh3::new();
    loop {
        let some = lines.fill_buf()?;
        if some.is_empty() {
            return Ok(hasher.digest());
        }
        hasher.update(some);
        let taken = some.len();
        lines.consume(taken);
    }
}

impl Trailer {
    fn encode(self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&self.warc_bytes.to_le_bytes());
        out.extend_from_slice(&self.checksum.to_le_bytes());
        let crc = crc32fast::hash(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    /// Nothing of what is no trailer.
    fn decode(path: &Path, bytes: &[u8]) -> Result<Option<Self>> {
        if bytes[..8] != MAGIC || crc32fast::hash(&bytes[..CRC_AT]) != u32_at(bytes, CRC_AT) {
            return Ok(None);
        }
        match u32_at(bytes, 8) {
            VERSION => Ok(Some(Self { warc_bytes: u64_at(bytes, 12), checksum: u64_at(bytes, 20) })),
            found => Err(Error::Version { path: path.to_owned(), found, known: VERSION }),
        }
    }
}
