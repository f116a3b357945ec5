//! The bytes of `state/payloads`, drawn in `docs/formats/payloads.md`.

use super::Place;
use crate::frame::{u32_at, u64_at};
use warc::Sha1Digest;

pub(super) const VERSION: u32 = 1;
pub(super) const HEADER_BYTES: usize = 32;
pub(super) const ENTRY_BYTES: usize = 32;
const MAGIC: [u8; 8] = *b"DRUMPAYL";
/// Header and entry end with their checksum.
const CRC_AT: usize = 28;
/// Of a digest's twenty bytes: what is found is compared byte for byte with what it is to stand for.
const DIGEST_BYTES: usize = 16;

/// What the first bytes of the file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    Sound,
    /// Of another version.
    Version(u32),
    /// Never finished, or damaged.
    Broken,
}

impl Header {
    pub(super) fn encode() -> [u8; HEADER_BYTES] {
        let mut out = [0; HEADER_BYTES];
        out[..8].copy_from_slice(&MAGIC);
        out[8..12].copy_from_slice(&VERSION.to_le_bytes());
        sealed(out)
    }

    pub(super) fn decode(bytes: &[u8]) -> Self {
        if bytes.len() < HEADER_BYTES || bytes[..8] != MAGIC || !is_sealed(bytes) {
            return Self::Broken;
        }
        match u32_at(bytes, 8) {
            VERSION => Self::Sound,
            other => Self::Version(other),
        }
    }
}

/// A payload, and the response record that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    digest: [u8; DIGEST_BYTES],
    pub(super) place: Place,
}

impl Entry {
    pub(super) fn new(digest: Sha1Digest, place: Place) -> Self {
        let bytes = digest.bytes();
        Self { digest: *bytes.first_chunk().expect("a digest is longer"), place }
    }

    pub(super) fn is_of(&self, digest: Sha1Digest) -> bool {
        digest.bytes().starts_with(&self.digest)
    }

    pub(super) fn digest_start(&self) -> &[u8; DIGEST_BYTES] {
        &self.digest
    }

    pub(super) fn encode(&self) -> [u8; ENTRY_BYTES] {
        let mut out = [0; ENTRY_BYTES];
        out[..DIGEST_BYTES].copy_from_slice(&self.digest);
        out[16..20].copy_from_slice(&self.place.serial.to_le_bytes());
        out[20..CRC_AT].copy_from_slice(&self.place.offset.to_le_bytes());
        sealed(out)
    }

    /// `None` where the bytes are not those of an entry.
    pub(super) fn decode(bytes: &[u8; ENTRY_BYTES]) -> Option<Self> {
        let digest = *bytes.first_chunk().expect("an entry is longer");
        let place = Place { serial: u32_at(bytes, 16), offset: u64_at(bytes, 20) };
        is_sealed(bytes).then_some(Self { digest, place })
    }
}

fn sealed(mut bytes: [u8; ENTRY_BYTES]) -> [u8; ENTRY_BYTES] {
    let crc = crc32fast::hash(&bytes[..CRC_AT]);
    bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
    bytes
}

fn is_sealed(bytes: &[u8]) -> bool {
    crc32fast::hash(&bytes[..CRC_AT]) == u32_at(bytes, CRC_AT)
}
