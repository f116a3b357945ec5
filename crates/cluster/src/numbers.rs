use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A set of numbers that fills up from 0: all below a bound, and a few beyond it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    below: u64,
    beyond: BTreeSet<u64>,
}

impl Numbers {
    /// Whether a number is in it.
    pub fn contains(&self, number: u64) -> bool {
        number < self.below || self.beyond.contains(&number)
    }

    /// Puts a number in; says whether it is new.
    pub fn insert(&mut self, number: u64) -> bool {
        if self.contains(number) {
            return false;
        }
        self.beyond.insert(number);
        while self.beyond.remove(&self.below) {
            self.below += 1;
        }
        true
    }

    /// The least number that is not in it.
    pub fn first_missing(&self) -> u64 {
        self.below
    }

    /// How many are beyond the first that is missing.
    pub fn scattered(&self) -> usize {
        self.beyond.len()
    }
}
