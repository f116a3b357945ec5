use crate::clock::Clock;
use crate::content_type::KeptTypes;
use crate::cookies::Cookies;
use crate::handshakes::Handshakes;
use crate::limits::Limits;
use crate::policy::AddressPolicy;
use crate::route::Route;
use crate::signature::Signer;
use archive::{EarlierCrawl, Intake};
use std::net::SocketAddr;
use std::sync::Arc;
use stdx::{Timestamp, WallTime};
use thiserror::Error;

/// Everything a [`crate::Fetcher`] is told once.
#[derive(Debug, Clone)]
pub struct FetchConfig {
    /// The `User-Agent` header, as it stands.
    pub user_agent: String,
    /// DNS servers to ask, best first; from `--dns`, or from [`crate::system_upstreams`].
    pub dns: Vec<SocketAddr>,
    /// Which kinds of address are asked for, and which come first.
    pub families: Families,
    /// Root certificates in PEM to trust beside those that browsers trust.
    pub ca_pem: Option<Vec<u8>>,
    /// What to do about a certificate that does not verify.
    pub certificates: Certificates,
    /// Which versions of HTTP servers are offered.
    pub versions: HttpVersions,
    /// How connections leave this machine.
    pub route: Route,
    /// Which addresses may be contacted.
    pub policy: AddressPolicy,
    /// Which bodies are read.
    pub kept_types: KeptTypes,
    /// Bounds in time, rate and number.
    pub limits: Limits,
    /// Where bodies go.
    pub intake: Intake,
    /// What an earlier crawl was answered, if there is one to look back on.
    pub earlier: Option<Arc<EarlierCrawl>>,
    /// The crawl's timeline.
    pub clock: Clock,
    /// Who signs requests, if somebody does (Web Bot Auth).
    pub signer: Option<Arc<Signer>>,
    /// Where cookies are kept, if they are.
    pub cookies: Option<Arc<Cookies>>,
    /// Where TLS connections are counted.
    pub handshakes: Handshakes,
}

impl FetchConfig {
    /// Every default, under this name; contacts only the public internet and knows no DNS server.
    pub fn new(user_agent: impl Into<String>) -> Self {
        Self {
            user_agent: user_agent.into(),
            dns: Vec::new(),
            families: Families::V4First,
            ca_pem: None,
            certificates: Certificates::Verify,
            versions: HttpVersions::OneAndTwo,
            route: Route::default(),
            policy: AddressPolicy::public(),
            kept_types: KeptTypes::default(),
            limits: Limits::default(),
            intake: Intake::in_memory(),
            earlier: None,
            clock: Clock::starting_at(Timestamp::ZERO, WallTime::from_unix_ms(0)),
            signer: None,
            cookies: None,
            handshakes: Handshakes::default(),
        }
    }
}

/// What to do about a certificate that does not verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificates {
    /// A typed failure.
    Verify,
    /// Accept it, and say in the capture what is wrong (`--insecure`).
    AcceptAndRecord,
}

/// Which versions of HTTP servers are offered, over TLS (ALPN, RFC 7301). Either way a host has one request at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpVersions {
    /// HTTP/1.1 only.
    One,
    /// HTTP/2 where the server has it, HTTP/1.1 elsewhere.
    OneAndTwo,
}

/// Which kinds of address are asked for, and which come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Families {
    /// A and AAAA, IPv4 first.
    V4First,
    /// A and AAAA, IPv6 first.
    V6First,
    /// A only.
    V4Only,
    /// AAAA only.
    V6Only,
}

/// Why there is no fetcher. All of them are faults of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FetchError {
    /// The user agent cannot be sent.
    #[error("user agent `{user_agent}` cannot be sent in a header: printable ASCII only, and not empty")]
    UserAgent {
        /// What was given.
        user_agent: String,
    },
    /// Nobody to ask for names.
    #[error("no DNS server: none given and none in the system's configuration")]
    NoUpstreams,
    /// The resolver could not be set up.
    #[error("DNS cannot be set up: {detail}")]
    Dns {
        /// The resolver's reason.
        detail: String,
    },
    /// The file of root certificates is unusable.
    #[error("the CA file is unusable: {detail}")]
    CaFile {
        /// What is wrong with it.
        detail: String,
    },
    /// TLS could not be set up.
    #[error("TLS cannot be set up: {detail}")]
    Tls {
        /// The library's reason.
        detail: String,
    },
}
