use crate::character::{Certificate, NameFate, certificate, name};
use crate::draw::{Purpose, hash};
use crate::host::HostId;
use crate::web::Web;
use std::net::Ipv4Addr;

/// What the name server says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// One address.
    Address {
        /// In 127.0.0.0/8, or in 10.0.0.0/8 for a name that points to a private network.
        address: Ipv4Addr,
        /// How long it may be kept.
        ttl_s: u32,
    },
    /// There is no such name.
    NoSuchName,
    /// The name server fails.
    ServerFailure,
}

impl Web {
    /// The address of a host name (any case) at `time_ms`. Hosts of one domain share a server, and
    /// domains share servers as far as there are fewer addresses than domains.
    pub fn address_of(&self, name: &str, time_ms: u64) -> Resolution {
        match self.host(name) {
            Some(host) => self.resolve(host, time_ms),
            None => Resolution::NoSuchName,
        }
    }

    /// The server a host is on, whether or not its name resolves.
    pub fn server_of(&self, host: HostId) -> Ipv4Addr {
        let number = hash(self.config.seed, Purpose::Server, u64::from(host.domain), 0);
        let number = number % u64::from(self.config.addresses);
        Ipv4Addr::new(127, 1 + (number >> 16) as u8, (number >> 8) as u8, number as u8)
    }

    /// The certificate that a host shows.
    pub fn certificate_of(&self, host: HostId) -> Certificate {
        certificate(&self.config, host)
    }

    /// Whether a perfect client comes as far as a request: the name resolves sooner or later, to an address
    /// it may contact, and the certificate verifies. An HTTPS host is lost over plain HTTP too when it has a
    /// bad one, since its robots.txt is only to be had over HTTPS.
    pub(crate) fn is_reachable(&self, host: HostId) -> bool {
        let named = matches!(name(&self.config, host), NameFate::Good | NameFate::Flapping);
        named && self.certificate_of(host) == Certificate::Good
    }

    fn resolve(&self, host: HostId, time_ms: u64) -> Resolution {
        let answer = |address| Resolution::Address { address, ttl_s: self.config.ttl_s };
        match name(&self.config, host) {
            NameFate::Dead => Resolution::NoSuchName,
            NameFate::Private => answer(Ipv4Addr::new(10, 1, (host.domain >> 8) as u8, host.domain as u8)),
            NameFate::Flapping if self.in_bad_window(!host.word(), time_ms).is_some() => {
                Resolution::ServerFailure
            }
            NameFate::Good | NameFate::Flapping => answer(self.server_of(host)),
        }
    }
}
