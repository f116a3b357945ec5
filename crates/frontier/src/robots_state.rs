use crate::limits::{ROBOTS_AGAIN_MS, ROBOTS_MAX_AGE_MS, ROBOTS_STALE_AGE_MS};
use robots::{CrawlDelay, Preferences, Robots, UsageRules};
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
    /// A file that also says what its pages may be used for.
    RulesOfUse {
        /// What may be fetched.
        rules: Box<Robots>,
        /// What it may be used for.
        usage: UsageRules,
    },
}

impl RobotsAnswer {
    /// A file that was read.
    pub fn of_file(rules: Robots, usage: UsageRules) -> Self {
        let rules = Box::new(rules);
        if usage.is_empty() { Self::Rules(rules) } else { Self::RulesOfUse { rules, usage } }
    }

    /// The rules, where there is a file.
    pub fn rules(&self) -> Option<&Robots> {
        match self {
            Self::Rules(rules) | Self::RulesOfUse { rules, .. } => Some(rules),
            Self::Absent { .. } | Self::Unreachable { .. } => None,
        }
    }

    /// Why it could not be had, for people; nothing where it was, or where there is none.
    pub fn failure(&self) -> Option<&str> {
        match self {
            Self::Unreachable { detail, .. } => Some(detail),
            _ => None,
        }
    }

    /// What it says of the use of a path with its query.
    pub fn preferences(&self, path_and_query: &str) -> Preferences {
        match self {
            Self::RulesOfUse { usage, .. } => usage.preferences(path_and_query),
            _ => Preferences::NONE,
        }
    }
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
    /// What it takes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        let answer = match &self.answer {
            RobotsAnswer::Rules(rules) => rules.bytes(),
            RobotsAnswer::RulesOfUse { rules, usage } => rules.bytes() + usage.bytes(),
            RobotsAnswer::Unreachable { detail, .. } => detail.len(),
            RobotsAnswer::Absent { .. } => 0,
        };
        (size_of::<Self>() + self.authority.len() + answer) as u64
    }

    /// Whether the rules may be used for a draw at `now`.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now.since_ms(self.fetched_at) < ROBOTS_MAX_AGE_MS
            && !matches!(self.answer, RobotsAnswer::Unreachable { .. })
    }

    /// Whether the rules may be obeyed at `now` although they are old, since `failure` is the last attempt to get others (RFC 9309, section
    /// 2.4).
    pub(crate) fn is_stale_case(&self, failure: &Self, now: Timestamp) -> bool {
        let tried_lately = now.since_ms(failure.fetched_at) < ROBOTS_AGAIN_MS;
        tried_lately && failure.answer.failure().is_some() && self.may_be_stale(now)
    }

    /// Whether they are of use at `now` while there are no others.
    pub(crate) fn may_be_stale(&self, now: Timestamp) -> bool {
        self.answer.failure().is_none() && now.since_ms(self.fetched_at) < ROBOTS_STALE_AGE_MS
    }

    /// `Crawl-delay`, if the file names one.
    pub fn crawl_delay_ms(&self) -> Option<u64> {
        self.crawl_delay().map(|delay| delay.ms)
    }

    /// The same, with its line.
    pub fn crawl_delay(&self) -> Option<CrawlDelay> {
        self.answer.rules().and_then(Robots::crawl_delay)
    }
}

#[cfg(test)]
mod tests;
