use crate::limits::STRETCHES;
use serde::Serialize;

/// What happened when, in at most [`STRETCHES`] stretches of one length: when a crawl has outgrown them, each two become one.
#[derive(Debug, Clone, Serialize)]
pub struct Timeline {
    /// The moment the first stretch begins, milliseconds since 1970; 0 where nothing was asked for.
    pub from_ms: u64,
    /// How long a stretch is.
    pub stretch_ms: u64,
    /// One after the other.
    pub stretches: Vec<Stretch>,
}

/// What happened in a stretch of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// Servers were contacted.
    pub requests: u64,
    /// Pages were fetched.
    pub pages: u64,
    /// Body bytes came.
    pub bytes: u64,
    /// Attempts failed, or were answered with 400 or more.
    pub failed: u64,
}

const FIRST_STRETCH_MS: u64 = 1_000;

impl Default for Timeline {
    fn default() -> Self {
        Self { from_ms: 0, stretch_ms: FIRST_STRETCH_MS, stretches: Vec::new() }
    }
}

impl Timeline {
    /// Adds what happened at a moment. What is before the first moment told counts as of then: entries of a journal are nearly in
    /// order.
    pub(crate) fn add(&mut self, at_ms: u64, more: Stretch) {
        if self.stretches.is_empty() {
            self.from_ms = at_ms;
        }
        let since_ms = at_ms.saturating_sub(self.from_ms);
        while since_ms / self.stretch_ms >= STRETCHES as u64 {
            self.fold();
        }
        let at = (since_ms / self.stretch_ms) as usize;
        if at >= self.stretches.len() {
            self.stretches.resize(at + 1, Stretch::default());
        }
        self.stretches[at].absorb(more);
    }

    /// The moment the last stretch ends.
    pub fn to_ms(&self) -> u64 {
        self.from_ms + self.stretch_ms * self.stretches.len() as u64
    }

    fn fold(&mut self) {
        let two = |pair: &[Stretch]| {
            let mut sum = pair[0];
            pair[1..].iter().for_each(|more| sum.absorb(*more));
            sum
        };
        self.stretches = self.stretches.chunks(2).map(two).collect();
        self.stretch_ms *= 2;
    }
}

impl Stretch {
    fn absorb(&mut self, more: Self) {
        self.requests += more.requests;
        self.pages += more.pages;
        self.bytes += more.bytes;
        self.failed += more.failed;
    }
}
