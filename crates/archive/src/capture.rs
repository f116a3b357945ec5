use crate::Handshake;
use crate::body::Body;
use crate::original::Original;
use bytes::Bytes;
use std::net::IpAddr;
use std::sync::Arc;
use stdx::WallTime;

/// One request and its response, as it will be archived.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The URL as requested.
    pub url: String,
    /// When the request was sent.
    pub started: WallTime,
    /// From the request's first byte to the response's last, in milliseconds.
    pub elapsed_ms: u32,
    /// The address that was connected to.
    pub address: IpAddr,
    /// `WARC-Protocol` values, innermost last: `http/1.1`, then for https `tls/1.3`.
    pub protocols: Vec<String>,
    /// `WARC-Cipher-Suite`, IANA name, for https.
    pub cipher_suite: Option<String>,
    /// What the TLS handshake of its connection showed, for https.
    pub handshake: Option<Arc<Handshake>>,
    /// Request line and headers as sent, to the empty line inclusive.
    pub request_head: Bytes,
    /// Status line and headers as received, to the empty line inclusive.
    pub response_head: Bytes,
    /// Status code.
    pub status: u16,
    /// The body with transfer-coding removed and content-coding kept.
    pub body: Body,
    /// Why the body is shorter than what the server would have sent.
    pub truncated: Option<Truncation>,
    /// The particulars of that, for people; not archived.
    pub cut_because: Option<String>,
    /// What the robots.txt in force said of its use: `train-ai=n, search=y`.
    pub usage: Option<String>,
    /// The answer of an earlier crawl that still stands, where the server said so (304); its fields are brought up to date.
    pub unchanged: Option<Arc<Original>>,
}

/// What a capture comes to for those who read pages: what was received, or what the server says still stands.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// Status code.
    pub status: u16,
    /// Status line and headers.
    pub head: &'a [u8],
    /// The body.
    pub body: &'a Body,
}

/// `WARC-Truncated`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// The body limit was reached.
    Length,
    /// The time limit was reached.
    Time,
    /// The connection ended early.
    Disconnect,
    /// What came is no HTTP, or a flood of what is no body. An archive has this as [`Disconnect`](Self::Disconnect).
    Fault,
    /// The TLS connection ended as TCP does, not as TLS should, where nothing else tells the end of the body: it may be whole (RFC 9112,
    /// section 9.8). An archive has this as [`Disconnect`](Self::Disconnect).
    Unclosed,
    /// Not wanted: a type outside the configured list, so the body was not read.
    Unspecified,
}

/// What the crawl knows about a capture beyond the exchange itself; goes into its `metadata` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureMeta {
    /// The page the URL was found on; `None` for seeds.
    pub via: Option<String>,
    /// Links followed from a seed to here.
    pub hops: u32,
    /// What it was fetched for.
    pub purpose: Purpose,
}

/// What a capture was fetched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A page of the crawl.
    Page,
    /// robots.txt of an authority.
    Robots,
    /// A sitemap.
    Sitemap,
}

/// What a capture's other fields and its allocations take, about.
const FIXED_BYTES: usize = 1 << 10;

/// Nothing else is asked for again with conditions.
const OK: u16 = 200;

impl Capture {
    /// What it says.
    pub fn content(&self) -> Content<'_> {
        match &self.unchanged {
            Some(original) => Content { status: OK, head: &original.head, body: &original.body },
            None => Content { status: self.status, head: &self.response_head, body: &self.body },
        }
    }

    /// Bytes of memory that go with its body.
    pub fn beside_bytes(&self) -> usize {
        let unchanged = self.unchanged.as_ref().map_or(0, |original| original.held_bytes());
        FIXED_BYTES + self.url.len() + self.request_head.len() + self.response_head.len() + unchanged
    }
}

impl Truncation {
    /// The value of `WARC-Truncated`.
    pub fn name(self) -> &'static str {
        self.to_warc().name()
    }

    pub(crate) fn to_warc(self) -> warc::Truncation {
        match self {
            Self::Length => warc::Truncation::Length,
            Self::Time => warc::Truncation::Time,
            Self::Disconnect | Self::Fault | Self::Unclosed => warc::Truncation::Disconnect,
            Self::Unspecified => warc::Truncation::Unspecified,
        }
    }

    pub(crate) fn from_warc(reason: warc::Truncation) -> Self {
        match reason {
            warc::Truncation::Length => Self::Length,
            warc::Truncation::Time => Self::Time,
            warc::Truncation::Disconnect => Self::Disconnect,
            warc::Truncation::Unspecified => Self::Unspecified,
        }
    }
}
