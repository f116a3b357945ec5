//! Who reaches a host within so many links: exactly, for some at a time, or by a sketch of all.

use super::gather::State;

/// Bytes of a set: 2,048 hosts exactly, or 256 registers.
pub(super) const SET_BYTES: usize = 256;
/// Hosts that a set can hold exactly.
pub(super) const SET_HOSTS: u64 = 8 * SET_BYTES as u64;

/// The hosts that reach this one, as far as it is known.
#[derive(Clone)]
pub(super) struct Ball {
    pub(super) set: [u8; SET_BYTES],
    /// How many they are.
    pub(super) size: f64,
    /// The sum of the reciprocals of their distances.
    pub(super) harmonic: f64,
}

impl Ball {
    pub(super) const EMPTY: Self = Self { set: [0; SET_BYTES], size: 0.0, harmonic: 0.0 };
}

impl State for Ball {
    const BYTES: usize = SET_BYTES + 16;

    fn read(bytes: &[u8]) -> Self {
        let number = |at: usize| f64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        Self {
            set: std::array::from_fn(|at| bytes[at]),
            size: number(SET_BYTES),
            harmonic: number(SET_BYTES + 8),
        }
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.set);
        out.extend_from_slice(&self.size.to_le_bytes());
        out.extend_from_slice(&self.harmonic.to_le_bytes());
    }
}

/// How a set of hosts is kept.
#[derive(Clone, Copy)]
pub(super) enum Sets {
    /// A bit for each of [`SET_HOSTS`] hosts, from this one on.
    Bits(u64),
    /// `HyperLogLog` (Flajolet, Fusy, Gandouet, Meunier 2007), whose relative standard error is 1.04/√256, 6.5 %.
    Registers,
}

impl Sets {
    /// The set of one host.
    pub(super) fn singleton(self, host: u64) -> [u8; SET_BYTES] {
        let mut set = [0; SET_BYTES];
        match self {
            Self::Bits(from) if (from..from + SET_HOSTS).contains(&host) => {
                let bit = host - from;
                set[(bit / 8) as usize] = 1 << (bit % 8);
            }
            Self::Bits(_) => {}
            Self::Registers => {
                let hash = xxhash_rust::xxh3::xxh3_64(&host.to_le_bytes());
                set[(hash % SET_BYTES as u64) as usize] = (hash >> 8).trailing_zeros().min(55) as u8 + 1;
            }
        }
        set
    }

    /// Adds the hosts of `other`.
    pub(super) fn unite(self, set: &mut [u8; SET_BYTES], other: &[u8; SET_BYTES]) {
        let pairs = set.iter_mut().zip(other);
        match self {
            Self::Bits(_) => pairs.for_each(|(mine, theirs)| *mine |= theirs),
            Self::Registers => pairs.for_each(|(mine, theirs)| *mine = (*mine).max(*theirs)),
        }
    }

    /// How many hosts there are in a set.
    pub(super) fn size(self, set: &[u8; SET_BYTES]) -> f64 {
        match self {
            Self::Bits(_) => f64::from(set.iter().map(|byte| byte.count_ones()).sum::<u32>()),
            Self::Registers => estimate(set),
        }
    }
}

/// `HyperLogLog`'s estimate, by linear counting while registers are empty and it is small.
fn estimate(registers: &[u8; SET_BYTES]) -> f64 {
    const M: f64 = SET_BYTES as f64;
    const ALPHA: f64 = 0.7213 / (1.0 + 1.079 / M);
    let harmonic: f64 = registers.iter().map(|&register| (-f64::from(register)).exp2()).sum();
    let raw = ALPHA * M * M / harmonic;
    let empty = registers.iter().map(|&register| f64::from(u8::from(register == 0))).sum::<f64>();
    if raw <= 2.5 * M && empty > 0.0 { M * (M / empty).ln() } else { raw }
}
