use std::fmt;
use thiserror::Error;

/// An absolute http or https URL, WHATWG-parsed, without fragment: the form that is requested.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    inner: url::Url,
}

/// Why a text is no URL that Drumlin could request.
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
}

impl Url {
    /// Parses an absolute URL.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        Self::check(text, url::Url::parse(text))
    }

    /// Resolves a reference found in a page whose base is `self`.
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        Self::check(reference, self.inner.join(reference))
    }

    fn check(text: &str, parsed: Result<url::Url, url::ParseError>) -> Result<Self, UrlError> {
        let mut inner =
            parsed.map_err(|e| UrlError::Malformed { text: text.to_owned(), reason: e.to_string() })?;
        if !matches!(inner.scheme(), "http" | "https") {
            return Err(UrlError::Scheme { text: text.to_owned(), scheme: inner.scheme().to_owned() });
        }
        inner.set_fragment(None);
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

    /// The port, given or default.
    pub fn port(&self) -> u16 {
        self.inner.port_or_known_default().unwrap_or(80)
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
