use crate::{Crawler, Record};
use frontier::{Blame, CaptureSeq, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A page that was answered, and of which nothing can be derived. A crawl goes on without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostPage {
    /// As it was requested.
    pub url: String,
    /// Why.
    pub why: Loss,
    /// What was found instead, for people.
    pub detail: String,
}

/// Why an answer says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Loss {
    /// It refers to one that is not where it was: in an earlier crawl that was moved or removed, as a rule.
    OriginalGone,
    /// The parser panicked over it: a fault of this program.
    ParserPanicked,
}

impl Loss {
    /// Whose fault it is.
    pub fn blame(self) -> Blame {
        match self {
            // What was moved or removed is the operator's affair.
            Self::OriginalGone => Blame::Policy,
            Self::ParserPanicked => Blame::Ours,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OriginalGone => "original-gone",
            Self::ParserPanicked => "parser-panicked",
        })
    }
}

impl Crawler {
    /// Counts it among what failed, by its reason, and asks for nothing more of it. It is not fetched again: it has its final answer.
    pub(crate) fn lose(&mut self, capture: CaptureSeq, page: LostPage) -> Result<()> {
        self.journal(Record::Lost { at: self.tally.latest, capture, page }, None)
    }

    pub(crate) fn apply_lost(&mut self, capture: CaptureSeq, page: &LostPage) {
        *self.tally.failures.entry(page.why.to_string()).or_default() += 1;
        self.unfinished.links_done(capture);
        self.unfinished.row_done(capture);
    }
}
