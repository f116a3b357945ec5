/// Entries of a part, about: with scratch and counters beside it a part stays in the first-level cache.
const PART_ENTRIES: usize = 512;
/// Most bits of a key that choose its part: so many places to write to are near at hand.
const MAX_PART_BITS: u32 = 11;
/// Bits sorted within a part: few of its hashed keys then still agree.
const DIGIT_BITS: u32 = 11;
const DIGIT_VALUES: usize = 1 << DIGIT_BITS;
/// Below this, counting costs more than comparing.
const FEW: usize = 64;

/// A request's key and its place in the order of discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) seq: u32,
}

/// The keys in ascending order, equal ones in the order in which they come. Spread over parts by the highest
/// bits that differ, and each part, within the cache, by the next ones (radix sort, Knuth, TAOCP 3, 5.2.5); what
/// still agrees is compared. Keys that are no hashes are sorted too, by comparing.
pub(crate) fn sort(keys: impl Iterator<Item = u64> + Clone) -> Vec<Entry> {
    let spread = Spread::of(keys.clone());
    let mut places = spread.starts(keys.clone());
    let mut entries = vec![Entry::default(); spread.count];
    let mut seq = 0;
    keys.for_each(|key| {
        let place = &mut places[spread.part(key)];
        entries[*place as usize] = Entry { key, seq };
        *place += 1;
        seq += 1;
    });
    // Each part was filled up to where the next begins.
    let (mut start, mut scratch) = (0, Vec::new());
    for end in places {
        sort_part(&mut entries[start..end as usize], spread.shift, &mut scratch);
        start = end as usize;
    }
    entries
}

/// How keys are spread over parts.
#[derive(Debug, Clone, Copy)]
struct Spread {
    count: usize,
    part_bits: u32,
    /// Where the bits that choose the part begin; those above them are the same in all keys.
    shift: u32,
}

impl Spread {
    fn of(keys: impl Iterator<Item = u64>) -> Self {
        let (mut count, mut ones, mut zeros) = (0, 0, 0);
        keys.for_each(|key| {
            ones |= key;
            zeros |= !key;
            count += 1;
        });
        let differing = u64::BITS - (ones & zeros).leading_zeros();
        let part_bits = (count / PART_ENTRIES).max(2).ilog2().min(MAX_PART_BITS);
        Self { count, part_bits, shift: differing.saturating_sub(part_bits) }
    }

    fn part(self, key: u64) -> usize {
        (key >> self.shift) as usize & ((1 << self.part_bits) - 1)
    }

    fn starts(self, keys: impl Iterator<Item = u64>) -> Vec<u32> {
        let mut counts = vec![0; 1 << self.part_bits];
        keys.for_each(|key| counts[self.part(key)] += 1);
        to_starts(&mut counts);
        counts
    }
}

/// Sorts a part by what lies below `shift`; above it, all agree.
fn sort_part(part: &mut [Entry], shift: u32, scratch: &mut Vec<Entry>) {
    let (few, skewed) = (part.len() < FEW, part.len() > 64 * PART_ENTRIES);
    if few || skewed {
        return sort_by_comparing(part);
    }
    let lowest = shift.saturating_sub(DIGIT_BITS);
    scratch.clear();
    scratch.extend_from_slice(part);
    sort_by_digit(scratch, part, lowest);
    part.chunk_by_mut(|a, b| a.key >> lowest == b.key >> lowest)
        .filter(|alike| alike.len() > 1)
        .for_each(sort_by_comparing);
}

fn sort_by_comparing(entries: &mut [Entry]) {
    entries.sort_unstable_by_key(|entry| (entry.key, entry.seq));
}

/// One pass: into `to`, by the digit from bit `shift` up.
fn sort_by_digit(from: &[Entry], to: &mut [Entry], shift: u32) {
    let digit = |entry: &Entry| (entry.key >> shift) as usize & (DIGIT_VALUES - 1);
    let mut starts = [0; DIGIT_VALUES];
    for entry in from {
        starts[digit(entry)] += 1;
    }
    to_starts(&mut starts);
    for entry in from {
        let next = &mut starts[digit(entry)];
        to[*next as usize] = *entry;
        *next += 1;
    }
}

/// Turns how many there are of each into where the first of them goes.
fn to_starts(counts: &mut [u32]) {
    let mut start = 0;
    for count in counts {
        start += std::mem::replace(count, start);
    }
}
