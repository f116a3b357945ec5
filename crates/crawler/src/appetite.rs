use crate::limits::{APPETITE_MS, APPETITE_SHARE};
use stdx::Timestamp;

/// How much of a processor jobs have that hunger alone asks for: a bucket of [`APPETITE_MS`] that fills by one part of [`APPETITE_SHARE`] of the time.
#[derive(Debug, Default)]
pub(crate) struct Appetite {
    /// When it will be full again.
    full_at: Timestamp,
}

impl Appetite {
    /// Until when it is empty, if it is.
    pub(crate) fn gone_until(&self, now: Timestamp) -> Option<Timestamp> {
        let returns = self.full_at - APPETITE_MS * APPETITE_SHARE;
        (returns > now).then_some(returns)
    }

    /// A job begins that takes about so much.
    pub(crate) fn take(&mut self, job_ms: u64, now: Timestamp) {
        self.full_at = self.full_at.max(now) + job_ms * APPETITE_SHARE;
    }
}
