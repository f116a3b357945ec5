use xxhash_rust::xxh3::xxh3_64;

/// Which subjects a judge remembers that must remember all it sees: one in so many, by the hash of its name, so that what is
/// judged is judged exactly and memory is a share of the crawl's.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// 1 for all.
    pub one_in: u64,
}

impl Sample {
    /// Everything.
    pub const ALL: Self = Self { one_in: 1 };

    /// Whether a subject of this name is looked at.
    pub fn takes(self, name: &str) -> bool {
        xxh3_64(name.as_bytes()).is_multiple_of(self.one_in)
    }
}
