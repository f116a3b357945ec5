use crate::limits::{QUOTED_BYTES, URL_BYTES};
use crate::resolve;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use thiserror::Error;

/// An absolute http or https URL, WHATWG-parsed, without fragment and credentials: the form that is requested.
/// Never longer than 8,000 bytes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    inner: url::Url,
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
        Self::check(text, resolve::parse)
    }

    /// Parses a URL as people type it: without a scheme (`example.com/a`, `localhost:8080`) it is http.
    pub fn parse_typed(text: &str) -> Result<Self, UrlError> {
        let text = text.trim();
        if has_scheme(text) { Self::parse(text) } else { Self::parse(&format!("http://{text}")) }
    }

    /// Resolves a reference found in a page whose base is `self`.
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        Self::check(reference, |text| resolve::join(&self.inner, text))
    }

    fn check(
        text: &str,
        parse: impl Fn(&str) -> Result<url::Url, url::ParseError>,
    ) -> Result<Self, UrlError> {
        within_limit(text, text.len())?;
        let mut inner =
            parse(text).map_err(|e| UrlError::Malformed { text: quote(text), reason: e.to_string() })?;
        if !matches!(inner.scheme(), "http" | "https") {
            return Err(UrlError::Scheme { text: quote(text), scheme: inner.scheme().to_owned() });
        }
        inner.set_fragment(None);
        drop_credentials(&mut inner);
        within_limit(text, inner.as_str().len())?;
        Ok(Self { inner })
    }

    /// The whole URL.
    pub fn as_str(&self) -> &str {
        self.inner.as_str()
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &str {
        self.inner.scheme()
    }

    /// The host: a lower-case domain in ASCII, or an address (IPv6 in brackets).
    pub fn host(&self) -> &str {
        self.inner.host_str().unwrap_or("")
    }

    /// The address, when the host is written as one. It needs no resolution, and must be checked like a
    /// resolved one before it is contacted.
    pub fn ip_literal(&self) -> Option<IpAddr> {
        match self.inner.host()? {
            url::Host::Ipv4(address) => Some(address.into()),
            url::Host::Ipv6(address) => Some(address.into()),
            url::Host::Domain(_) => None,
        }
    }

    /// The port, given or default.
    pub fn port(&self) -> u16 {
        self.inner.port_or_known_default().unwrap_or(80)
    }

    /// The port, when it is not the scheme's default.
    pub fn explicit_port(&self) -> Option<u16> {
        self.inner.port()
    }

    /// `host` or `host:port` when the port is not the scheme's default, as in the `Host` header.
    pub fn host_port(&self) -> String {
        self.inner.port().map_or_else(|| self.host().to_owned(), |port| format!("{}:{port}", self.host()))
    }

    /// Scheme + host + port, the scope of a robots.txt (RFC 9309, section 2.3): `https://example.com:8443`.
    pub fn authority(&self) -> String {
        format!("{}://{}", self.scheme(), self.host_port())
    }

    /// The path, beginning with a slash.
    pub fn path(&self) -> &str {
        self.inner.path()
    }

    /// The query without its question mark.
    pub fn query(&self) -> Option<&str> {
        self.inner.query()
    }

    /// Path and query as they stand in the request line.
    pub fn request_target(&self) -> &str {
        let url = self.inner.as_str();
        &url[self.inner[..url::Position::BeforePath].len()..]
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
