//! What stands in the place of a record that was removed.

use crate::digest::Sha1Stream;
use crate::fields::Fields;
use crate::gzip::{HEADER, STORED_BLOCK_BYTES};
use crate::id::RecordId;
use crate::limits::BUFFER_BYTES;
use crate::record::{Record, RecordType};
use std::io::{self, Read, Write};
use stdx::WallTime;

/// A `metadata` record that says what became of the one whose place it has.
#[derive(Debug, Clone)]
pub struct Void {
    /// `WARC-Record-ID`.
    pub id: RecordId,
    /// When it was decided.
    pub date: WallTime,
    /// What became of it.
    pub removal: Removal,
}

/// What became of a record that is not where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// It was taken down: nothing of it is there.
    TakenDown {
        /// The number of the takedown.
        by: u64,
    },
    /// It stands elsewhere, with the others of its group.
    Moved(Elsewhere),
}

/// Where a group of records stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The WARC file, without its directory.
    pub filename: String,
    /// Where the group begins in it.
    pub offset: u64,
    /// Bytes of the group.
    pub length: u64,
}

const TAKEN_DOWN_BY: &str = "takenDownBy";
const MOVED_TO: &str = "movedTo";
/// Header and trailer of a gzip member.
const MEMBER_BYTES: u64 = HEADER.len() as u64 + 8;
/// What stands before the bytes of a stored block.
const BLOCK_HEADER_BYTES: u64 = 5;
const END: &[u8] = b"\r\n\r\n";
/// What fills a void.
static ZEROS: [u8; BUFFER_BYTES] = [0; BUFFER_BYTES];
/// `sha1:` and base32.
const DIGEST_BYTES: usize = 37;
/// Digits of the longest length.
const DIGITS: u64 = 20;

/// Writes a record of exactly `length` bytes, as one gzip member of stored blocks, so that nothing behind it moves: the fields that say
/// what became of the one before, and zeros. Fails with [`io::ErrorKind::InvalidInput`] where that is too short for it; no record
/// of the crawler's is.
pub fn write_void(mut out: impl Write, void: &Void, length: u64) -> io::Result<()> {
    let too_short = || io::Error::new(io::ErrorKind::InvalidInput, "too short for what is to stand there");
    let packed = length.checked_sub(MEMBER_BYTES).ok_or_else(too_short)?;
    let blocks = packed.div_ceil(STORED_BLOCK_BYTES as u64 + BLOCK_HEADER_BYTES);
    let plain = packed.checked_sub(blocks * BLOCK_HEADER_BYTES).ok_or_else(too_short)?;
    let text = void.text(plain).ok_or_else(too_short)?;
    let zeros = plain - (text.len() + END.len()) as u64;
    let mut content = text.chain(io::repeat(0).take(zeros)).chain(END);
    out.write_all(&HEADER)?;
    let crc = write_stored(&mut out, &mut content, plain, blocks)?;
    out.write_all(&crc.to_le_bytes())?;
    out.write_all(&(plain as u32).to_le_bytes())
}

/// Exactly so many stored blocks, the last of which may be empty; gives the checksum of what is in them.
fn write_stored(out: &mut impl Write, content: &mut impl Read, plain: u64, blocks: u64) -> io::Result<u32> {
    let mut crc = crc32fast::Hasher::new();
    let mut buffer = vec![0; STORED_BLOCK_BYTES];
    let mut left = plain;
    for block in 1..=blocks {
        let part = &mut buffer[..left.min(STORED_BLOCK_BYTES as u64) as usize];
        content.read_exact(part)?;
        crc.update(part);
        left -= part.len() as u64;
        let length = part.len() as u16;
        out.write_all(&[u8::from(block == blocks)])?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(&(!length).to_le_bytes())?;
        out.write_all(part)?;
    }
    Ok(crc.finalize())
}

impl Void {
    /// Header and fields of a record that takes `plain` bytes with the zeros behind them and its end.
    fn text(&self, plain: u64) -> Option<Vec<u8>> {
        let fields = self.removal.fields();
        let least = self.header(&"-".repeat(DIGEST_BYTES), "").len() as u64 + END.len() as u64;
        let most = plain.checked_sub(least)?;
        // The length is written in as many digits as it has, so it may not come out even by a byte: then it is written with a blank.
        let fits = |written: &String| least + written.len() as u64 + length_of(written) == plain;
        let candidates = (most.saturating_sub(DIGITS + 1)..most).rev();
        let written = candidates.flat_map(|length| [format!("{length}"), format!(" {length}")]).find(fits)?;
        let zeros = length_of(&written).checked_sub(fields.len() as u64)?;
        let mut digest = Sha1Stream::default();
        digest.update(&fields);
        for _ in 0..zeros / BUFFER_BYTES as u64 {
            digest.update(&ZEROS);
        }
        digest.update(&ZEROS[..(zeros % BUFFER_BYTES as u64) as usize]);
        let header = self.header(&digest.finish().to_string(), &written);
        Some([header.into_bytes(), fields].concat())
    }

    fn header(&self, digest: &str, length: &str) -> String {
        format!(
            "WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <{}>\r\nWARC-Date: {}\r\nWARC-Block-Digest: {digest}\r\n\
             Content-Type: application/warc-fields\r\nContent-Length: {length}\r\n\r\n",
            self.id,
            self.date.iso_seconds()
        )
    }
}

fn length_of(written: &str) -> u64 {
    written.trim_start().parse().expect("it was written here")
}

impl Removal {
    /// What a record says became of another, if it stands for one.
    pub fn of(record: &Record) -> Option<Self> {
        if record.record_type() != RecordType::Metadata || record.target_uri().is_some() {
            return None;
        }
        let fields = Fields::parse(&record.block).fields;
        if let Some(by) = fields.get(TAKEN_DOWN_BY) {
            return Some(Self::TakenDown { by: by.parse().ok()? });
        }
        Elsewhere::parse(fields.get(MOVED_TO)?).map(Self::Moved)
    }

    /// With the empty line that ends them.
    fn fields(&self) -> Vec<u8> {
        let mut fields = Fields::new();
        match self {
            Self::TakenDown { by } => fields.push(TAKEN_DOWN_BY, by),
            Self::Moved(to) => {
                fields.push(MOVED_TO, format_args!("{} {} {}", to.filename, to.offset, to.length));
            }
        }
        [fields.as_bytes(), b"\r\n"].concat()
    }
}

impl Elsewhere {
    fn parse(text: &str) -> Option<Self> {
        let [filename, offset, length] = text.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let is_name = !filename.contains(['/', '\\']);
        let place = Self {
            filename: filename.to_owned(),
            offset: offset.parse().ok()?,
            length: length.parse().ok()?,
        };
        is_name.then_some(place)
    }
}
