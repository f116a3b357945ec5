use crate::failure::failure;
use crawler::{Failure, FailureKind};
use data_encoding::BASE64;
use percent_encoding::percent_decode_str;
use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;
use thiserror::Error;
use tokio::net::TcpStream;

mod http;
mod socks;

/// Somebody who makes connections in our place: every one is a tunnel to a checked address.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    speaks: Protocol,
    address: SocketAddr,
    credentials: Option<Credentials>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    /// `CONNECT` (RFC 9110, section 9.3.6).
    Http,
    /// RFC 1928.
    Socks5,
}

#[derive(Clone, PartialEq, Eq)]
struct Credentials {
    user: String,
    password: String,
}

/// Why a text names no proxy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProxyError {
    /// Not `http` and not `socks5`.
    #[error("a proxy is http://… or socks5://…")]
    Scheme,
    /// The proxy is named, or its port is missing or 0.
    #[error("a proxy is at IP:PORT, the port not 0, with nothing after it")]
    Address,
    /// No user and password could be read.
    #[error("user and password stand as user:password before the @, percent-encoded, 255 bytes each at most")]
    Credentials,
}

/// The longest user or password that SOCKS can carry (RFC 1929, section 2).
const CREDENTIAL_BYTES: usize = 255;

impl Proxy {
    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Asks for a connection to `to` on `tcp`, which leads to the proxy.
    pub(super) async fn tunnel(&self, mut tcp: TcpStream, to: SocketAddr) -> Result<TcpStream, Failure> {
        let credentials = self.credentials.as_ref();
        let connected = match self.speaks {
            Protocol::Http => http::connect(&mut tcp, to, credentials).await,
            Protocol::Socks5 => socks::connect(&mut tcp, to, credentials).await,
        };
        match connected {
            Ok(()) => Ok(tcp),
            Err(Refusal::OfUs(detail)) => {
                Err(failure(FailureKind::Local, format!("{self} turns us away: {detail}")))
            }
            // It is up: if it does not connect, whoever is behind it is down.
            Err(Refusal::OfTarget(detail)) => {
                let detail = format!("{self} does not connect to {to}: {detail}");
                Err(failure(FailureKind::ConnectTimeout, detail))
            }
        }
    }
}

/// What a proxy does not do.
enum Refusal {
    /// Anything for us.
    OfUs(String),
    /// To connect to whom it was asked for.
    OfTarget(String),
}

impl FromStr for Proxy {
    type Err = ProxyError;

    /// `http://192.0.2.1:3128`, `socks5://user:password@[2001:db8::1]:1080`.
    fn from_str(text: &str) -> Result<Self, ProxyError> {
        let (scheme, rest) = text.split_once("://").ok_or(ProxyError::Scheme)?;
        let speaks = match scheme {
            "http" => Protocol::Http,
            "socks5" => Protocol::Socks5,
            _ => return Err(ProxyError::Scheme),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (credentials, place) = match authority.rsplit_once('@') {
            Some((credentials, place)) => (Some(credentials.parse()?), place),
            None => (None, authority),
        };
        let address = place.parse().ok().filter(|address: &SocketAddr| address.port() != 0);
        let address = address.ok_or(ProxyError::Address)?;
        Ok(Self { speaks, address, credentials })
    }
}

impl FromStr for Credentials {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        let (user, password) = text.split_once(':').ok_or(ProxyError::Credentials)?;
        let decode = |text| {
            let decoded = percent_decode_str(text).decode_utf8().map_err(|_| ProxyError::Credentials)?;
            let fits = decoded.len() <= CREDENTIAL_BYTES;
            if fits { Ok(decoded.into_owned()) } else { Err(ProxyError::Credentials) }
        };
        Ok(Self { user: decode(user)?, password: decode(password)? })
    }
}

impl Credentials {
    /// RFC 7617.
    fn basic(&self) -> String {
        format!("Basic {}", BASE64.encode(format!("{}:{}", self.user, self.password).as_bytes()))
    }
}

/// Without its password.
impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.speaks {
            Protocol::Http => "http",
            Protocol::Socks5 => "socks5",
        };
        write!(f, "proxy {scheme}://{}", self.address)
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
