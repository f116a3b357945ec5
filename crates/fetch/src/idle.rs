use crate::connection::Connection;
use crate::exchange::Reusable;
use crawler::FetchJob;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use stdx::{Map, map};
use tokio::time::{Instant, sleep_until};

/// Open connections that wait for the next request to the same authority at the same address; at most
/// one a host, whatever its schemes, ports and addresses. The fetches of one loop share it; hence a lock, held for a few instructions.
#[derive(Clone)]
pub(crate) struct IdleConnections {
    shared: Arc<Mutex<Idle>>,
    limit: usize,
}

/// Who a connection is with: scheme, host and port as in the URL, and the address dialled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Peer {
    /// Without the root dot.
    host: String,
    authority: String,
    address: SocketAddr,
}

impl Peer {
    pub(crate) fn of(job: &FetchJob) -> Self {
        let host = job.url.host().trim_end_matches('.').to_owned();
        Self { host, authority: job.url.authority().to_owned(), address: job.address }
    }
}

#[derive(Default)]
struct Idle {
    /// By host.
    parked: Map<String, Parked>,
    has_reaper: bool,
}

struct Parked {
    peer: Peer,
    connection: Connection,
    until: Instant,
}

impl IdleConnections {
    pub(crate) fn new(limit: usize) -> Self {
        let idle = Idle { parked: map(), has_reaper: false };
        Self { shared: Arc::new(Mutex::new(idle)), limit }
    }

    /// The connection kept for `peer`, if it is still open. One to somebody else of the same host is closed.
    pub(crate) async fn take(&self, peer: &Peer) -> Option<Connection> {
        let mut parked = lock(&self.shared).parked.remove(&peer.host)?;
        let may_serve = parked.peer == *peer && Instant::now() < parked.until;
        (may_serve && parked.connection.is_open().await).then_some(parked.connection)
    }

    /// Keeps a connection for as long as it may idle.
    pub(crate) fn put(&self, peer: Peer, reusable: Reusable) {
        if self.limit == 0 {
            return;
        }
        let until = Instant::now() + Duration::from_millis(reusable.idle_ms);
        let mut idle = lock(&self.shared);
        idle.make_room(self.limit);
        idle.parked.insert(peer.host.clone(), Parked { peer, connection: reusable.connection, until });
        if !std::mem::replace(&mut idle.has_reaper, true) {
            tokio::spawn(reap(Arc::downgrade(&self.shared)));
        }
    }

    /// Closes all.
    pub(crate) fn clear(&self) {
        lock(&self.shared).parked.clear();
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        lock(&self.shared).parked.len()
    }
}

impl Idle {
    fn make_room(&mut self, limit: usize) {
        while self.parked.len() >= limit {
            let next = self.parked.iter().min_by_key(|(_, parked)| parked.until);
            let Some(host) = next.map(|(host, _)| host.clone()) else { return };
            self.parked.remove(&host);
        }
    }

    /// Closes what has idled long enough; when to look again, if anything is left.
    fn expire(&mut self, now: Instant) -> Option<Instant> {
        self.parked.retain(|_, parked| parked.until > now);
        let next = self.parked.values().map(|parked| parked.until).min();
        self.has_reaper = next.is_some();
        next
    }
}

/// Runs while anything is parked, and ends with the last of it or with the fetcher.
async fn reap(idle: Weak<Mutex<Idle>>) {
    loop {
        let Some(shared) = idle.upgrade() else { return };
        let Some(next) = lock(&shared).expire(Instant::now()) else { return };
        drop(shared);
        sleep_until(next).await;
    }
}

fn lock(shared: &Mutex<Idle>) -> MutexGuard<'_, Idle> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
