//! Which addresses are on the public internet? A pure reading of the IANA special-purpose registries
//! (RFC 6890; iana-ipv4-special-registry and iana-ipv6-special-registry, state of 2025-10).

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[cfg(test)]
mod tests;

/// Whether a packet to `address` leaves for the public internet: a unicast address that the registries
/// call globally reachable. Addresses that carry an IPv4 address (mapped, NAT64, 6to4, Teredo) are
/// judged by what they carry, since that is where the packet ends.
pub fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_global_v4(v4),
        IpAddr::V6(v6) => match Embedded::of(v6) {
            Some(embedded) => embedded.is_global(),
            None => is_global_v6(v6),
        },
    }
}

/// Whether no address of `range` is global. Exact, except that Teredo ranges count as global whole.
pub fn is_wholly_private(range: IpNet) -> bool {
    match range {
        IpNet::V4(v4) => is_covered(v4, &PRIVATE_V4, &PUBLIC_WITHIN_V4),
        IpNet::V6(v6) => match embedded_range(v6) {
            Some(v4) => is_covered(v4, &PRIVATE_V4, &PUBLIC_WITHIN_V4),
            None => is_covered(v6, &PRIVATE_V6, &PUBLIC_WITHIN_V6),
        },
    }
}

/// Blocks that are not globally reachable, and multicast.
const PRIVATE_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 0, 8),       // this network, RFC 791
    v4(10, 0, 0, 0, 8),      // private use, RFC 1918
    v4(100, 64, 0, 0, 10),   // shared address space (CGNAT), RFC 6598
    v4(127, 0, 0, 0, 8),     // loopback, RFC 1122
    v4(169, 254, 0, 0, 16),  // link local, cloud metadata, RFC 3927
    v4(172, 16, 0, 0, 12),   // private use, RFC 1918
    v4(192, 0, 0, 0, 24),    // IETF protocol assignments, RFC 6890
    v4(192, 0, 2, 0, 24),    // documentation, RFC 5737
    v4(192, 88, 99, 0, 24),  // 6to4 relay anycast, withdrawn by RFC 7526
    v4(192, 168, 0, 0, 16),  // private use, RFC 1918
    v4(198, 18, 0, 0, 15),   // benchmarking, RFC 2544
    v4(198, 51, 100, 0, 24), // documentation, RFC 5737
    v4(203, 0, 113, 0, 24),  // documentation, RFC 5737
    v4(224, 0, 0, 0, 4),     // multicast, RFC 5771
    v4(240, 0, 0, 0, 4),     // reserved and limited broadcast, RFC 1112, RFC 8190
];

/// What the registry calls globally reachable inside those.
const PUBLIC_WITHIN_V4: [Ipv4Net; 2] = [
    v4(192, 0, 0, 9, 32),  // port control protocol anycast, RFC 7723
    v4(192, 0, 0, 10, 32), // TURN anycast, RFC 8155
];

/// Everything outside `2000::/3`, the only block IANA assigns global unicast from, and the blocks inside
/// it that are not globally reachable. Unique-local, link-local, site-local, multicast, loopback,
/// discard-only and `SRv6` SIDs are all outside `2000::/3`.
const PRIVATE_V6: [Ipv6Net; 6] = [
    v6(0, 0, 0, 3),           // ::/3: unspecified, loopback, compatible, discard-only 100::/64 …
    v6(0x4000, 0, 0, 2),      // 4000::/2: unassigned; SRv6 SIDs 5f00::/16, RFC 9602
    v6(0x8000, 0, 0, 1),      // 8000::/1: unassigned; fc00::/7, fe80::/10, fec0::/10, ff00::/8
    v6(0x2001, 0, 0, 23),     // IETF protocol assignments, RFC 2928: benchmarking, old ORCHID …
    v6(0x2001, 0xdb8, 0, 32), // documentation, RFC 3849
    v6(0x3fff, 0, 0, 20),     // documentation, RFC 9637
];

