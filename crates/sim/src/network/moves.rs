use crate::START;
use std::net::Ipv4Addr;
use stdx::Timestamp;
use xxhash_rust::xxh3::xxh3_64;

/// Hosts that move from server to server, until everything heals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moves {
    pub(super) until: Timestamp,
}

/// How long a host stays where it is, and the servers among which it moves, a power of two: many a host comes to where others are.
const STAY_MS: u64 = 150_000;
const NEIGHBOURS: u32 = 4;

impl Moves {
    /// Where a host is at `now` that was at `first`.
    pub(super) fn address_of(self, host: &str, first: Ipv4Addr, now: Timestamp) -> Ipv4Addr {
        let into = xxh3_64(host.as_bytes()) % STAY_MS;
        let moves = (now.min(self.until).since_ms(START) + into) / STAY_MS;
        Ipv4Addr::from_bits(first.to_bits() ^ (moves as u32 % NEIGHBOURS))
    }
}
