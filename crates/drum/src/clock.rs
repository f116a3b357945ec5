/// Keys that share a set, one cache line of them.
const WAYS: usize = 8;
/// A way that holds nothing. Key 0 is therefore never remembered, which costs a repeated check and no more.
const EMPTY: u64 = 0;

/// A cache of recent keys under CLOCK replacement (IRLbot §V-B; Corbató 1968), kept in sets of eight so that
/// a look-up touches one cache line. It answers "certainly told before" or nothing, so its owner tells it what was
/// appended since the start, and after a recovery begins with an empty one.
#[derive(Debug, Clone)]
pub struct Clock {
    sets: Vec<Set>,
    hands: Vec<Hand>,
}

/// Eight keys on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Set([u64; WAYS]);

/// Where the hand of a set points, and which of its keys were asked for since it last passed.
#[derive(Debug, Clone, Copy, Default)]
struct Hand {
    position: u8,
    referenced: u8,
}

impl Clock {
    /// A cache of at least `keys` keys (a power of two of sets); 0 remembers nothing.
    pub fn new(keys: usize) -> Self {
        let sets = if keys == 0 { 0 } else { keys.div_ceil(WAYS).next_power_of_two() };
        Self { sets: vec![Set([EMPTY; WAYS]); sets], hands: vec![Hand::default(); sets] }
    }

    /// Whether `key` is remembered; if so it is kept a round longer.
    pub fn contains(&mut self, key: u64) -> bool {
        if self.sets.is_empty() || key == EMPTY {
            return false;
        }
        let set = self.set_of(key);
        let found = self.sets[set].0.iter().position(|&held| held == key);
        if let Some(way) = found {
            self.hands[set].referenced |= 1 << way;
        }
        found.is_some()
    }

    /// Remembers a key that is not remembered yet, in the place of one not asked for lately.
    pub fn insert(&mut self, key: u64) {
        if self.sets.is_empty() || key == EMPTY {
            return;
        }
        let set = self.set_of(key);
        let way = self.hands[set].advance();
        self.sets[set].0[way] = key;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.sets.fill(Set([EMPTY; WAYS]));
        self.hands.fill(Hand::default());
    }

    /// By the low bits, which buckets leave alone.
    fn set_of(&self, key: u64) -> usize {
        key as usize & (self.sets.len() - 1)
    }
}

impl Hand {
    /// Passes over the referenced ways, taking their mark, and stops behind the first unreferenced one.
    fn advance(&mut self) -> usize {
        loop {
            let way = self.position;
            self.position = (way + 1) % WAYS as u8;
            let mark = 1 << way;
            if self.referenced & mark == 0 {
                return usize::from(way);
            }
            self.referenced &= !mark;
        }
    }
}
