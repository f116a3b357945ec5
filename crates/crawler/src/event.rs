use archive::Capture;
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
        /// The addresses.
        addresses: Vec<IpAddr>,
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

/// Why there is no response, and whose fault that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// The particulars, for people.
    pub detail: String,
}

/// What can go wrong between a URL and its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum FailureKind {
    /// The name does not exist or has no address.
    NameNotFound,
    /// The resolver did not answer, or answered with an error.
    NameServer,
    /// Every address is one that may not be contacted (private, loopback, link-local …).
    AddressRefused,
    /// Nobody listens.
    ConnectRefused,
    /// The connection could not be made in time, or the network says unreachable.
    ConnectTimeout,
    /// The connection was made but the response head did not come in time.
    ResponseTimeout,
    /// The server closed or reset the connection before the end of the head.
    Disconnected,
    /// The certificate does not verify.
    Certificate,
    /// TLS failed otherwise.
    Tls,
    /// The response is not HTTP, or its head breaks a limit.
    Protocol,
    /// Something on our side: too few descriptors, a bug.
    Local,
}

/// Whose fault a failure is; scheduling branches on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Blame {
    /// The host's name or its server.
    Server,
    /// The way there.
    Network,
    /// A rule of ours or the operator's.
    Policy,
    /// This program or its machine.
    Ours,
}

impl FailureKind {
    /// Whose fault it is.
    pub fn blame(self) -> Blame {
        match self {
            Self::NameNotFound | Self::ConnectRefused | Self::ResponseTimeout | Self::Disconnected => {
                Blame::Server
            }
            Self::Certificate | Self::Tls | Self::Protocol => Blame::Server,
            Self::NameServer | Self::ConnectTimeout => Blame::Network,
            Self::AddressRefused => Blame::Policy,
            Self::Local => Blame::Ours,
        }
    }
}
