use crate::limits::IDLE_SERVERS;
use cluster::{ClaimId, NodeId, clock_of};
use frontier::limits::HOSTS_COMPARED;
use frontier::{Address, HostId, Reach};
use std::collections::{BTreeSet, VecDeque};
use std::net::IpAddr;
use stdx::{Map, Timestamp};

/// A host of one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HostRef {
    pub(crate) shard: u8,
    pub(crate) host: HostId,
}

/// Somebody who stands in a server's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) by: Claimant,
    /// The server.
    pub(crate) ip: IpAddr,
    /// How long it is left alone after the contact.
    pub(crate) delay_ms: u64,
    /// How many URLs wait at the host.
    pub(crate) pending: u64,
}

/// Who wants to contact a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimant {
    /// A host of this node that has its turn.
    Host {
        who: HostRef,
        /// What it will contact.
        address: Address,
    },
    /// Another node, by its claim.
    Peer { node: NodeId, claim: ClaimId },
}

/// What came of asking for a server's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reservation {
    /// The server is the claimant's now, until released.
    Granted,
    /// The claimant stands in the server's queue.
    Queued,
}

/// The clocks of the server addresses that this node owns, above all shards: many hosts on one machine must not add up. One
/// contact at a time, and the delay from its end to the start of the next.
#[derive(Debug)]
pub(crate) struct ServerClocks {
    delay_ms: u64,
    floor_ms: u64,
    not_before: Timestamp,
    servers: Map<IpAddr, Server>,
    /// Servers somebody waits for and nobody holds, by the moment they are free.
    calendar: BTreeSet<(Timestamp, IpAddr)>,
    /// Of these, the ones that another node waits for.
    calendar_of_peers: BTreeSet<(Timestamp, IpAddr)>,
    /// With so many clocks, those that have run out are dropped.
    sweep_at: usize,
}

#[derive(Debug, Default)]
struct Server {
    next_at: Timestamp,
    /// The delay of the contact that is under way.
    held: Option<u64>,
    queue: VecDeque<Claim>,
    /// Claims of other nodes in the queue.
    of_peers: usize,
    /// Times it was given to one of its queue.
    turns: u32,
}

impl Claim {
    fn is_of_peer(&self) -> bool {
        matches!(self.by, Claimant::Peer { .. })
    }
}

impl Server {
    fn most_to_do(&self) -> usize {
        let compared = self.queue.iter().take(HOSTS_COMPARED).enumerate();
        compared.max_by_key(|(_, claim)| claim.pending).map_or(0, |(index, _)| index)
    }

    fn push(&mut self, claim: Claim) {
        self.of_peers += usize::from(claim.is_of_peer());
        self.queue.push_back(claim);
    }

    fn take(&mut self, index: usize) -> Option<Claim> {
        let claim = self.queue.remove(index)?;
        self.of_peers -= usize::from(claim.is_of_peer());
        self.held = Some(claim.delay_ms);
        Some(claim)
    }
}

impl ServerClocks {
    pub(crate) fn new(delay_ms: u64, floor_ms: u64) -> Self {
        Self {
            delay_ms,
            floor_ms,
            not_before: Timestamp::ZERO,
            servers: stdx::map(),
            calendar: BTreeSet::new(),
            calendar_of_peers: BTreeSet::new(),
            sweep_at: IDLE_SERVERS,
        }
    }

    /// How long a server is left alone.
    pub(crate) fn delay_for(&self, reach: Reach) -> u64 {
        match reach {
            Reach::Public => self.delay_ms.max(self.floor_ms),
            Reach::Allowed => self.delay_ms,
        }
    }

    /// Asks for a server, one that is left alone at all.
    pub(crate) fn reserve(&mut self, claim: Claim, now: Timestamp) -> Reservation {
        self.forget_idle(now);
        let server = Self::entry(&mut self.servers, self.not_before, claim.ip);
        if server.held.is_none() && server.queue.is_empty() && server.next_at <= now {
            server.held = Some(claim.delay_ms);
            return Reservation::Granted;
        }
        self.unschedule(claim.ip);
        Self::entry(&mut self.servers, self.not_before, claim.ip).push(claim);
        self.schedule(claim.ip);
        Reservation::Queued
    }

    /// Gives a free server to somebody who waits for it: by turns to the one that has waited longest and to the one with
    /// the most to do, so that many small hosts do not hold up a large one.
    pub(crate) fn next_granted(&mut self, now: Timestamp) -> Option<Claim> {
        let &(at, id) = self.calendar.first()?;
        if at > now {
            return None;
        }
        self.unschedule(id);
        let server = self.servers.get_mut(&id)?;
        server.turns = server.turns.wrapping_add(1);
        let next = if server.turns.is_multiple_of(2) { 0 } else { server.most_to_do() };
        server.take(next)
    }

    /// Gives a free server to the node that has waited longest for it, whoever of this node waits too.
    pub(crate) fn next_granted_to_peer(&mut self, now: Timestamp) -> Option<Claim> {
        let &(at, id) = self.calendar_of_peers.first()?;
        if at > now {
            return None;
        }
        self.unschedule(id);
        let server = self.servers.get_mut(&id)?;
        let first = server.queue.iter().position(Claim::is_of_peer)?;
        server.take(first)
    }

