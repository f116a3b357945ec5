use crate::limits::{UPSTREAM_FAILURES, UPSTREAM_REST_MAX_MS, UPSTREAM_REST_MS};
use stdx::Timestamp;

#[cfg(test)]
mod tests;

/// Whether an upstream has answered lately. After a few failures in a row it rests, twice as long each time.
#[derive(Debug, Default)]
pub(super) struct Health {
    failures: u32,
    rests_until: Timestamp,
    answered_at: Timestamp,
}

impl Health {
    pub(super) fn answered(&mut self, now: Timestamp) {
        *self = Self { answered_at: now, ..Self::default() };
    }

    pub(super) fn failed(&mut self, now: Timestamp) {
        self.failures = self.failures.saturating_add(1);
        if let Some(more) = self.failures.checked_sub(UPSTREAM_FAILURES) {
            let rest_ms = UPSTREAM_REST_MS << more.min(16);
            self.rests_until = now + rest_ms.min(UPSTREAM_REST_MAX_MS);
        }
    }

    pub(super) fn has_answered_since(&self, moment: Timestamp) -> bool {
        self.answered_at >= moment
    }

    /// Whether it is to be asked before those that rest.
    pub(super) fn is_well(&self, now: Timestamp) -> bool {
        now >= self.rests_until
    }
}
