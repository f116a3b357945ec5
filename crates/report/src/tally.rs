use crate::limits::{LISTED, NAMES};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use stdx::{Map, map};

/// How often each of many names was met, in bounded memory. Exact until there are more names than it may hold; from then on the
/// smaller half is forgotten each time, and what a forgotten name may have had is known as a bound, as in the frequent-items
/// algorithm of Misra and Gries (1982): no name that is missing has more than [`Tally::missed`].
#[derive(Debug, Clone)]
pub struct Tally {
    names: Map<String, Count>,
    most: usize,
    total: u64,
    missed: u64,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    count: u64,
    /// It may have been counted so often before it was remembered.
    missed: u64,
}

/// A name and how often it was met.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// At least so often …
    pub count: u64,
    /// … and at most so often.
    pub at_most: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self::with_room(NAMES)
    }
}

impl Tally {
    /// With room for so many names.
    pub(crate) fn with_room(most: usize) -> Self {
        Self { names: map(), most, total: 0, missed: 0 }
    }

    /// Counts a name.
    pub(crate) fn add(&mut self, name: &str) {
        self.total += 1;
        if let Some(known) = self.names.get_mut(name) {
            known.count += 1;
            return;
        }
        if self.names.len() >= self.most {
            self.forget_small();
        }
        self.names.insert(name.to_owned(), Count { count: 1, missed: self.missed });
    }

    /// All that was counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// No name that is not listed was met more often than this; 0 while the counts are exact.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Names that are remembered: all of them while the counts are exact.
    pub fn names(&self) -> usize {
        self.names.len()
    }

    /// The names met most often, at most so many; equal ones in alphabetical order.
    pub fn largest(&self, most: usize) -> Vec<Named> {
        let mut all: Vec<(&String, &Count)> = self.names.iter().collect();
        all.sort_unstable_by(|(a, x), (b, y)| y.count.cmp(&x.count).then_with(|| a.cmp(b)));
        all.truncate(most);
        let named = |(name, Count { count, missed }): (&String, &Count)| Named {
            name: name.clone(),
            count: *count,
            at_most: count + missed,
        };
        all.into_iter().map(named).collect()
    }

    /// How many names were met so often, for each that is remembered.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> {
        self.names.values().map(|known| known.count)
    }

    fn forget_small(&mut self) {
        let mut bounds: Vec<u64> = self.names.values().map(Count::at_most).collect();
        bounds.sort_unstable();
        let median = bounds[bounds.len() / 2];
        self.names.retain(|_, known| known.at_most() > median);
        self.missed = self.missed.max(median);
    }
}

impl Count {
    fn at_most(&self) -> u64 {
        self.count + self.missed
    }
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Tally", 4)?;
        fields.serialize_field("total", &self.total)?;
        fields.serialize_field("names", &self.names())?;
        fields.serialize_field("missed", &self.missed)?;
        fields.serialize_field("largest", &self.largest(LISTED))?;
        fields.end()
    }
}
