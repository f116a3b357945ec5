use super::TrapReason;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rule by which URLs are held back: a [`TrapReason`] without its numbers, and the one that concerns hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TrapRule {
    /// Paths with very many segments.
    Depth,
    /// Very long URLs.
    Length,
    /// What is percent-encoded over and over.
    Encoded,
    /// Paths that repeat a part of themselves.
    Repeats,
    /// Queries with very many parameters.
    Parameters,
    /// Queries with one parameter very often.
    SameParameter,
    /// Calendars without end.
    Calendar,
    /// Patterns that give nothing new.
    Barren,
    /// Sitemaps that name far more than anybody links to.
    Flood,
    /// Redirects on redirects.
    Redirects,
    /// More hosts of one domain than it has a name for.
    Farm,
}

impl TrapRule {
    /// All of them, in their order.
    pub const ALL: [Self; 11] = [
        Self::Depth,
        Self::Length,
        Self::Encoded,
        Self::Repeats,
        Self::Parameters,
        Self::SameParameter,
        Self::Calendar,
        Self::Barren,
        Self::Flood,
        Self::Redirects,
        Self::Farm,
    ];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Length => "length",
            Self::Encoded => "encoded",
            Self::Repeats => "repeats",
            Self::Parameters => "parameters",
            Self::SameParameter => "same-parameter",
            Self::Calendar => "calendar",
            Self::Barren => "barren",
            Self::Flood => "flood",
            Self::Redirects => "redirects",
            Self::Farm => "farm",
        }
    }
}

impl fmt::Display for TrapRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<TrapReason> for TrapRule {
    fn from(reason: TrapReason) -> Self {
        match reason {
            TrapReason::Depth(_) => Self::Depth,
            TrapReason::Length(_) => Self::Length,
            TrapReason::Encoded(_) => Self::Encoded,
            TrapReason::Repeats(_) => Self::Repeats,
            TrapReason::Parameters(_) => Self::Parameters,
            TrapReason::SameParameter(_) => Self::SameParameter,
            TrapReason::Calendar(_) => Self::Calendar,
            TrapReason::Order
            | TrapReason::Barren(_)
            | TrapReason::BarrenRare(_)
            | TrapReason::BarrenQueries(_) => Self::Barren,
            TrapReason::Flood(_) => Self::Flood,
            TrapReason::Redirects(_) => Self::Redirects,
            TrapReason::Farm(_) => Self::Farm,
        }
    }
}