/// What is, or by the IPv4 address it carries may be, globally reachable inside those.
const PUBLIC_WITHIN_V6: [Ipv6Net; 9] = [
    MAPPED,
    NAT64,
    TEREDO,
    Ipv6Net::new_assert(Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 1), 128), // PCP anycast, RFC 7723
    Ipv6Net::new_assert(Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 2), 127), // TURN, DNS-SD SRP anycast
    v6(0x2001, 3, 0, 32),                                                 // AMT, RFC 7450
    v6(0x2001, 4, 0x112, 48),                                             // AS112-v6, RFC 7535
    v6(0x2001, 0x20, 0, 28),                                              // ORCHIDv2, RFC 7343
    v6(0x2001, 0x30, 0, 28),                                              // drone remote ID, RFC 9374
];

const MAPPED: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96);
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 96);
const TEREDO: Ipv6Net = v6(0x2001, 0, 0, 32);
const SIX_TO_FOUR: Ipv6Net = v6(0x2002, 0, 0, 16);

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let within = |blocks: &[Ipv4Net]| blocks.iter().any(|block| block.contains(&address));
    !within(&PRIVATE_V4) || within(&PUBLIC_WITHIN_V4)
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    let within = |blocks: &[Ipv6Net]| blocks.iter().any(|block| block.contains(&address));
    !within(&PRIVATE_V6) || within(&PUBLIC_WITHIN_V6)
}

/// The IPv4 addresses that an IPv6 address carries.
enum Embedded {
    /// RFC 4291 section 2.5.5.2, RFC 6052, RFC 3056: the packet goes to this address.
    Target(Ipv4Addr),
    /// RFC 4380: the packet goes to this server or this client.
    Teredo { server: Ipv4Addr, client: Ipv4Addr },
}

impl Embedded {
    fn of(address: Ipv6Addr) -> Option<Self> {
        let bits = address.to_bits();
        let word = |shift: u32| Ipv4Addr::from_bits((bits >> shift) as u32);
        if MAPPED.contains(&address) || NAT64.contains(&address) {
            Some(Self::Target(word(0)))
        } else if SIX_TO_FOUR.contains(&address) {
            Some(Self::Target(word(80)))
        } else if TEREDO.contains(&address) {
            Some(Self::Teredo { server: word(64), client: Ipv4Addr::from_bits(!(bits as u32)) })
        } else {
            None
        }
    }

    fn is_global(&self) -> bool {
        match *self {
            Self::Target(target) => is_global_v4(target),
            Self::Teredo { server, client } => is_global_v4(server) && is_global_v4(client),
        }
    }
}

/// The IPv4 range that an IPv6 range amounts to, where it lies inside a block of embedded addresses.
fn embedded_range(range: Ipv6Net) -> Option<Ipv4Net> {
    [(MAPPED, 0), (NAT64, 0), (SIX_TO_FOUR, 80)].into_iter().find_map(|(block, shift)| {
        let prefix = range.prefix_len().checked_sub(block.prefix_len())?.min(32);
        let first = Ipv4Addr::from_bits((range.network().to_bits() >> shift) as u32);
        block.contains(&range).then(|| Ipv4Net::new_assert(first, prefix))
    })
}

/// Whether `private` covers `range` and nothing of `public` is in it. Halves the range only while a
/// block is strictly inside it, so at most one path per block is walked.
fn is_covered<N: Range>(range: N, private: &[N], public: &[N]) -> bool {
    if public.iter().any(|block| block.holds(range) || range.holds(*block)) {
        return false;
    }
    if private.iter().any(|block| block.holds(range)) {
        return true;
    }
    let has_inner = private.iter().any(|block| range.holds(*block));
    has_inner && range.halves().into_iter().all(|half| is_covered(half, private, public))
}

trait Range: Copy {
    fn holds(self, other: Self) -> bool;
    fn halves(self) -> Vec<Self>;
}

impl Range for Ipv4Net {
    fn holds(self, other: Self) -> bool {
        self.contains(&other)
    }

    fn halves(self) -> Vec<Self> {
        self.subnets(self.prefix_len() + 1).map(Iterator::collect).unwrap_or_default()
    }
}

impl Range for Ipv6Net {
    fn holds(self, other: Self) -> bool {
        self.contains(&other)
    }

    fn halves(self) -> Vec<Self> {
        self.subnets(self.prefix_len() + 1).map(Iterator::collect).unwrap_or_default()
    }
}
