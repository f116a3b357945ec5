use crate::Request;
use crate::limits::{CLOCKS_KEPT, DISORDER_MS};
use stdx::{Map, Timestamp, map};

/// How long hosts, or addresses, were left alone, by the server's own clock alone: whatever its offset to ours, a distance is
/// a distance. The server sees less of a contact than we do, so it sees more of the time between two.
///
/// A log that tells whole seconds says of each moment only that it lies within one. Then the earliest moments that
/// are possible are laid out one after the other: each no earlier than the log says, and no earlier than the delay after the one
/// before. Where that leads beyond the second that the log names, no true moments exist that keep the delay. So the error is one
/// second in all, over however many contacts, and not one for each.
///
/// A log need not be in order: each worker of nginx writes what its buffer holds when that is full. Where the ledger has two lines the other way
/// round, no distance is between them, and the second is where the next is counted from.
#[derive(Debug)]
pub(crate) struct DistancesAtServer {
    by_subject: Map<u64, Last>,
    sweep_at: usize,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    /// The earliest at which it can have ended.
    ended_us: i64,
    /// What is owed after it.
    owed_us: i64,
    /// When it began on our clock, if the ledger has it.
    began: Option<Timestamp>,
}

/// Our clock rounds to milliseconds, at both ends.
const ROUNDING_US: i64 = 2_000;

impl DistancesAtServer {
    pub(crate) fn new() -> Self {
        Self { by_subject: map(), sweep_at: CLOCKS_KEPT }
    }

    /// A contact, with when it began by the ledger, if that has it; `over_us` is when we hung up, if that may have been before its
    /// end. By how much it was certainly too early.
    pub(crate) fn contact(
        &mut self,
        subject: u64,
        request: &Request,
        began: Option<Timestamp>,
        over_us: Option<i64>,
        owed_ms: u64,
    ) -> Option<i64> {
        self.sweep(request.ended.from_us);
        let last = self.by_subject.get(&subject).copied().filter(|last| !last.is_after(began));
        let due_us = last.map_or(i64::MIN, |last| last.ended_us + last.owed_us - ROUNDING_US);
        // The latest at which it can have begun.
        let begun_by_us = request.started.unwrap_or(request.ended).to_us;
        let early_us = due_us.saturating_sub(begun_by_us);
        let is_early = last.is_some() && early_us >= 0;
        let earliest_us = request.ended.from_us;
        let ended_us =
            if is_early || request.started.is_some() { earliest_us } else { earliest_us.max(due_us) };
        let ended_us = over_us.map_or(ended_us, |over| ended_us.min(over));
        self.by_subject.insert(subject, Last { ended_us, owed_us: owed_ms as i64 * 1000, began });
        is_early.then_some(early_us + 1)
    }

    /// A contact that is not judged, because nobody knows which line is its own: it had ended at this moment or later.
    pub(crate) fn owe(&mut self, subject: u64, ended_us: i64, began: Timestamp, owed_ms: u64) {
        self.sweep(ended_us);
        let owed_us = owed_ms as i64 * 1000;
        self.by_subject.insert(subject, Last { ended_us, owed_us, began: Some(began) });
    }

    /// What is owed to somebody after the last contact.
    pub(crate) fn owed_ms(&self, subject: u64) -> Option<u64> {
        self.by_subject.get(&subject).map(|last| (last.owed_us / 1000) as u64)
    }

    /// Drops who has been left alone long enough.
    fn sweep(&mut self, now_us: i64) {
        if self.by_subject.len() >= self.sweep_at {
            let long_ago_us = now_us - DISORDER_MS as i64 * 1000;
            self.by_subject.retain(|_, last| last.ended_us + last.owed_us > long_ago_us);
            self.sweep_at = CLOCKS_KEPT.max(2 * self.by_subject.len());
        }
    }
}

impl Last {
    /// Whether the ledger has it behind a contact that began then.
    fn is_after(&self, began: Option<Timestamp>) -> bool {
        self.began.zip(began).is_some_and(|(ours, theirs)| ours > theirs)
    }
}
