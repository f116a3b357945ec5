//! Which entries of a table are near those of a batch: both in the order of the table, side by side.

use crate::limits::{DISTANCE, FEW};
use crate::tables::{Entry, TABLES};

/// Bits of a fingerprint that a table is grouped by. With four such blocks and three bits to differ in, one block at least is
/// the same in both (Manku et al., §3.1).
pub(crate) const BLOCK_BITS: u32 = u64::BITS / TABLES as u32;
/// Bits of each quarter of the rest: of two fingerprints of a group one quarter is the same, too.
const QUARTER_BITS: u32 = (u64::BITS - BLOCK_BITS) / QUARTERS as u32;
const QUARTERS: usize = 4;
const QUARTER_VALUES: usize = 1 << QUARTER_BITS;

const _: () = assert!(TABLES > DISTANCE as usize, "one block always agrees");
const _: () = assert!(QUARTERS > DISTANCE as usize, "one quarter always agrees");

/// Two entries that are near: which of the batch, and in how many bits they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) place: usize,
    pub(crate) distance: u32,
}

/// A batch, sorted as the table is, and the part of it that has the bits of the entry looked at.
pub(crate) struct Join<'a> {
    table: usize,
    batch: &'a [Entry],
    group: std::ops::Range<usize>,
    index: Index,
}

/// What a table is sorted by: its block of the fingerprint first.
pub(crate) fn key(fingerprint: u64, table: usize) -> u64 {
    fingerprint.rotate_left(table as u32 * BLOCK_BITS)
}

fn block(key: u64) -> u64 {
    key >> (u64::BITS - BLOCK_BITS)
}

impl<'a> Join<'a> {
    /// The fingerprints of `batch` are keys of `table`, ascending.
    pub(crate) fn new(table: usize, batch: &'a [Entry]) -> Self {
        Self { table, batch, group: 0..0, index: Index::default() }
    }

    /// Shows `see` every entry of the batch near `key`, once in all tables. Keys must not descend.
    pub(crate) fn probe(&mut self, key: u64, mut see: impl FnMut(Hit)) {
        self.enter(key);
        self.near(key, 0, &mut see);
    }

    /// Shows `see` each two entries of the batch that are near each other: the place of one, and the hit.
    pub(crate) fn within(&mut self, mut see: impl FnMut(usize, Hit)) {
        for place in 0..self.batch.len() {
            let key = self.batch[place].fingerprint;
            self.enter(key);
            self.near(key, place + 1, &mut |hit| see(place, hit));
        }
    }

    fn enter(&mut self, key: u64) {
        let (batch, wanted) = (self.batch, block(key));
        let is_current = batch.get(self.group.start).is_some_and(|entry| block(entry.fingerprint) == wanted);
        if is_current && !self.group.is_empty() {
            return;
        }
        let mut start = self.group.end;
        while batch.get(start).is_some_and(|entry| block(entry.fingerprint) < wanted) {
            start += 1;
        }
        let members = batch[start..].iter().take_while(|entry| block(entry.fingerprint) == wanted).count();
        // An empty group ends where the next one may start.
        self.group = start..start + members;
        if members > FEW {
            self.index.build(&batch[self.group.clone()]);
        }
    }

    fn near(&self, key: u64, from: usize, see: &mut impl FnMut(Hit)) {
        let mut judge = |place: usize| {
            let differing = key ^ self.batch[place].fingerprint;
            if is_near(differing) && self.is_first(differing) {
                see(Hit { place, distance: differing.count_ones() });
            }
        };
        if self.group.len() > FEW {
            let places = self.index.places(key, &self.batch[self.group.clone()]);
            places.map(|place| self.group.start + place).filter(|place| *place >= from).for_each(judge);
        } else {
            (self.group.start.max(from)..self.group.end).for_each(&mut judge);
        }
    }

    /// Whether no table before this one finds them: a pair is told once.
    fn is_first(&self, differing: u64) -> bool {
        let before = differing.rotate_right(self.table as u32 * BLOCK_BITS);
        (0..self.table).all(|table| block(key(before, table)) != 0)
    }
}

/// At most [`DISTANCE`] bits are set. Processors that count bits are not taken for granted.
fn is_near(differing: u64) -> bool {
    (0..DISTANCE).fold(differing, |rest, _| rest & rest.wrapping_sub(1)) == 0
}

/// The members of a group by each quarter of their other bits (a second level of tables, Manku et al., §3.1.2; made for one
/// group at a time, where it lies in the cache).
#[derive(Default)]
struct Index {
    quarters: [Quarter; QUARTERS],
}

#[derive(Default)]
struct Quarter {
    /// Where the members with a value begin in `places`, for each value, and where the last end.
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Index {
    fn build(&mut self, group: &[Entry]) {
        for (nth, quarter) in self.quarters.iter_mut().enumerate() {
            quarter.build(group.iter().map(|entry| value(entry.fingerprint, nth)));
        }
    }

    /// Members that have a quarter in common with `key`, each once.
    fn places(&self, key: u64, group: &[Entry]) -> impl Iterator<Item = usize> {
        let found = self.quarters.iter().enumerate().flat_map(move |(nth, quarter)| {
            quarter.members(value(key, nth)).iter().map(move |place| (nth, *place as usize))
        });
        found
            .filter(move |(nth, place)| {
                (0..*nth).all(|before| value(key ^ group[*place].fingerprint, before) != 0)
            })
            .map(|(_, place)| place)
    }
}

impl Quarter {
    /// Sorts by counting.
    fn build(&mut self, values: impl Iterator<Item = usize> + Clone) {
        self.starts.clear();
        self.starts.resize(QUARTER_VALUES + 1, 0);
        values.clone().for_each(|value| self.starts[value] += 1);
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.places.clear();
        self.places.resize(end as usize, 0);
        // Each start is an end so far, and moves down with every member that is put before it.
        for (place, value) in values.enumerate() {
            self.starts[value] -= 1;
            self.places[self.starts[value] as usize] = place as u32;
        }
    }

    fn members(&self, value: usize) -> &[u32] {
        &self.places[self.starts[value] as usize..self.starts[value + 1] as usize]
    }
}

fn value(key: u64, quarter: usize) -> usize {
    (key >> (quarter as u32 * QUARTER_BITS)) as usize & (QUARTER_VALUES - 1)
}
