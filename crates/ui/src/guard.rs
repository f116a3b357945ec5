//! Who may come in, and for what.

use crate::Token;
use http::{HeaderMap, HeaderName, StatusCode, header};
use std::net::IpAddr;

#[cfg(test)]
mod tests;

/// Through which door somebody comes.
#[derive(Debug, Clone)]
pub(crate) enum Door {
    /// The socket in the crawl's directory, which only its owner can open.
    Socket,
    /// TCP on this machine alone: everybody on it may look.
    Loopback(Token),
    /// TCP from anywhere.
    Remote(Token),
}

/// What somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errand {
    /// The page itself, which says nothing of the crawl.
    Page,
    /// To look.
    Look,
    /// To change something.
    Change,
}

/// Why somebody is sent away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Denied {
    pub(crate) status: StatusCode,
    pub(crate) reason: &'static str,
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

impl Door {
    /// Whether a request with these headers may do this.
    pub(crate) fn admit(&self, headers: &HeaderMap, errand: Errand) -> Result<(), Denied> {
        self.is_addressed(headers)?;
        self.is_of_our_page(headers)?;
        let needs = match (self, errand) {
            (Self::Socket, _) | (_, Errand::Page) | (Self::Loopback(_), Errand::Look) => None,
            (Self::Loopback(token) | Self::Remote(token), _) => Some(token),
        };
        let authorization = headers.get(header::AUTHORIZATION).map(http::HeaderValue::as_bytes);
        match needs {
            Some(token) if !authorization.is_some_and(|given| token.is_borne_by(given)) => Err(Denied {
                status: StatusCode::UNAUTHORIZED,
                reason: "this needs the token that was printed at start: Authorization: Bearer …",
            }),
            _ => Ok(()),
        }
    }

    /// A name that somebody has made to mean this machine (DNS rebinding) is not a name of this machine.
    fn is_addressed(&self, headers: &HeaderMap) -> Result<(), Denied> {
        if headers.get_all(header::HOST).iter().nth(1).is_some() {
            // RFC 9112, section 3.2.
            return Err(Denied { status: StatusCode::BAD_REQUEST, reason: "a request has one Host" });
        }
        let host = text(headers, header::HOST).map(without_port).unwrap_or_default();
        match self {
            Self::Loopback(_) if !is_ours(host) => Err(Denied {
                status: StatusCode::MISDIRECTED_REQUEST,
                reason: "ask for localhost, or for an address of loopback such as 127.0.0.1 or [::1]",
            }),
            _ => Ok(()),
        }
    }

    /// What a page of another site has a browser send comes with that site's origin, or is marked as cross-site.
    fn is_of_our_page(&self, headers: &HeaderMap) -> Result<(), Denied> {
        let host = text(headers, header::HOST).unwrap_or_default();
        let origin = text_or_garbled(headers, header::ORIGIN);
        let is_ours = origin.is_none_or(|origin| self.authority(origin) == Some(host));
        let site = text_or_garbled(headers, SEC_FETCH_SITE);
        let is_same_site = site.is_none_or(|site| matches!(site, "same-origin" | "none"));
        if is_ours && is_same_site {
            return Ok(());
        }
        Err(Denied { status: StatusCode::FORBIDDEN, reason: "another site may not ask this" })
    }

    /// Of an origin that may be ours. What other machines reach is best behind something that encrypts: browsers know the page by
    /// https then.
    fn authority<'a>(&self, origin: &'a str) -> Option<&'a str> {
        let encrypted = || origin.strip_prefix("https://").filter(|_| matches!(self, Self::Remote(_)));
        origin.strip_prefix("http://").or_else(encrypted)
    }
}

/// What means this machine wherever it is asked for: an address of loopback, or the name that stands for one.
fn is_ours(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let address = bare.parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|ip| ip.to_canonical().is_loopback())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// What cannot be read is not absent.
fn text_or_garbled(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("garbled"))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
