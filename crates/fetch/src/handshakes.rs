use rustls::HandshakeKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts TLS connections; all that share one count into the same.
#[derive(Debug, Clone, Default)]
pub struct Handshakes(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    made: AtomicU64,
    resumed: AtomicU64,
}

impl Handshakes {
    /// Connections made.
    pub fn made(&self) -> u64 {
        self.0.made.load(Ordering::Relaxed)
    }

    /// Those of them that went on with an earlier session.
    pub fn resumed(&self) -> u64 {
        self.0.resumed.load(Ordering::Relaxed)
    }

    pub(crate) fn note(&self, kind: Option<HandshakeKind>) {
        self.0.made.fetch_add(1, Ordering::Relaxed);
        self.0.resumed.fetch_add(u64::from(kind == Some(HandshakeKind::Resumed)), Ordering::Relaxed);
    }
}
