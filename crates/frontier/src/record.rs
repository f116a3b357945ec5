use crate::{FailureKind, Kind, Origin};
use serde::{Deserialize, Serialize};
use std::fmt;
use stdx::Timestamp;

/// The journal's sequence number of the record that reports a capture; names the capture for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CaptureSeq(pub u64);

/// The one state a discovered URL is in (blueprint, promise 2). In flight is pending with a turn taken: a crash makes
/// it pending again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum UrlState {
    /// Will be fetched.
    Pending(Box<Pending>),
    /// Has been fetched, with a final answer.
    Fetched {
        /// Least number of links from a seed.
        depth: u32,
        /// Where the answer is.
        capture: CaptureSeq,
    },
    /// Will not be fetched, by this rule.
    Excluded {
        /// Least number of links from a seed.
        depth: u32,
        /// The rule.
        rule: Exclusion,
    },
    /// Has used up its retries.
    Parked {
        /// All that is needed to put it back.
        pending: Box<Pending>,
        /// Why.
        reason: ParkReason,
    },
}

/// A URL that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The form to request; a redirect to the same key changes it.
    pub url: String,
    /// Links from the nearest seed.
    pub depth: u32,
    /// Redirects behind it.
    pub hops: u8,
    /// Attempts that failed.
    pub attempts: u8,
    /// What is expected.
    pub kind: Kind,
    /// Not before this moment (a retry's backoff).
    pub due: Timestamp,
    /// Order of arrival in this shard.
    pub order: u64,
    /// How it was found.
    pub origin: Origin,
    /// Whether a turn has been taken for it. Lost in a crash, as it should be.
    #[serde(skip)]
    pub in_flight: bool,
}

/// Why a URL will not be fetched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exclusion {
    /// robots.txt forbids it.
    Robots {
        /// Line of the rule in the file; 0 where the file as a whole forbids.
        line: u32,
        /// The rule as written.
        rule: String,
    },
    /// Its host resolves only to addresses that may not be contacted.
    AddressRefused,
    /// Too many redirects, or a redirect to itself.
    RedirectLimit,
}

impl Exclusion {
    /// A short name for counts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Robots { .. } => "robots",
            Self::AddressRefused => "address-refused",
            Self::RedirectLimit => "redirect-limit",
        }
    }
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robots { line, rule } => write!(f, "robots.txt line {line}: {rule}"),
            Self::AddressRefused => {
                f.write_str("the host resolves only to addresses that may not be contacted")
            }
            Self::RedirectLimit => f.write_str("too many redirects"),
        }
    }
}

/// Why a URL was parked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ParkReason {
    /// The last of five attempts was answered with this status.
    Status(u16),
    /// The last of five attempts failed this way.
    Failed(FailureKind),
    /// The host as a whole failed five times in a row this way.
    Host(FailureKind),
    /// robots.txt could not be had five times in a row, so nothing may be fetched.
    RobotsUnreachable,
    /// robots.txt asks for more than 300 s between requests.
    CrawlDelay,
}

impl fmt::Display for ParkReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "status {status}"),
            Self::Failed(kind) => write!(f, "{kind}"),
            Self::Host(kind) => write!(f, "host: {kind}"),
            Self::RobotsUnreachable => f.write_str("host: robots.txt unreachable"),
            Self::CrawlDelay => f.write_str("host: crawl-delay above 300 s"),
        }
    }
}

impl UrlState {
    /// Least number of links from a seed.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Pending(pending) | Self::Parked { pending, .. } => pending.depth,
            Self::Fetched { depth, .. } | Self::Excluded { depth, .. } => *depth,
        }
    }

    /// Lowers the depth; says whether it was larger.
    pub fn lower_depth(&mut self, to: u32) -> bool {
        let depth = match self {
            Self::Pending(pending) | Self::Parked { pending, .. } => &mut pending.depth,
            Self::Fetched { depth, .. } | Self::Excluded { depth, .. } => depth,
        };
        let lower = to < *depth;
        *depth = to.min(*depth);
        lower
    }
}
