use crate::limits::{QUOTED_BYTES, URL_BYTES};
use crate::{plain, resolve};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::str::FromStr;
use thiserror::Error;

/// An absolute http or https URL, WHATWG-parsed, without fragment and credentials: the form that is requested.
/// Never longer than 8,000 bytes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    /// The whole of it. What follows is where its parts are.
    pub(crate) text: String,
    pub(crate) host_end: u32,
    pub(crate) path_start: u32,
    /// Behind the question mark.
    pub(crate) query_start: Option<NonZeroU32>,
}

/// Why a text is no URL that Drumlin could request. Quotes at most the first 120 bytes of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UrlError {
    /// The WHATWG parser refuses it.
    #[error("`{text}` is not a URL: {reason}")]
    Malformed {
        /// What was read.
        text: String,
        /// The parser's reason.
        reason: String,
    },
    /// It is a URL, but not of the web.
    #[error("`{text}` has scheme `{scheme}`; only http and https are crawled")]
    Scheme {
        /// What was read.
        text: String,
        /// Its scheme.
        scheme: String,
    },
    /// Servers refuse it, and so do we.
    #[error("`{text}` is {bytes} bytes long; URLs of at most {URL_BYTES} are requested")]
    TooLong {
        /// How it begins.
        text: String,
        /// Its length.
        bytes: usize,
    },
}

impl Url {
    /// Parses an absolute URL. Credentials in it are dropped: nobody's password is used by following a link.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        within_limit(text, text.len())?;
        match plain::parse(text) {
            Some(url) => within_limit(text, url.text.len()).map(|()| url),
            None => Self::check(text, resolve::parse(text)),
        }
    }

    /// Parses a URL as people type it: without a scheme (`example.com/a`, `localhost:8080`) it is http.
    pub fn parse_typed(text: &str) -> Result<Self, UrlError> {
        let text = text.trim();
        if has_scheme(text) { Self::parse(text) } else { Self::parse(&format!("http://{text}")) }
    }

    /// Parses an absolute URL of a list that people write. Control characters, which a page may have in its references, are refused: whoever
    /// puts a tab between a URL and a remark does not mean what both of them would make.
    pub fn parse_listed(text: &str) -> Result<Self, UrlError> {
        if text.contains(char::is_control) {
            let reason = "there is a tab or another control character in it".to_owned();
            return Err(UrlError::Malformed { text: quote(text), reason });
        }
        Self::parse(text)
    }

    /// Resolves a reference found in a page whose base is `self`.
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        within_limit(reference, reference.len())?;
        match plain::join(self, reference) {
            Some(url) => within_limit(reference, url.text.len()).map(|()| url),
            None => Self::check(reference, resolve::join(&self.text, reference)),
        }
    }

    fn check(text: &str, parsed: Result<url::Url, url::ParseError>) -> Result<Self, UrlError> {
        let mut parsed =
            parsed.map_err(|e| UrlError::Malformed { text: quote(text), reason: e.to_string() })?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(UrlError::Scheme { text: quote(text), scheme: parsed.scheme().to_owned() });
        }
        parsed.set_fragment(None);
        drop_credentials(&mut parsed);
        within_limit(text, parsed.as_str().len())?;
        Ok(Self::of(parsed))
    }

    fn of(parsed: url::Url) -> Self {
        let end = |position| parsed[..position].len() as u32;
        let query_start = parsed.query().and_then(|_| NonZeroU32::new(end(url::Position::BeforeQuery)));
        let (host_end, path_start) = (end(url::Position::AfterHost), end(url::Position::BeforePath));
        Self { text: parsed.into(), host_end, path_start, query_start }
    }

    /// The whole URL.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &str {
        &self.text[..self.host_start() - "://".len()]
    }

    /// The host: a lower-case domain in ASCII, or an address (IPv6 in brackets).
    pub fn host(&self) -> &str {
        &self.text[self.host_start()..self.host_end as usize]
    }

    /// The address, when the host is written as one. It needs no resolution, and must be checked like a
    /// resolved one before it is contacted.
    pub fn ip_literal(&self) -> Option<IpAddr> {
        let host = self.host();
        match host.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(Into::into),
            None => host.parse::<Ipv4Addr>().ok().map(Into::into),
        }
    }

    /// The port, given or default.
    pub fn port(&self) -> u16 {
        self.explicit_port().unwrap_or(if self.scheme() == "https" { 443 } else { 80 })
    }

    /// The port, when it is not the scheme's default.
    pub fn explicit_port(&self) -> Option<u16> {
        self.written_port().strip_prefix(':')?.parse().ok()
    }

    /// The port as it stands in the URL, with its colon; nothing where it is the scheme's default.
    pub(crate) fn written_port(&self) -> &str {
        &self.text[self.host_end as usize..self.path_start as usize]
    }

    /// `host` or `host:port` when the port is not the scheme's default, as in the `Host` header.
    pub fn host_port(&self) -> &str {
        &self.text[self.host_start()..self.path_start as usize]
    }

    /// Scheme + host + port, the scope of a robots.txt (RFC 9309, section 2.3): `https://example.com:8443`.
    pub fn authority(&self) -> &str {
        &self.text[..self.path_start as usize]
    }

    /// The path, beginning with a slash.
    pub fn path(&self) -> &str {
        &self.text[self.path_start as usize..self.path_end()]
    }

    /// The query without its question mark.
    pub fn query(&self) -> Option<&str> {
        self.query_start.map(|start| &self.text[start.get() as usize..])
    }

    /// Path and query as they stand in the request line.
    pub fn request_target(&self) -> &str {
        &self.text[self.path_start as usize..]
    }

    pub(crate) fn host_start(&self) -> usize {
        if self.text.as_bytes()[4] == b's' { "https://".len() } else { "http://".len() }
    }

    pub(crate) fn path_end(&self) -> usize {
        self.query_start.map_or(self.text.len(), |start| start.get() as usize - 1)
    }
}

fn drop_credentials(inner: &mut url::Url) {
    if !inner.username().is_empty() || inner.password().is_some() {
        let dropped = inner.set_username("").and_then(|()| inner.set_password(None));
        debug_assert!(dropped.is_ok(), "http URLs always have a host");
    }
}

fn within_limit(text: &str, bytes: usize) -> Result<(), UrlError> {
    if bytes <= URL_BYTES { Ok(()) } else { Err(UrlError::TooLong { text: quote(text), bytes }) }
}

fn quote(text: &str) -> String {
    let cut = text.floor_char_boundary(QUOTED_BYTES.min(text.len()));
    if cut == text.len() { text.to_owned() } else { format!("{}…", &text[..cut]) }
}

/// Whether a typed text names its scheme. `localhost:8080` looks like a scheme and is a port.
fn has_scheme(text: &str) -> bool {
    let Some((name, rest)) = text.split_once(':') else { return false };
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_name && !rest.starts_with(|c: char| c.is_ascii_digit())
}

impl From<Url> for String {
    fn from(url: Url) -> Self {
        url.text
    }
}

impl FromStr for Url {
    type Err = UrlError;
    fn from_str(text: &str) -> Result<Self, UrlError> {
        Self::parse(text)
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({})", self.as_str())
    }
}

impl Serialize for Url {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}
