use crate::limits::{RESEND_MAX_MS, RESEND_MS, WINDOW_BATCHES, WINDOW_BYTES};
use crate::{Batch, Numbers, SavedStream};
use std::collections::BTreeMap;
use stdx::Timestamp;

/// The batches for one node, from the journal to the acknowledgement. A window of them is in memory; what is beyond waits in
/// the journal and is read back from there.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    /// The number of the next batch.
    next: u64,
    acknowledged: Numbers,
    /// What memory holds and nobody acknowledged, by number.
    window: BTreeMap<u64, Held>,
    window_bytes: usize,
    /// The first that only the journal has; `next` if there is none.
    spooled: u64,
    /// The journal entry it is in, or an earlier one.
    spooled_at: u64,
    /// The first of the window that is to be sent now.
    cursor: u64,
    timer: Option<Timer>,
}

#[derive(Debug)]
struct Held {
    /// The journal entry it is in.
    entry: u64,
    batch: Batch,
}

/// Runs while the oldest batch that was sent is not acknowledged.
#[derive(Debug)]
struct Timer {
    oldest: u64,
    at: Timestamp,
    wait_ms: u64,
}

/// What became of a batch that was read back from the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loaded {
    /// It was taken, or is not wanted.
    Yes,
    /// There is no room for it yet.
    Full,
}

impl Outgoing {
    /// Goes on where a checkpoint was made; nothing is in memory.
    pub(crate) fn restore(saved: &SavedStream) -> Self {
        let first = saved.acknowledged.first_missing();
        Self {
            next: saved.next,
            acknowledged: saved.acknowledged.clone(),
            spooled: first,
            spooled_at: saved.first_entry,
            cursor: first,
            ..Self::default()
        }
    }

    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    pub(crate) fn acknowledged(&self) -> &Numbers {
        &self.acknowledged
    }

    /// A journal entry from which on everything that is not acknowledged can be read back; 0 when nothing need be.
    pub(crate) fn first_entry(&self) -> u64 {
        if self.is_settled() {
            return 0;
        }
        self.window.values().next().map_or(self.spooled_at, |held| held.entry)
    }

    /// Whether everything has been acknowledged.
    pub(crate) fn is_settled(&self) -> bool {
        self.acknowledged.first_missing() == self.next
    }

    /// A batch is in the journal at `entry`, not necessarily durable.
    pub(crate) fn push(&mut self, entry: u64, batch: Batch) {
        assert_eq!(batch.number, self.next, "batches are numbered without a gap");
        self.next += 1;
        if self.spooled < batch.number {
            return;
        }
        if self.has_room() {
            self.hold(entry, batch);
        } else {
            self.spooled_at = entry;
        }
    }

    /// A batch is durable where it was sent to.
    pub(crate) fn acknowledge(&mut self, number: u64) {
        if number < self.next
            && self.acknowledged.insert(number)
            && let Some(held) = self.window.remove(&number)
        {
            self.window_bytes -= held.batch.body.len();
        }
    }

    /// The next batch to send, of those that are durable through `durable`.
    pub(crate) fn next_to_send(&mut self, now: Timestamp, durable: u64) -> Option<&Batch> {
        self.look_at_timer(now);
        let (&number, held) = self.window.range(self.cursor..).next()?;
        if held.entry > durable {
            return None;
        }
        self.cursor = number + 1;
        if self.timer.is_none() {
            self.timer = Some(Timer { oldest: number, at: now + RESEND_MS, wait_ms: RESEND_MS });
        }
        Some(&held.batch)
    }

    /// When [`Outgoing::next_to_send`] may give something.
    pub(crate) fn next_due(&self, durable: u64) -> Option<Timestamp> {
        let ready = self.window.range(self.cursor..).next().is_some_and(|(_, held)| held.entry <= durable);
        if ready { Some(Timestamp::ZERO) } else { self.timer.as_ref().map(|timer| timer.at) }
    }

    /// The journal entry to read on from, when there is room for what is only there.
    pub(crate) fn wants_from(&self) -> Option<u64> {
        let half_empty = self.window.len() <= WINDOW_BATCHES / 2 && self.window_bytes <= WINDOW_BYTES / 2;
        (self.spooled < self.next && half_empty).then_some(self.spooled_at)
    }

    /// A batch was read back from the journal.
    pub(crate) fn load(&mut self, entry: u64, batch: Batch) -> Loaded {
        if batch.number != self.spooled {
            return Loaded::Yes;
        }
        if self.acknowledged.contains(batch.number) {
            self.spooled += 1;
        } else if self.has_room() {
            self.hold(entry, batch);
        } else {
            self.spooled_at = entry;
            return Loaded::Full;
        }
        self.spooled_at = entry + 1;
        Loaded::Yes
    }

    /// The journal has been read up to this entry.
    pub(crate) fn read_through(&mut self, entry: u64) {
        self.spooled_at = self.spooled_at.max(entry + 1);
    }

    pub(crate) fn check_invariants(&self) {
        let bytes: usize = self.window.values().map(|held| held.batch.body.len()).sum();
        assert_eq!(bytes, self.window_bytes, "bytes of the window");
        assert!(self.window.len() <= WINDOW_BATCHES, "the window has its limit");
        assert!(self.window.keys().all(|number| *number < self.spooled), "the window lies before the spool");
        assert!(self.spooled <= self.next && self.cursor <= self.next, "nothing lies beyond the last batch");
        let missing = |number: &u64| !self.acknowledged.contains(*number);
        let lost = (self.acknowledged.first_missing()..self.spooled).filter(missing);
        assert!(lost.into_iter().all(|number| self.window.contains_key(&number)), "nothing is lost");
    }

    fn has_room(&self) -> bool {
        self.window.is_empty() || (self.window.len() < WINDOW_BATCHES && self.window_bytes < WINDOW_BYTES)
    }

    fn hold(&mut self, entry: u64, batch: Batch) {
        self.window_bytes += batch.body.len();
        self.spooled = batch.number + 1;
        self.window.insert(batch.number, Held { entry, batch });
    }

    /// Begins again with the oldest that is not acknowledged, when that has taken too long.
    fn look_at_timer(&mut self, now: Timestamp) {
        let oldest = self.window.keys().next().copied().filter(|oldest| *oldest < self.cursor);
        self.timer = match (oldest, self.timer.take()) {
            (None, _) => None,
            (Some(oldest), Some(timer)) if timer.oldest == oldest && now < timer.at => Some(timer),
            (Some(oldest), Some(timer)) if timer.oldest == oldest => {
                self.cursor = oldest;
                let wait_ms = (2 * timer.wait_ms).min(RESEND_MAX_MS);
                Some(Timer { oldest, at: now + wait_ms, wait_ms })
            }
            (Some(oldest), _) => Some(Timer { oldest, at: now + RESEND_MS, wait_ms: RESEND_MS }),
        };
    }
}
