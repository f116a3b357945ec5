//! What a server's log says about the distances its client kept.

use std::collections::BTreeMap;

/// One request as its server saw it; times in microseconds on the server's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) start_us: u64,
    pub(crate) end_us: u64,
    pub(crate) host: String,
    /// The server's address.
    pub(crate) address: String,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) status: u16,
}

/// Pairs of contacts of one `subject` with less than `delay_ms` between the end of the first and the start of the
/// second, in words.
pub(crate) fn too_close(log: &[Seen], subject: impl Fn(&Seen) -> &str, delay_ms: u64) -> Vec<String> {
    let mut order: Vec<&Seen> = log.iter().collect();
    order.sort_by_key(|seen| seen.start_us);
    let mut last: BTreeMap<&str, &Seen> = BTreeMap::new();
    let mut found = Vec::new();
    for seen in order {
        let before = *last.entry(subject(seen)).or_insert(seen);
        let gap_us = seen.start_us.saturating_sub(before.end_us);
        if before != seen && gap_us < delay_ms * 1000 {
            found.push(format!(
                "{}: {gap_us} µs between {} and {}",
                subject(seen),
                before.target,
                seen.target
            ));
        }
        if seen.end_us > before.end_us {
            last.insert(subject(seen), seen);
        }
    }
    found
}
