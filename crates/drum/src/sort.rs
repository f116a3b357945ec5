/// Bits sorted by one pass: 2,048 counters stay in the first-level cache.
const DIGIT_BITS: u32 = 11;
const DIGIT_VALUES: usize = 1 << DIGIT_BITS;
/// Below this, counting costs more than comparing.
const FEW: usize = 512;
/// Bits sorted beyond log2 of the number of keys: of hashed keys, one pair in 2^8 then still agrees.
const SPARE_BITS: u32 = 8;

/// A request's key and its place in the order of discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) seq: u32,
}

type Counts = [u32; DIGIT_VALUES];

/// Sorts by key, equal keys in the order in which they stand. A least-significant-digit radix sort (Knuth,
/// TAOCP 3, 5.2.5) by as many of the bits below the common prefix as tell hashed keys apart; what they do
/// not tell apart is compared.
pub(crate) fn sort(entries: &mut Vec<Entry>) {
    if entries.len() < FEW {
        entries.sort_by_key(|entry| entry.key);
        return;
    }
    let differing = differing_bits(entries);
    let wanted = (entries.len().ilog2() + SPARE_BITS).next_multiple_of(DIGIT_BITS);
    let lowest = differing.saturating_sub(wanted);
    let mut scratch = vec![Entry::default(); entries.len()];
    for shift in (lowest..differing).step_by(DIGIT_BITS as usize) {
        scatter(entries, &mut scratch, shift);
        std::mem::swap(entries, &mut scratch);
    }
    for alike in entries.chunk_by_mut(|a, b| a.key >> lowest == b.key >> lowest) {
        alike.sort_by_key(|entry| entry.key);
    }
}

/// How many low bits do not all agree.
fn differing_bits(entries: &[Entry]) -> u32 {
    let first = entries[0].key;
    let differences = entries.iter().fold(0, |bits, entry| bits | (entry.key ^ first));
    u64::BITS - differences.leading_zeros()
}

/// One pass: into `to`, by the digit from bit `shift` up.
fn scatter(from: &[Entry], to: &mut [Entry], shift: u32) {
    let digit = |entry: &Entry| (entry.key >> shift) as usize & (DIGIT_VALUES - 1);
    let mut starts: Counts = [0; DIGIT_VALUES];
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

/// Turns how many keys have a digit into where the first of them goes.
fn to_starts(counts: &mut Counts) {
    let mut start = 0;
    for count in counts {
        start += std::mem::replace(count, start);
    }
}
