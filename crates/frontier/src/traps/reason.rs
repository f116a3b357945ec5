use serde::{Deserialize, Serialize};
use std::fmt;

/// How many queues of BEAST later than its turn a URL is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Penalty(u8);

/// Why a URL is put off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TrapReason {
    /// Its path has this many segments.
    Depth(u16),
    /// It has this many bytes.
    Length(u16),
    /// It is percent-encoded so many times over.
    Encoded(u16),
    /// A stretch of its path comes this many times in a row.
    Repeats(u16),
    /// Its query has this many parameters.
    Parameters(u16),
    /// A parameter of its query comes this often.
    SameParameter(u16),
    /// It names a day of this year.
    Calendar(u16),
    /// Fetches of URLs like it mostly gave nothing new: one more for each of them, half as much with each that did.
    Barren(u16),
    /// Sitemaps have named this many URLs of its host, far more than pages have linked to.
    Flood(u32),
    /// It lies behind this many redirects.
    Redirects(u8),
    /// The same as [`TrapReason::Barren`] of the rarest patterns of its host, to which it belongs.
    BarrenRare(u16),
    /// Its host is new, and its domain shows more of them than so many a round.
    Farm(u32),
    /// It is the listing of a directory in another order.
    Order,
    /// The same as [`TrapReason::Barren`] of the first fetches of all sets of parameters of its path, of which its own is little known.
    BarrenQueries(u16),
}

/// A reason, and what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Suspicion {
    /// What it costs.
    pub penalty: Penalty,
    /// Why.
    pub reason: TrapReason,
}

impl Penalty {
    /// Above suspicion.
    pub const NONE: Self = Self(0);
    /// The heaviest: half the queues, so that every suspect is within reach of one.
    pub const MOST: Self = Self(crate::limits::BEAST_QUEUES as u8 / 2);

    /// So many queues, at most [`Penalty::MOST`].
    pub fn queues(queues: u32) -> Self {
        Self(queues.min(u32::from(Self::MOST.0)) as u8)
    }

    /// As a number.
    pub fn get(self) -> u8 {
        self.0
    }

    /// 1 for what is just above `bound`, and one more with each doubling.
    pub(super) fn beyond(bound: u32, value: u32) -> Self {
        if value <= bound { Self::NONE } else { Self::queues(1 + (value / bound.max(1)).ilog2()) }
    }
}

impl Suspicion {
    /// What it costs, if there is one.
    pub(crate) fn penalty_of(suspicion: Option<Self>) -> Penalty {
        suspicion.map_or(Penalty::NONE, |suspicion| suspicion.penalty)
    }

    /// The worse of two.
    pub fn worst(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(first), Some(second)) if first.penalty > second.penalty => a,
            (_, None) => a,
            _ => b,
        }
    }

    pub(super) fn unless_none(penalty: Penalty, reason: TrapReason) -> Option<Self> {
        (penalty > Penalty::NONE).then_some(Self { penalty, reason })
    }
}

/// What a score of what had nothing new is made of.
const SCORE: &str = ": one more for each, half for each that had";

impl fmt::Display for TrapReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(segments) => write!(f, "its path has {segments} segments"),
            Self::Length(bytes) => write!(f, "it is {bytes} bytes long"),
            Self::Encoded(times) => write!(f, "it is percent-encoded {times} times over"),
            Self::Repeats(times) => write!(f, "a part of its path comes {times} times in a row"),
            Self::Parameters(count) => write!(f, "its query has {count} parameters"),
            Self::SameParameter(times) => write!(f, "its query has one parameter {times} times"),
            Self::Order => write!(f, "it is the listing of a directory in another order"),
            Self::Calendar(year) => write!(f, "it is a page of a calendar for the year {year}"),
            Self::Barren(score) => write!(f, "pages of URLs like it mostly had nothing new ({score}{SCORE})"),
            Self::BarrenRare(score) => {
                write!(f, "pages of its host's rare patterns mostly had nothing new ({score}{SCORE})")
            }
            Self::BarrenQueries(score) => {
                write!(
                    f,
                    "the first pages of its path with other parameters mostly had nothing new ({score}{SCORE})"
                )
            }
            Self::Flood(urls) => {
                write!(f, "sitemaps name {urls} URLs of its host, far more than pages link to")
            }
            Self::Redirects(hops) => write!(f, "it lies behind {hops} redirects"),
            Self::Farm(hosts) => write!(f, "its domain shows more new hosts than {hosts} a round"),
        }
    }
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.penalty {
            Penalty::NONE => write!(f, "{}", self.reason),
            Penalty(queues) => write!(f, "{} ({queues} queues back)", self.reason),
        }
    }
}
