use stdx::Rng;

/// What a draw decides. Each purpose is a stream of its own, so that a new one disturbs no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    DomainWord,
    HostCount,
    Server,
    Scheme,
    Robots,
    Closed,
    Mirror,
    Misfortune,
    Name,
    Certificate,
    Calendar,
    Session,
    Maze,
    Language,
    Slug,
    Links,
    Leaf,
    Size,
    Prose,
    Flap,
    Token,
    Storm,
    Stall,
    Giant,
    Elsewhere,
    Validators,
}

/// 64 bits that depend on all four arguments and on nothing else.
pub(crate) fn hash(seed: u64, purpose: Purpose, a: u64, b: u64) -> u64 {
    draw(seed, purpose, a, b).next_u64()
}

/// A generator for one subject and purpose.
pub(crate) fn draw(seed: u64, purpose: Purpose, a: u64, b: u64) -> Rng {
    let mut state = seed ^ (purpose as u64 + 1).wrapping_mul(0xA076_1D64_78BD_642F);
    for word in [a, b] {
        state = Rng::new(state ^ word.wrapping_mul(0xE703_7ED1_A0B4_28DB)).next_u64();
    }
    Rng::new(state)
}

/// True for `share` of a thousand hashes.
pub(crate) fn falls_on(hash: u64, share: u32) -> bool {
    hash % 1000 < u64::from(share)
}
