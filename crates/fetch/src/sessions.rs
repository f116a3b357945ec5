mod visit;

pub(crate) use visit::Visit;

use crate::limits::{TLS_HOST_BYTES, TLS_SESSION_BYTES};
use rustls::NamedGroup;
use rustls::client::{Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use stdx::{Map, Rng, map};

/// What hosts left us to go on with (RFC 8446, section 2.2): of each its last session only, since a crawl makes one connection to
/// a host after the other and each brings a ticket for the next. Where there is no room for another host, any one is forgotten: a crawl goes
/// round its hosts, and were it the one that was met longest ago, a round of more hosts than have room would find none of them.
///
/// The store of rustls keeps eight tickets a host, each with a copy of its certificates, forgets who came first, and bounds how many
/// there are but not their size. rustls calls from the handshakes of one loop; hence a lock, held for a few instructions.
///
/// Sessions end with the process: rustls 0.23 lets nobody take one apart to write it down (its issue 2287). Version 0.24 will
/// (`Tls13Session::encode`); of that there are previews only, which tokio-rustls does not speak.
pub(crate) struct Sessions(Mutex<Hosts>);

struct Hosts {
    known: Map<ServerName<'static>, Host>,
    /// The same, to pick one of.
    names: Vec<ServerName<'static>>,
    lottery: Rng,
    /// What they take.
    bytes: u64,
    limit: u64,
}

#[derive(Default)]
struct Host {
    group: Option<NamedGroup>,
    session: Option<Session>,
    /// What the session takes at most.
    bytes: u64,
}

enum Session {
    Tls12(Tls12ClientSessionValue),
    /// Good for one handshake.
    Tls13(Tls13ClientSessionValue),
}

impl Sessions {
    /// Of hosts that take at most `limit` bytes together, and one at least.
    pub(crate) fn new(limit: u64) -> Self {
        let (known, names, lottery) = (map(), Vec::new(), Rng::new(0));
        Self(Mutex::new(Hosts { known, names, lottery, bytes: 0, limit }))
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hosts {
    /// Notes something about a host that is met.
    fn meet(&mut self, name: ServerName<'static>, note: impl FnOnce(&mut Host)) {
        if !self.known.contains_key(&name) {
            self.names.push(name.clone());
            self.bytes += TLS_HOST_BYTES;
        }
        let host = self.known.entry(name).or_default();
        self.bytes -= host.bytes;
        note(host);
        self.bytes += host.bytes;
        while self.bytes > self.limit && self.names.len() > 1 {
            self.forget_any();
        }
    }

    /// The host's last session for this version is from now on this one. One that is too long is not remembered, and the one before it is.
    fn keep(&mut self, name: ServerName<'static>, session: Session, bytes: u64) {
        if bytes <= TLS_SESSION_BYTES {
            self.meet(name, |host| (host.session, host.bytes) = (Some(session), bytes));
        }
    }

    /// The host's session, if it is one that is asked for, taken out.
    fn take(
        &mut self,
        name: &ServerName<'static>,
        is_asked_for: impl FnOnce(&mut Session) -> bool,
    ) -> Option<Session> {
        let host = self.known.get_mut(name)?;
        let session = host.session.take_if(is_asked_for)?;
        self.bytes -= std::mem::take(&mut host.bytes);
        Some(session)
    }

    fn forget_any(&mut self) {
        let any = self.lottery.below(self.names.len() as u64) as usize;
        let forgotten = self.known.remove(&self.names.swap_remove(any));
        self.bytes -= TLS_HOST_BYTES + forgotten.map_or(0, |host| host.bytes);
    }
}

/// Without what it holds: that is secret.
impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}
