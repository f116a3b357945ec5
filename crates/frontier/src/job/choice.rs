//! Which hosts leave memory, and which parts of hosts: pure, over numbers.

use crate::host::HostId;
use stdx::Timestamp;

/// A host that may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) host: HostId,
    /// When it has something to do; `NEVER` for nothing.
    pub(crate) due: Timestamp,
    pub(crate) bytes: u64,
}

/// How much is to be made free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wanted {
    /// Because memory runs short: whoever it is.
    pub(crate) pressure_bytes: u64,
    /// For hosts that wait on disk: from those that have nothing to do, or nothing before `exchange_from`.
    pub(crate) exchange_bytes: u64,
    pub(crate) exchange_from: Timestamp,
}

/// Who leaves: whoever is due last, until there is as much as is wanted. Ties go by number, so that it is the same each
/// time.
pub(crate) fn choose(mut candidates: Vec<Candidate>, wanted: Wanted) -> Vec<HostId> {
    if wanted.pressure_bytes == 0 && wanted.exchange_bytes == 0 {
        return Vec::new();
    }
    candidates.sort_unstable_by_key(|candidate| (std::cmp::Reverse(candidate.due), candidate.host));
    let mut freed = 0;
    let leaves = |candidate: &&Candidate| {
        let exchanged = freed < wanted.exchange_bytes && candidate.due >= wanted.exchange_from;
        let leaves = freed < wanted.pressure_bytes || exchanged;
        freed += candidate.bytes;
        leaves
    };
    candidates.iter().take_while(leaves).map(|candidate| candidate.host).collect()
}

/// From which of a lane's sections on they are made one with a new one of `new` entries: so that each is larger than all
/// behind it, and a host has few however many URLs wait. Each URL is copied a logarithmic number of times.
pub(crate) fn joined_from(
    counts: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator,
    new: u64,
) -> usize {
    let mut from = counts.len();
    let mut behind = new;
    for count in counts.rev() {
        if count > behind {
            break;
        }
        behind += count;
        from -= 1;
    }
    from
}
