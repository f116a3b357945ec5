/// Bits sorted by one pass: 2,048 counters stay in the first-level cache.
const DIGIT_BITS: u32 = 11;
const DIGIT_VALUES: usize = 1 << DIGIT_BITS;
const DIGITS: usize = u64::BITS.div_ceil(DIGIT_BITS) as usize;
/// Below this, counting costs more than comparing.
const FEW: usize = 512;

/// A request's key and its place in the order of discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) seq: u32,
}

type Counts = [u32; DIGIT_VALUES];

/// Sorts by key, equal keys in the order in which they stand (least-significant-digit radix sort; Knuth,
/// TAOCP 3, 5.2.5). Digits in which all keys agree, such as the bucket's prefix, cost nothing.
pub(crate) fn sort(entries: &mut Vec<Entry>) {
    if entries.len() < FEW {
        entries.sort_by_key(|entry| entry.key);
        return;
    }
    let mut scratch = vec![Entry::default(); entries.len()];
    let mut counts = count_digits(entries);
    for (place, counts) in counts.iter_mut().enumerate() {
        if counts.contains(&(entries.len() as u32)) {
            continue;
        }
        to_starts(counts);
        scatter(entries, &mut scratch, counts, place);
        std::mem::swap(entries, &mut scratch);
    }
}

fn digit(key: u64, place: usize) -> usize {
    (key >> (place as u32 * DIGIT_BITS)) as usize & (DIGIT_VALUES - 1)
}

fn count_digits(entries: &[Entry]) -> Vec<Counts> {
    let mut counts = vec![[0; DIGIT_VALUES]; DIGITS];
    for entry in entries {
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[digit(entry.key, place)] += 1;
        }
    }
    counts
}

/// Turns how many keys have a digit into where the first of them goes.
fn to_starts(counts: &mut Counts) {
    let mut start = 0;
    for count in counts {
        start += std::mem::replace(count, start);
    }
}

fn scatter(from: &[Entry], to: &mut [Entry], starts: &mut Counts, place: usize) {
    for entry in from {
        let next = &mut starts[digit(entry.key, place)];
        to[*next as usize] = *entry;
        *next += 1;
    }
}
