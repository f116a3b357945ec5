use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map with a fixed hasher: the same insertions give the same iteration order in every process.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<FoldHasher>>;
/// The set that goes with [`Map`].
pub type Set<K> = HashSet<K, BuildHasherDefault<FoldHasher>>;

/// An empty [`Map`].
pub fn map<K, V>() -> Map<K, V> {
    Map::default()
}

/// An empty [`Set`].
pub fn set<K>() -> Set<K> {
    Set::default()
}

/// Multiply-and-fold over 64-bit words. Not for hostile keys of unlimited number: identities of URLs
/// are hashed with the crawl's seed before they come here.
#[derive(Default)]
pub struct FoldHasher {
    state: u64,
}

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        fold(self.state ^ MULTIPLIER, 0xD6E8_FEB8_6659_FD93)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.state = fold(self.state ^ word, MULTIPLIER).wrapping_add(word.rotate_left(29));
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}
