//! Ids of records: made of where a record stands, so that they need not be kept.

use stdx::WallTime;
use warc::RecordId;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Which record of a group; its id is made of its place and its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Warcinfo,
    Request,
    Response,
    Metadata,
}

/// What tells an archive from others of the same seed: the moment it was begun, in ms, and by which process, modulo 2^32. The journal
/// keeps it in the head of each segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Birth(u32);

impl Birth {
    /// Of archives that were begun before there was such a mark.
    const UNKNOWN: u32 = 0;

    /// Numbers of processes follow each other as moments do: hardly two that are spread meet within the second that a file's name tells.
    const SPREAD: u32 = 0x9E37_79B1;

    pub(crate) fn at(now: WallTime, process: u32) -> Self {
        let mark = (now.unix_ms() as u32).wrapping_add(process.wrapping_mul(Self::SPREAD));
        Self(mark.max(Self::UNKNOWN + 1))
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }
}

/// Gives the records of one archive their ids.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordIds {
    pub(crate) seed: u64,
    pub(crate) birth: Birth,
}

/// Where a group begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupPlace<'a> {
    pub(crate) serial: u32,
    pub(crate) offset: u64,
    pub(crate) filename: &'a str,
}

/// Of serial, offset, role and birth.
const PLACE_BYTES: usize = 4 + 8 + 1 + 4;

impl RecordIds {
    /// A group that is cut off and written again in its file gets the same ids; no two groups share one, be they of one archive or of
    /// two. The file's name has the second and the machine, the birth the rest.
    pub(crate) fn id(self, group: GroupPlace<'_>, role: Role) -> RecordId {
        let mut place = Vec::with_capacity(PLACE_BYTES + group.filename.len());
        place.extend_from_slice(&group.serial.to_le_bytes());
        place.extend_from_slice(&group.offset.to_le_bytes());
        place.push(role as u8);
        // An archive of before goes on as it began: what it has not parsed yet is asked for by these ids.
        if self.birth.0 != Birth::UNKNOWN {
            place.extend_from_slice(&self.birth.0.to_le_bytes());
            place.extend_from_slice(group.filename.as_bytes());
        }
        RecordId::from_value(xxh3_128_with_seed(&place, self.seed))
    }

    /// Of the first record of the file that a group stands in.
    pub(crate) fn of_file(self, group: GroupPlace<'_>) -> RecordId {
        self.id(GroupPlace { offset: 0, ..group }, Role::Warcinfo)
    }
}
