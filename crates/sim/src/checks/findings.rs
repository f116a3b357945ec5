/// What a judge found wrong: all of it counted, the first of it in words, so that a crawl that does everything wrong costs
/// no more memory than one that does little.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    first: Vec<String>,
    /// How many there are.
    pub count: u64,
}

/// Findings kept in words.
const IN_WORDS: usize = 1_000;

impl Findings {
    /// One more.
    pub fn add(&mut self, say: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < IN_WORDS {
            self.first.push(say());
        }
    }

    /// The first of them.
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// The first of them, and how many more there are.
    pub fn into_vec(mut self) -> Vec<String> {
        let more = self.count - self.first.len() as u64;
        if more > 0 {
            self.first.push(format!("and {more} more"));
        }
        self.first
    }
}
