use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use stdx::{Map, Rng, map};

/// What hosts left us to go on with (RFC 8446, section 2.2): of each its last session only, since a crawl makes one connection to
/// a host after the other and each brings a ticket for the next. Where there is no room for another host, any one is forgotten: a crawl goes
/// round its hosts, and were it the one that was met longest ago, a round of more hosts than have room would find none of them.
///
/// The store of rustls keeps eight tickets a host, each with a copy of its certificates, and forgets who came first. rustls
/// calls from the handshakes of one loop; hence a lock, held for a few instructions.
///
/// Sessions end with the process: rustls 0.23 lets nobody take one apart to write it down (its issue 2287).
pub(crate) struct Sessions(Mutex<Hosts>);

struct Hosts {
    known: Map<ServerName<'static>, Host>,
    /// The same, to pick one of.
    names: Vec<ServerName<'static>>,
    lottery: Rng,
    limit: usize,
}

#[derive(Default)]
struct Host {
    group: Option<NamedGroup>,
    session: Option<Session>,
}

enum Session {
    Tls12(Tls12ClientSessionValue),
    /// Good for one handshake.
    Tls13(Tls13ClientSessionValue),
}

impl Sessions {
    /// Of at most `limit` hosts, and one at least.
    pub(crate) fn new(limit: usize) -> Self {
        let (known, names, lottery) = (map(), Vec::new(), Rng::new(0));
        Self(Mutex::new(Hosts { known, names, lottery, limit: limit.max(1) }))
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hosts {
    /// Notes something about a host that is met.
    fn meet(&mut self, name: ServerName<'static>, note: impl FnOnce(&mut Host)) {
        if !self.known.contains_key(&name) {
            self.make_room(name.clone());
        }
        note(self.known.entry(name).or_default());
    }

    fn make_room(&mut self, name: ServerName<'static>) {
        if self.names.len() < self.limit {
            return self.names.push(name);
        }
        let any = self.lottery.below(self.names.len() as u64) as usize;
        let forgotten = std::mem::replace(&mut self.names[any], name);
        self.known.remove(&forgotten);
    }
}

impl ClientSessionStore for Sessions {
    fn set_kx_hint(&self, name: ServerName<'static>, group: NamedGroup) {
        self.hosts().meet(name, |host| host.group = Some(group));
    }

    fn kx_hint(&self, name: &ServerName<'_>) -> Option<NamedGroup> {
        self.hosts().known.get(name)?.group
    }

    fn set_tls12_session(&self, name: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.hosts().meet(name, |host| host.session = Some(Session::Tls12(session)));
    }

    fn tls12_session(&self, name: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        match self.hosts().known.get(name)?.session.as_ref()? {
            Session::Tls12(session) => Some(session.clone()),
            Session::Tls13(_) => None,
        }
    }

    fn remove_tls12_session(&self, name: &ServerName<'static>) {
        if let Some(host) = self.hosts().known.get_mut(name) {
            host.session.take_if(|session| matches!(session, Session::Tls12(_)));
        }
    }

    fn insert_tls13_ticket(&self, name: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.hosts().meet(name, |host| host.session = Some(Session::Tls13(ticket)));
    }

    fn take_tls13_ticket(&self, name: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        let mut hosts = self.hosts();
        let session = &mut hosts.known.get_mut(name)?.session;
        match session.take_if(|session| matches!(session, Session::Tls13(_)))? {
            Session::Tls13(ticket) => Some(ticket),
            Session::Tls12(_) => None,
        }
    }
}

/// Without what it holds: that is secret.
impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}
