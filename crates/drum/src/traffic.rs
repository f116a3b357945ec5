use std::ops::AddAssign;

/// Bytes moved between a DRUM and its disk since it was opened. Divided by the bytes of what was checked
/// this is IRLbot's overhead α (§IV-D).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Requests written to bucket files.
    pub bucket_written: u64,
    /// Requests read back by merges.
    pub bucket_read: u64,
    /// Key files read by merges.
    pub keys_read: u64,
    /// Key files written by merges.
    pub keys_written: u64,
}

impl Traffic {
    /// All of it.
    pub fn total(&self) -> u64 {
        self.bucket_written + self.bucket_read + self.keys_read + self.keys_written
    }
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, more: Self) {
        self.bucket_written += more.bucket_written;
        self.bucket_read += more.bucket_read;
        self.keys_read += more.keys_read;
        self.keys_written += more.keys_written;
    }
}
