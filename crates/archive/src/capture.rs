use bytes::Bytes;
use std::net::IpAddr;
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
    /// What is wrong with the certificate, when `--insecure` accepted it.
    pub certificate_error: Option<String>,
    /// Request line and headers as sent, to the empty line inclusive.
    pub request_head: Bytes,
    /// Status line and headers as received, to the empty line inclusive.
    pub response_head: Bytes,
    /// Status code.
    pub status: u16,
    /// The body with transfer-coding removed and content-coding kept.
    pub body: Bytes,
    /// Why the body is shorter than what the server would have sent.
    pub truncated: Option<Truncation>,
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
    /// Not wanted: a type outside the configured list, so the body was not read.
    Unspecified,
}
