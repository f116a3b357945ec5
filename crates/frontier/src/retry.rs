use crate::Reach;
use crate::limits::{OVERLOAD_FLOOR_MS, REST_FLOOR_MS, RETRY_AFTER_MAX_MS};
use serde::{Deserialize, Serialize};
use weburl::KeyHash;

/// When to try again, and when to stop trying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryPolicy {
    /// Wait after the first failure.
    pub base_ms: u64,
    /// Each further wait is this many times the last.
    pub factor: u64,
    /// No wait is longer, unless the server asks for it.
    pub max_ms: u64,
    /// Attempts before a URL, or a host, is parked.
    pub attempts: u8,
    /// Wait after a 429 or 503 that names none; doubles with each in a row.
    pub overload_ms: u64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { base_ms: 10_000, factor: 3, max_ms: 3_600_000, attempts: 5, overload_ms: 60_000 }
    }
}

/// What a status means for the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusMeaning {
    /// The answer.
    Final,
    /// Try again later.
    Retry,
    /// The whole host wants to be left alone.
    Overload,
}

impl RetryPolicy {
    /// Wait before attempt `failures + 1`: exponential, with up to a quarter of jitter that depends only on the
    /// URL and the attempt, so that a replay waits as long.
    pub fn backoff_ms(&self, failures: u8, key: KeyHash) -> u64 {
        let exponent = u32::from(failures.saturating_sub(1));
        let wait = self.factor.saturating_pow(exponent).saturating_mul(self.base_ms).min(self.max_ms);
        let mut rng = stdx::Rng::new(key.0 ^ u64::from(failures));
        wait + rng.below(wait / 4 + 1)
    }

    /// How long a 429 or 503 keeps the host away: as long as it asks for, but from the second in a row on no less than after any
    /// failure, since what it asked for was not enough; and for longer each time if it asks for nothing. On the public internet that
    /// is a minute at first and minutes from then on, whatever the operator says.
    pub fn overload_wait_ms(&self, overloads: u8, retry_after_ms: Option<u64>, reach: Reach) -> u64 {
        let (floor_ms, most_ms) = match reach {
            Reach::Public => (OVERLOAD_FLOOR_MS, self.max_ms.max(REST_FLOOR_MS)),
            Reach::Allowed => (0, self.max_ms),
        };
        let doubled = |first_ms: u64, times: u8| (first_ms << u32::from(times).min(20)).min(most_ms);
        let before = overloads.saturating_sub(1);
        let Some(asked) = retry_after_ms else { return doubled(self.overload_ms.max(floor_ms), before) };
        let least = if before == 0 { 0 } else { doubled(self.base_ms, before - 1) };
        asked.min(RETRY_AFTER_MAX_MS).max(least)
    }

    pub(crate) fn is_last(&self, failures: u8) -> bool {
        failures >= self.attempts
    }
}

/// Whether a status sends the whole host to rest.
pub fn is_overload(status: u16) -> bool {
    matches!(status, 429 | 503)
}

pub(crate) fn status_meaning(status: u16) -> StatusMeaning {
    match status {
        _ if is_overload(status) => StatusMeaning::Overload,
        408 | 425 | 500 | 502 | 504 | 507..=599 => StatusMeaning::Retry,
        _ => StatusMeaning::Final,
    }
}
