use crate::limits::ROBOTS_MAX_AGE_MS;
use robots::Robots;
use serde::{Deserialize, Serialize};
use stdx::Timestamp;

/// What asking for an authority's robots.txt gave (RFC 9309, section 2.3.1).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum RobotsAnswer {
    /// A file.
    Rules(Box<Robots>),
    /// The server says there is none (4xx): everything is allowed.
    Absent {
        /// What it said.
        status: u16,
    },
    /// The server failed or could not be reached: nothing is allowed until it answers.
    Unreachable {
        /// What happened, for people.
        detail: String,
        /// How long it asked to be left alone.
        retry_after_ms: Option<u64>,
    },
}

/// The rules of one authority, as journaled and remembered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RobotsRecord {
    /// Scheme, host and port.
    pub authority: String,
    /// When the answer came.
    pub fetched_at: Timestamp,
    /// The answer.
    pub answer: RobotsAnswer,
}

impl RobotsRecord {
    /// Whether the rules may be used for a draw at `now`.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now.since_ms(self.fetched_at) < ROBOTS_MAX_AGE_MS
            && !matches!(self.answer, RobotsAnswer::Unreachable { .. })
    }

    /// `Crawl-delay`, if the file names one.
    pub fn crawl_delay_ms(&self) -> Option<u64> {
        match &self.answer {
            RobotsAnswer::Rules(rules) => rules.crawl_delay_ms(),
            _ => None,
        }
    }
}
