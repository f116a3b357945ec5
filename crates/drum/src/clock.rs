/// Keys that share a set: with its hand they fill a cache line.
const WAYS: usize = 7;
/// A way that holds nothing. Key 0 is therefore never remembered, which costs a repeated check and no more.
const EMPTY: u64 = 0;

/// A cache of recent keys under CLOCK replacement (IRLbot §V-B; Corbató 1968), kept in sets of seven so
/// that a look-up touches one cache line. It answers "certainly told before" or nothing, so its owner tells it what was
/// appended since the start, and after a recovery begins with an empty one.
#[derive(Debug, Clone)]
pub struct Clock {
    sets: Vec<Set>,
}

/// Seven keys and where their hand points, on one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Set {
    keys: [u64; WAYS],
    position: u8,
    /// Which of the keys were asked for since the hand last passed.
    referenced: u8,
}

impl Clock {
    /// A cache of at least `keys` keys (a power of two of sets); 0 remembers nothing.
    pub fn new(keys: usize) -> Self {
        let sets = if keys == 0 { 0 } else { keys.div_ceil(WAYS).next_power_of_two() };
        Self { sets: vec![Set::default(); sets] }
    }

    /// Brings what a look-up of `key` reads nearer to the processor; what it returns says nothing. For look-ups that follow one
    /// another: without a branch between them these wait for memory together.
    pub fn warm(&self, key: u64) -> u8 {
        self.sets.get(self.place_of(key)).map_or(0, |set| set.position)
    }

    /// Whether `key` is remembered; if so it is kept a round longer.
    pub fn contains(&mut self, key: u64) -> bool {
        if self.sets.is_empty() || key == EMPTY {
            return false;
        }
        let set = self.set_of(key);
        let found = set.keys.iter().position(|&held| held == key);
        if let Some(way) = found {
            set.referenced |= 1 << way;
        }
        found.is_some()
    }

    /// Remembers a key that is not remembered yet, in the place of one not asked for lately.
    pub fn insert(&mut self, key: u64) {
        if self.sets.is_empty() || key == EMPTY {
            return;
        }
        let set = self.set_of(key);
        let way = set.advance();
        set.keys[way] = key;
    }

    /// Forgets all keys of a set: this one, and those that have its low 32 bits.
    pub fn forget(&mut self, key: u64) {
        if !self.sets.is_empty() {
            *self.set_of(key) = Set::default();
        }
    }

    fn set_of(&mut self, key: u64) -> &mut Set {
        let place = self.place_of(key);
        &mut self.sets[place]
    }

    /// By the low bits, which buckets leave alone.
    fn place_of(&self, key: u64) -> usize {
        key as usize & self.sets.len().wrapping_sub(1)
    }
}

impl Set {
    /// Passes the hand over the referenced ways, taking their mark, and stops behind the first unreferenced one.
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
