use archive::Capture;
use frontier::{Address, Failure};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::Url;

/// Names one piece of work that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The end of a resolve action.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// Which action.
    pub ticket: Ticket,
    /// What came of it.
    pub outcome: ResolveOutcome,
}

/// What a name resolved to.
#[derive(Debug, Clone)]
pub enum ResolveOutcome {
    /// Addresses that the configuration allows to be contacted, best first, never empty.
    Addresses {
        /// The addresses, each with how it may be reached.
        addresses: Vec<Address>,
        /// How long they may be used, in milliseconds; fetch has applied its floor and ceiling.
        ttl_ms: u64,
    },
    /// Nothing to connect to.
    Failed(Failure),
}

/// One request to be made: to this address and no other, following nothing.
#[derive(Debug, Clone)]
pub struct FetchJob {
    /// Which action.
    pub ticket: Ticket,
    /// What to ask for.
    pub url: Url,
    /// The checked address to connect to.
    pub address: SocketAddr,
    /// Bounds on the response.
    pub limits: FetchLimits,
    /// Whether another request to this host is due soon, so that the connection is worth keeping.
    pub keep_alive: bool,
}

/// Bounds on one response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// Body bytes kept (as received, transfer-coding removed); what exceeds it is cut and marked.
    pub body_bytes: u64,
    /// From the start of the connection to the last byte.
    pub total_ms: u64,
    /// Whether a body of a type outside the configured list is cut to nothing.
    pub any_content_type: AnyContentType,
}

/// Whether the content-type filter applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyContentType {
    /// Keep the body whatever its type (robots.txt, sitemaps).
    Yes,
    /// Keep only configured types.
    No,
}

/// The end of a fetch action.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Which action.
    pub ticket: Ticket,
    /// The address that was contacted.
    pub address: IpAddr,
    /// When the connection was begun.
    pub started: Timestamp,
    /// When the last byte came or the attempt was given up.
    pub ended: Timestamp,
    /// Capture or failure.
    pub outcome: Outcome,
}

/// One capture or one typed failure.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// A response, with at least a complete head. Shared, never copied: a body changes thread by pointer.
    Captured(Arc<Capture>),
    /// No response.
    Failed(Failure),
}
