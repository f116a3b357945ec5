use std::time::Duration;
use tokio::time::Instant;

#[cfg(test)]
mod tests;

/// Is a body still coming fast enough? Counted in windows one after the other, each judged at its end,
/// so that a pause is forgiven as long as the window's average holds.
#[derive(Debug)]
pub(crate) struct RateFloor {
    window: Duration,
    least_bytes: u64,
    window_end: Instant,
    bytes: u64,
}

/// What a window's end says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Fast enough, or too early to say.
    Fine,
    /// Below the floor over a whole window.
    TooSlow,
}

impl RateFloor {
    pub(crate) fn new(bytes_per_s: u64, window_ms: u64, now: Instant) -> Self {
        let window = Duration::from_millis(window_ms);
        Self { window, least_bytes: bytes_per_s * window_ms / 1000, window_end: now + window, bytes: 0 }
    }

    /// When [`Self::judge`] has something to say next.
    pub(crate) fn window_end(&self) -> Instant {
        self.window_end
    }

    /// What a body has done that came too slowly.
    pub(crate) fn words(&self) -> String {
        format!("fewer than {} bytes came in {} ms", self.least_bytes, self.window.as_millis())
    }

    pub(crate) fn count(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }

    /// So long nothing was read because of us.
    pub(crate) fn excuse(&mut self, ours: Duration) {
        self.window_end += ours;
    }

    pub(crate) fn judge(&mut self, now: Instant) -> Pace {
        if now < self.window_end {
            return Pace::Fine;
        }
        let pace = if self.bytes < self.least_bytes { Pace::TooSlow } else { Pace::Fine };
        self.bytes = 0;
        self.window_end = now + self.window;
        pace
    }
}
