use crate::{FailureKind, Kind, Origin};
use serde::{Deserialize, Serialize};
use std::fmt;
use stdx::Timestamp;
use weburl::KeyHash;

/// The journal's sequence number of the record that reports a capture; names the capture for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CaptureSeq(pub u64);

/// Where a capture lies in the archive, in the archive's own terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Location {
    /// The WARC file.
    pub serial: u32,
    /// Where the capture's records begin.
    pub offset: u64,
    /// Bytes of them all.
    pub length: u64,
    /// Where the response record begins.
    pub response_offset: u64,
    /// Bytes of the response record.
    pub response_length: u64,
}

/// The one state a discovered URL is in (ARCHITECTURE.md, promise 2), as [`Frontier::walk`](crate::Frontier::walk) and
/// [`Frontier::look_up`](crate::Frontier::look_up) find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlState {
    /// Waits for the seen-set to say whether it is new.
    Discovered {
        /// Links from the nearest seed, by the shortest path that waits.
        depth: u32,
    },
    /// Will be fetched.
    Pending {
        /// The URL.
        pending: Pending,
        /// Where it waits.
        place: Place,
    },
    /// Has been fetched, with a final answer.
    Fetched {
        /// Least number of links from a seed.
        depth: u32,
        /// Which record of the journal reports the answer.
        capture: CaptureSeq,
        /// Where the answer is, once it is durable.
        location: Option<Location>,
    },
    /// Will not be fetched, by this rule.
    Excluded {
        /// Least number of links from a seed.
        depth: u32,
        /// The rule.
        rule: Exclusion,
    },
    /// Has used up its retries, or its host has.
    Parked {
        /// Least number of links from a seed.
        depth: u32,
        /// Why.
        reason: ParkReason,
    },
}

/// Where a pending URL waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Drawn; its outcome is awaited.
    InFlight,
    /// At hand: the next few of its host, in memory.
    AtHand,
    /// For a retry's moment, in memory.
    Retry,
    /// Behind those at hand, in memory.
    Queued,
    /// In a section of a run.
    Section,
    /// In the directory, with its host.
    Directory,
    /// Beyond its domain's budget, in this BEAST queue.
    Deferred(u8),
    /// Among the parked still, from where an operator's word puts it back.
    PutBack,
}

/// A URL that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Its identity.
    pub key: KeyHash,
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
    /// Order of discovery in this shard.
    pub order: u64,
    /// How it was found.
    pub origin: Origin,
}

/// Why a URL will not be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exclusion {
    /// robots.txt forbids it.
    Robots {
        /// Line of the rule in the file; 0 where the file as a whole forbids.
        line: u32,
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
            Self::Robots { line } => write!(f, "robots.txt line {line}"),
            Self::AddressRefused => {
                f.write_str("the host resolves only to addresses that may not be contacted")
            }
            Self::RedirectLimit => f.write_str("redirects that lead nowhere: too many, or back to itself"),
        }
    }
}

/// Why a URL was parked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
            Self::Pending { pending, .. } => pending.depth,
            Self::Discovered { depth }
            | Self::Fetched { depth, .. }
            | Self::Excluded { depth, .. }
            | Self::Parked { depth, .. } => *depth,
        }
    }
}