    /// When [`ServerClocks::next_granted`] may give something.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(at, _)| at)
    }

    /// When [`ServerClocks::next_granted_to_peer`] may give something.
    pub(crate) fn next_due_for_peer(&self) -> Option<Timestamp> {
        self.calendar_of_peers.first().map(|&(at, _)| at)
    }

    /// A contact of this node ended.
    pub(crate) fn contacted(&mut self, address: Address, ended: Timestamp) {
        let delay_ms = self.delay_for(address.reach);
        if delay_ms > 0 {
            self.free(address.ip, ended + delay_ms);
        }
    }

    /// A reservation was not used.
    pub(crate) fn cancel(&mut self, ip: IpAddr) {
        if self.servers.contains_key(&clock_of(ip)) {
            self.free(ip, Timestamp::ZERO);
        }
    }

    /// A server is lent: whatever becomes of the lease, its contact has ended by then, and the clock says so from now on.
    pub(crate) fn lent(&mut self, ip: IpAddr, until: Timestamp) {
        if let Some(server) = self.servers.get_mut(&clock_of(ip)) {
            server.next_at = until + server.held.unwrap_or(0);
        }
    }

    /// A lease ended, and its contact, if there was one.
    pub(crate) fn given_back(&mut self, ip: IpAddr, contact_ended: Option<Timestamp>) {
        if let Some(server) = self.servers.get_mut(&clock_of(ip)) {
            let delay_ms = server.held.take().unwrap_or(0);
            server.next_at = contact_ended.map_or(Timestamp::ZERO, |ended| ended + delay_ms);
            self.schedule(ip);
        }
    }

    /// Drops the claims of a node.
    pub(crate) fn forget_claims_of(&mut self, node: NodeId) {
        let is_of_node = |claim: &Claim| matches!(claim.by, Claimant::Peer { node: by, .. } if by == node);
        let mut ids: Vec<IpAddr> =
            self.servers.iter().filter(|(_, server)| server.of_peers > 0).map(|(id, _)| *id).collect();
        ids.sort_unstable();
        for id in ids {
            self.unschedule(id);
            let server = Self::entry(&mut self.servers, self.not_before, id);
            server.queue.retain(|claim| !is_of_node(claim));
            server.of_peers = server.queue.iter().filter(|claim| claim.is_of_peer()).count();
            self.schedule(id);
        }
    }

    /// After an unclean stop: no server before its full delay, and none that may be lent before `lease_ms` have passed too.
    pub(crate) fn restart(&mut self, now: Timestamp, lease_ms: u64) {
        self.not_before = now + lease_ms + self.delay_ms.max(self.floor_ms);
        for server in self.servers.values_mut() {
            server.next_at = server.next_at.max(self.not_before);
        }
    }

    /// Clocks that are kept.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.servers.len()
    }

    /// Hosts of this node that stand in a queue.
    pub(crate) fn queued(&self) -> usize {
        self.servers.values().map(|server| server.queue.len() - server.of_peers).sum()
    }

    /// Clocks that have not run out, for a checkpoint.
    pub(crate) fn save(&self, now: Timestamp) -> Vec<(IpAddr, Timestamp)> {
        let clocks = self.servers.iter().map(|(id, server)| (*id, server.next_at));
        let mut clocks: Vec<_> = clocks.filter(|&(_, next_at)| next_at > now).collect();
        clocks.sort_unstable();
        clocks
    }

    /// Servers that nothing is known of are not contacted before this.
    pub(crate) fn not_before(&self) -> Timestamp {
        self.not_before
    }

    pub(crate) fn hold_unknown(&mut self, until: Timestamp) {
        self.not_before = self.not_before.max(until);
    }

    pub(crate) fn load(&mut self, clocks: Vec<(IpAddr, Timestamp)>) {
        for (id, next_at) in clocks {
            self.servers.insert(id, Server { next_at, ..Server::default() });
        }
    }

    fn entry(servers: &mut Map<IpAddr, Server>, not_before: Timestamp, ip: IpAddr) -> &mut Server {
        servers.entry(clock_of(ip)).or_insert_with(|| Server { next_at: not_before, ..Server::default() })
    }

    /// Nobody holds the server any more; it is left alone until `next_at`.
    fn free(&mut self, ip: IpAddr, next_at: Timestamp) {
        self.unschedule(ip);
        let server = Self::entry(&mut self.servers, self.not_before, ip);
        server.next_at = server.next_at.max(next_at);
        server.held = None;
        self.schedule(ip);
    }

    /// Puts a server into the calendars where it belongs: when somebody waits for it and nobody holds it.
    fn schedule(&mut self, ip: IpAddr) {
        let id = clock_of(ip);
        let Some(server) = self.servers.get(&id).filter(|server| server.held.is_none()) else { return };
        if !server.queue.is_empty() {
            self.calendar.insert((server.next_at, id));
        }
        if server.of_peers > 0 {
            self.calendar_of_peers.insert((server.next_at, id));
        }
    }

    /// Takes a server out of the calendars, before anything about it changes.
    fn unschedule(&mut self, ip: IpAddr) {
        let id = clock_of(ip);
        let Some(server) = self.servers.get(&id) else { return };
        self.calendar.remove(&(server.next_at, id));
        self.calendar_of_peers.remove(&(server.next_at, id));
    }

    fn forget_idle(&mut self, now: Timestamp) {
        if self.servers.len() < self.sweep_at {
            return;
        }
        self.servers
            .retain(|_, server| server.held.is_some() || !server.queue.is_empty() || server.next_at > now);
        self.sweep_at = IDLE_SERVERS.max(2 * self.servers.len());
    }
}
