use super::{Session, Sessions};
use crate::limits::TLS_CERTIFICATE_BYTES;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConnection, HandshakeKind, NamedGroup};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The sessions of hosts as one connection reads and writes them. rustls tells nobody how long a ticket is; but it is no longer than
/// what the connection has received, and the certificates are there to be counted once the handshake is done. What comes
/// before that waits for it.
pub(crate) struct Visit {
    sessions: Arc<Sessions>,
    /// Bytes of this connection, so far.
    received: AtomicU64,
    /// What a session of it takes beside those, once that is known.
    beside: OnceLock<u64>,
    early: Mutex<Option<(ServerName<'static>, Session)>>,
}

impl Visit {
    pub(crate) fn new(sessions: Arc<Sessions>) -> Self {
        Self { sessions, received: AtomicU64::new(0), beside: OnceLock::new(), early: Mutex::default() }
    }

    /// So much has come.
    pub(crate) fn received(&self, bytes: usize) {
        self.received.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The handshake is done. Where it went on with a session, the certificates are that one's, and did not come here.
    pub(crate) fn handshaken(&self, connection: &ClientConnection) {
        let chain = connection.peer_certificates().unwrap_or_default();
        let around = TLS_CERTIFICATE_BYTES * chain.len() as u64;
        let inherited = match connection.handshake_kind() {
            Some(HandshakeKind::Resumed) => chain.iter().map(|it: &CertificateDer<'_>| it.len() as u64).sum(),
            _ => 0,
        };
        let _ = self.beside.set(around + inherited);
        let early = self.early.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((name, session)) = early {
            self.keep(name, session);
        }
    }

    fn keep(&self, name: ServerName<'static>, session: Session) {
        match self.beside.get() {
            None => *self.early.lock().unwrap_or_else(PoisonError::into_inner) = Some((name, session)),
            Some(beside) => {
                let bytes = beside + self.received.load(Ordering::Relaxed);
                self.sessions.keep(name, session, bytes);
            }
        }
    }
}

impl ClientSessionStore for Visit {
    fn set_kx_hint(&self, name: ServerName<'static>, group: NamedGroup) {
        self.sessions.hosts().meet(name, |host| host.group = Some(group));
    }

    fn kx_hint(&self, name: &ServerName<'_>) -> Option<NamedGroup> {
        self.sessions.hosts().get(name)?.group
    }

    fn set_tls12_session(&self, name: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.keep(name, Session::Tls12(session));
    }

    fn tls12_session(&self, name: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        match self.sessions.hosts().get(name)?.session.as_ref()? {
            Session::Tls12(session) => Some(session.clone()),
            Session::Tls13(_) => None,
        }
    }

    fn remove_tls12_session(&self, name: &ServerName<'static>) {
        self.sessions.take(name, |session| matches!(session, Session::Tls12(_)));
    }

    fn insert_tls13_ticket(&self, name: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.keep(name, Session::Tls13(ticket));
    }

    fn take_tls13_ticket(&self, name: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        match self.sessions.take(name, |session| matches!(session, Session::Tls13(_)))? {
            Session::Tls13(ticket) => Some(ticket),
            Session::Tls12(_) => None,
        }
    }
}

/// Without what it holds: that is secret.
impl fmt::Debug for Visit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visit").field("received", &self.received).finish_non_exhaustive()
    }
}
