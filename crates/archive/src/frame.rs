//! The bytes of the journal: segment headers, frames, entries. Drawn in `docs/formats/journal.md`.

use crate::ids::Birth;
use crate::limits::FRAME_BYTES;
use crate::location::{Location, WarcPosition};
use stdx::WallTime;
use zstd::bulk::{Compressor, Decompressor};

pub(crate) const VERSION: u32 = 1;
pub(crate) const SEGMENT_HEADER_BYTES: usize = 32;
pub(crate) const FRAME_HEADER_BYTES: usize = 48;
pub(crate) const FRAME_MAGIC: [u8; 4] = *b"DFRM";
const SEGMENT_MAGIC: [u8; 8] = *b"DRUMJRNL";
const CRC_AT: usize = FRAME_HEADER_BYTES - 4;
const NO_WARC: u32 = u32::MAX;
/// zstd never makes much more of its input than it was.
const PAYLOAD_BYTES: usize = FRAME_BYTES + FRAME_BYTES / 128 + 1024;
/// A fast level: entries are small and alike, even this takes most of them away.
const ZSTD_LEVEL: i32 = -1;

/// What stands at the head of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) number: u32,
    /// The sequence number its first entry will have.
    pub(crate) first_seq: u64,
    /// Of the archive: the same in all its segments.
    pub(crate) birth: Birth,
}

/// What a segment's first bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SegmentStart {
    Sound(SegmentHeader),
    /// Of another version.
    Version(u32),
    /// Too short, or its checksum is wrong.
    Broken,
}

impl SegmentHeader {
    pub(crate) fn encode(self) -> Vec<u8> {
        let mut out = SEGMENT_MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&self.number.to_le_bytes());
        out.extend_from_slice(&self.first_seq.to_le_bytes());
        out.extend_from_slice(&self.birth.bits().to_le_bytes());
        let crc = crc32fast::hash(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> SegmentStart {
        if bytes.len() < SEGMENT_HEADER_BYTES || bytes[..8] != SEGMENT_MAGIC {
            return SegmentStart::Broken;
        }
        let version = u32_at(bytes, 8);
        if version > VERSION {
            return SegmentStart::Version(version);
        }
        if version != VERSION || crc32fast::hash(&bytes[..28]) != u32_at(bytes, 28) {
            return SegmentStart::Broken;
        }
        let birth = Birth::from_bits(u32_at(bytes, 24));
        SegmentStart::Sound(Self { number: u32_at(bytes, 12), first_seq: u64_at(bytes, 16), birth })
    }
}

/// What stands before a frame's payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    pub(crate) payload_bytes: u32,
    pub(crate) plain_bytes: u32,
    pub(crate) entries: u32,
    pub(crate) first_seq: u64,
    pub(crate) committed: WallTime,
    /// How far the WARC files reach with this commit.
    pub(crate) warc: Option<WarcPosition>,
    crc: u32,
}

impl FrameHeader {
    /// Reads a header; `None` when it is none or names impossible lengths. The checksum is not yet looked at.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        if bytes.len() < FRAME_HEADER_BYTES || bytes[..4] != FRAME_MAGIC {
            return None;
        }
        let serial = u32_at(bytes, 32);
        let header = Self {
            payload_bytes: u32_at(bytes, 4),
            plain_bytes: u32_at(bytes, 8),
            entries: u32_at(bytes, 12),
            first_seq: u64_at(bytes, 16),
            committed: WallTime::from_unix_ms(u64_at(bytes, 24)),
            warc: (serial != NO_WARC).then(|| WarcPosition { serial, length: u64_at(bytes, 36) }),
            crc: u32_at(bytes, CRC_AT),
        };
        let possible =
            header.payload_bytes as usize <= PAYLOAD_BYTES && header.plain_bytes as usize <= FRAME_BYTES;
        possible.then_some(header)
    }

    /// Whether header and payload are the ones that were written.
    pub(crate) fn is_sound(&self, header: &[u8], payload: &[u8]) -> bool {
        checksum(&header[..CRC_AT], payload) == self.crc
    }

    pub(crate) fn next_seq(&self) -> u64 {
        self.first_seq + u64::from(self.entries)
    }

    pub(crate) fn frame_bytes(&self) -> u64 {
        FRAME_HEADER_BYTES as u64 + u64::from(self.payload_bytes)
    }
}

/// One entry on its way into a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryRef<'a> {
    pub(crate) record: &'a [u8],
    pub(crate) location: Option<Location>,
}

