use super::limits::ABSENCES;
use super::{Fingerprint, Yield};
use serde::{Deserialize, Serialize};

/// What a host says where it has no page, and how often it said so with a 200: soft 404s (Bar-Yossef et al. 2004). Nobody is asked
/// for pages that cannot be there: links to what is gone tell the words, as soon as one is answered as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Absences {
    /// The last ways it was said, newest last.
    said: Vec<Fingerprint>,
    /// Pages that said so though they were there.
    soft: u32,
}

impl Absences {
    /// Notes what a fetch gave, and says what that is worth.
    pub(crate) fn note(&mut self, gave: Yield) -> Yield {
        match gave {
            Yield::Absent(words) => {
                self.learn(words);
                Yield::Nothing
            }
            Yield::Content(words) if self.knows(words) => {
                self.soft = self.soft.saturating_add(1);
                Yield::Nothing
            }
            Yield::Content(_) | Yield::Nothing => gave,
        }
    }

    /// Pages, answered with a 200, that were none.
    pub(crate) fn soft(&self) -> u32 {
        self.soft
    }

    /// What it takes of memory, beside itself.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.said.as_slice()) as u64
    }

    /// Panics if it is more than it may be.
    pub(crate) fn check_invariants(&self) {
        assert!(self.said.len() <= ABSENCES, "bounded");
    }

    fn learn(&mut self, words: Fingerprint) {
        if self.knows(words) {
            return;
        }
        if self.said.len() == ABSENCES {
            self.said.remove(0);
        }
        self.said.push(words);
    }

    fn knows(&self, words: Fingerprint) -> bool {
        self.said.iter().any(|said| words.is_near(*said))
    }
}
