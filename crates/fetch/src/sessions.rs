mod visit;

pub(crate) use visit::Visit;

use crate::bounded::{Bounded, Bytes};
use crate::limits::{TLS_HOST_BYTES, TLS_SESSION_BYTES};
use rustls::NamedGroup;
use rustls::client::{Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What hosts left us to go on with (RFC 8446, section 2.2): of each its last session only, since a crawl makes one connection to
/// a host after the other and each brings a ticket for the next.
///
/// The store of rustls keeps eight tickets a host, each with a copy of its certificates, forgets who came first, and bounds how many
/// there are but not their size. rustls calls from the handshakes of one loop; hence a lock, held for a few instructions.
///
/// Sessions end with the process: rustls 0.23 lets nobody take one apart to write it down (its issue 2287). Version 0.24 will
/// (`Tls13Session::encode`); of that there are previews only, which tokio-rustls does not speak.
pub(crate) struct Sessions(Mutex<Hosts>);

type Hosts = Bounded<ServerName<'static>, Host>;

#[derive(Default)]
struct Host {
    group: Option<NamedGroup>,
    session: Option<Session>,
    /// What the session takes at most.
    session_bytes: u64,
}

enum Session {
    Tls12(Tls12ClientSessionValue),
    /// Good for one handshake.
    Tls13(Tls13ClientSessionValue),
}

impl Sessions {
    /// Of hosts that take at most `limit` bytes together, and one at least.
    pub(crate) fn new(limit: u64) -> Self {
        Self(Mutex::new(Bounded::new(limit)))
    }

    /// The host's last session for this version is from now on this one. One that is too long is not remembered, and the one before it is.
    fn keep(&self, name: ServerName<'static>, session: Session, bytes: u64) {
        if bytes <= TLS_SESSION_BYTES {
            self.hosts().meet(name, |host| (host.session, host.session_bytes) = (Some(session), bytes));
        }
    }

    /// The host's session, if it is one that is asked for, taken out.
    fn take(
        &self,
        name: &ServerName<'static>,
        is_asked_for: impl FnOnce(&mut Session) -> bool,
    ) -> Option<Session> {
        self.hosts().take(name, |host| {
            let session = host.session.take_if(is_asked_for)?;
            host.session_bytes = 0;
            Some(session)
        })
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bytes for Host {
    fn bytes(&self) -> u64 {
        TLS_HOST_BYTES + self.session_bytes
    }
}

/// Without what it holds: that is secret.
impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}