/// One entry out of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrameEntry {
    pub(crate) record: Vec<u8>,
    pub(crate) location: Option<Location>,
}

/// What one commit writes.
#[derive(Debug)]
pub(crate) struct NewFrame<'a> {
    pub(crate) first_seq: u64,
    pub(crate) committed: WallTime,
    pub(crate) warc: Option<WarcPosition>,
    pub(crate) entries: &'a [EntryRef<'a>],
}

const LOCATION_BYTES: usize = 36;

/// Bytes that an entry with a record of `record_bytes` takes uncompressed, at most.
pub(crate) fn entry_bytes(record_bytes: usize) -> usize {
    5 + LOCATION_BYTES + record_bytes
}

impl NewFrame<'_> {
    /// Header and payload. The caller has kept the entries under [`FRAME_BYTES`], and keeps `packer` for the next frame:
    /// its tables are not made anew.
    pub(crate) fn encode(&self, packer: &mut Compressor<'_>) -> std::io::Result<Vec<u8>> {
        let mut plain =
            Vec::with_capacity(self.entries.iter().map(|entry| entry_bytes(entry.record.len())).sum());
        for entry in self.entries {
            encode_entry(&mut plain, *entry);
        }
        assert!(plain.len() <= FRAME_BYTES, "the batch was measured before");
        packer.set_compression_level(ZSTD_LEVEL)?;
        let payload = if plain.is_empty() { Vec::new() } else { packer.compress(&plain)? };
        let mut out = self.header(payload.len(), plain.len());
        let crc = checksum(&out, &payload);
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(&payload);
        Ok(out)
    }

    fn header(&self, payload_bytes: usize, plain_bytes: usize) -> Vec<u8> {
        let warc = self.warc.unwrap_or(WarcPosition { serial: NO_WARC, length: 0 });
        let mut out = FRAME_MAGIC.to_vec();
        out.extend_from_slice(&(payload_bytes as u32).to_le_bytes());
        out.extend_from_slice(&(plain_bytes as u32).to_le_bytes());
        out.extend_from_slice(&(self.entries.len() as u32).to_le_bytes());
        out.extend_from_slice(&self.first_seq.to_le_bytes());
        out.extend_from_slice(&self.committed.unix_ms().to_le_bytes());
        out.extend_from_slice(&warc.serial.to_le_bytes());
        out.extend_from_slice(&warc.length.to_le_bytes());
        out
    }
}

/// The entries of a sound frame; `None` if its payload is not what the header says. The caller keeps `unpacker` for the
/// next frame: to make one takes longer than most frames.
pub(crate) fn decode_entries(
    header: &FrameHeader,
    payload: &[u8],
    unpacker: &mut Decompressor<'_>,
) -> Option<Vec<FrameEntry>> {
    let plain = match header.plain_bytes as usize {
        0 => Vec::new(),
        bytes => unpacker.decompress(payload, bytes).ok().filter(|plain| plain.len() == bytes)?,
    };
    let mut rest = plain.as_slice();
    let mut entries = Vec::new();
    for _ in 0..header.entries {
        entries.push(decode_entry(&mut rest)?);
    }
    rest.is_empty().then_some(entries)
}

fn encode_entry(out: &mut Vec<u8>, entry: EntryRef<'_>) {
    out.extend_from_slice(&(entry.record.len() as u32).to_le_bytes());
    out.push(u8::from(entry.location.is_some()));
    if let Some(location) = entry.location {
        out.extend_from_slice(&location.serial.to_le_bytes());
        for number in [location.offset, location.length, location.response_offset, location.response_length] {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
    out.extend_from_slice(entry.record);
}

fn decode_entry(rest: &mut &[u8]) -> Option<FrameEntry> {
    let record_bytes = u32_at(rest.split_off(..4)?, 0) as usize;
    let location = match rest.split_off(..1)? {
        [0] => None,
        [1] => Some(decode_location(rest.split_off(..LOCATION_BYTES)?)),
        _ => return None,
    };
    Some(FrameEntry { record: rest.split_off(..record_bytes)?.to_vec(), location })
}

fn decode_location(bytes: &[u8]) -> Location {
    Location {
        serial: u32_at(bytes, 0),
        offset: u64_at(bytes, 4),
        length: u64_at(bytes, 12),
        response_offset: u64_at(bytes, 20),
        response_length: u64_at(bytes, 28),
    }
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
