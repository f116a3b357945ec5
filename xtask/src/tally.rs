//! Counting what `cargo test` says.

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::AddAssign;

/// Results, summed over everything that ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl Tally {
    /// One step that succeeds or fails as a whole.
    pub(crate) fn step(&mut self, succeeded: bool) {
        *(if succeeded { &mut self.passed } else { &mut self.failed }) += 1;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Reads the lines of `cargo test -- --show-output`. A test that passed and printed a line that begins with
/// `skipped:` counts as skipped; so does an ignored one.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) tally: Tally,
    /// Tests of the current binary that said they skipped.
    saying_skipped: usize,
    /// The current test's output is that of a test that passed.
    in_success: bool,
    counted: bool,
}

impl Reader {
    /// Takes the next line.
    pub(crate) fn take(&mut self, line: &str) {
        if line == "successes:" || line == "failures:" {
            self.in_success = line == "successes:";
        } else if line.starts_with("---- ") && line.ends_with(" stdout ----") {
            self.counted = false;
        } else if line.starts_with("skipped:") && self.in_success && !self.counted {
            self.counted = true;
            self.saying_skipped += 1;
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            self.result(counts);
        }
    }

    fn result(&mut self, counts: &str) {
        let skipped = std::mem::take(&mut self.saying_skipped);
        self.tally.passed += count(counts, " passed").saturating_sub(skipped);
        self.tally.failed += count(counts, " failed");
        self.tally.skipped += count(counts, " ignored") + skipped;
        self.in_success = false;
    }
}

/// The number before a word in `ok. 3 passed; 0 failed; …`.
fn count(counts: &str, word: &str) -> usize {
    let before = counts.split(word).next().filter(|before| before.len() < counts.len());
    before.and_then(|before| before.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}
