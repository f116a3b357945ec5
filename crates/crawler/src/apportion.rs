use crate::limits::SHARDS_TO_COME;

/// Bytes for each of those who now hold so many, of `all` bytes: one half evenly, so that each can begin and those that are
/// yet to come find room, the other in proportion to what each holds. Where all are full that comes to equal parts; what
/// some have no use for goes to the others.
pub(crate) fn apportion(all: u64, held: &[u64]) -> Vec<u64> {
    let half = all / 2;
    let even = half / (held.len() as u64 + SHARDS_TO_COME);
    let total = held.iter().sum::<u64>().max(1);
    let part = |bytes: u64| (u128::from(half) * u128::from(bytes) / u128::from(total)) as u64;
    held.iter().map(|bytes| even + part(*bytes)).collect()
}
