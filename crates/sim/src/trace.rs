use std::fmt;
use stdx::Timestamp;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What a run did, in one number: equal runs have equal traces, and runs that differ in one action have not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Trace {
    digest: u64,
    /// Actions so far.
    pub actions: u64,
}

impl Trace {
    /// A later run of the same crawl.
    pub(crate) fn follow(&mut self, later: Self) {
        self.digest = xxh3_64_with_seed(&later.digest.to_le_bytes(), self.digest);
        self.actions += later.actions;
    }

    /// An action on `subject` at `now`.
    pub(crate) fn note(&mut self, now: Timestamp, action: &str, subject: &str) {
        let moment = xxh3_64_with_seed(action.as_bytes(), self.digest ^ now.as_ms());
        self.digest = xxh3_64_with_seed(subject.as_bytes(), moment);
        self.actions += 1;
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.digest)
    }
}
