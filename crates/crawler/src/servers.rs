use crate::limits::IDLE_SERVERS;
use crate::server::{Choice, Longest, Server};
use cluster::{ClaimId, NodeId, clock_of};
use frontier::{Address, Chain, HostId, Reach};
use std::collections::BTreeSet;
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
    /// How long its last contact took; nothing where that is not known.
    pub(crate) response_ms: u64,
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
    /// There is no room in the queue: the claimant is to come again then.
    PutOff(Timestamp),
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

    /// From now on servers are left alone for so long after a contact.
    pub(crate) fn set_delay(&mut self, delay_ms: u64) {
        self.delay_ms = delay_ms;
    }

    /// How long a server is left alone.
    pub(crate) fn delay_for(&self, reach: Reach) -> u64 {
        match reach {
            Reach::Public => self.delay_ms.max(self.floor_ms),
            Reach::Allowed => self.delay_ms,
        }
    }

    /// Asks for a server, one that is left alone at all, in whose queue `room` hosts may stand.
    pub(crate) fn reserve(&mut self, claim: Claim, room: usize, now: Timestamp) -> Reservation {
        self.forget_idle(now);
        self.unschedule(claim.ip);
        let server = Self::entry(&mut self.servers, self.not_before, claim.ip);
        let put_off = server.put_off(&claim, room, now);
        if put_off.is_none()
            && let Some(place) = server.join(claim, now)
        {
            server.take(place);
            return Reservation::Granted;
        }
        self.schedule(claim.ip);
        put_off.map_or(Reservation::Queued, Reservation::PutOff)
    }

    /// Gives a free server to somebody who waits for it.
    pub(crate) fn next_granted(&mut self, now: Timestamp) -> Option<Claim> {
        loop {
            let &(_, id) = self.calendar.first().filter(|(at, _)| *at <= now)?;
            self.unschedule(id);
            let server = self.servers.get_mut(&id)?;
            match server.choose(now) {
                Choice::Give(place) => return server.take(place),
                Choice::Keep(until) => server.kept_until = until,
            }
            self.schedule(id);
        }
    }

    /// What is left to a host that has just been contacted there, `response_ms` long.
    pub(crate) fn expects(&mut self, who: HostRef, address: Address, chain: Chain, response_ms: u64) {
        let turn_ms = self.delay_for(address.reach) + response_ms;
        if let Some(server) = self.servers.get_mut(&clock_of(address.ip)) {
            server.expect(Longest { who, chain, turn_ms });
        }
    }

    /// Gives a free server to the node that has waited longest for it, whoever of this node waits too.
    pub(crate) fn next_granted_to_peer(&mut self, now: Timestamp) -> Option<Claim> {
        let &(at, id) = self.calendar_of_peers.first()?;
        if at > now {
            return None;
        }
        self.unschedule(id);
        self.servers.get_mut(&id)?.take_of_peer()
    }

    /// When [`ServerClocks::next_granted`] may give something.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(at, _)| at)
    }

    /// When [`ServerClocks::next_granted_to_peer`] may give something.
    pub(crate) fn next_due_for_peer(&self) -> Option<Timestamp> {
        self.calendar_of_peers.first().map(|&(at, _)| at)
    }

    /// A contact of this node ended. The delay may have been taken back meanwhile: whoever was held to it is free.
    pub(crate) fn contacted(&mut self, address: Address, ended: Timestamp) {
        let delay_ms = self.delay_for(address.reach);
        if delay_ms > 0 || self.get(address.ip).is_some() {
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
            Self::entry(&mut self.servers, self.not_before, id).drop_claims(is_of_node);
            self.schedule(id);
        }
    }

    /// No server is left alone for longer than the delay, which may have been a longer one.
    pub(crate) fn shorten(&mut self, now: Timestamp, lease_ms: u64) {
        let most = now + lease_ms + self.delay_ms.max(self.floor_ms);
        self.not_before = self.not_before.min(most);
        for ip in self.servers.keys().copied().collect::<Vec<_>>() {
            self.unschedule(ip);
            let server = Self::entry(&mut self.servers, self.not_before, ip);
            server.next_at = server.next_at.min(most);
            self.schedule(ip);
        }
    }

    /// After an unclean stop: no server before its full delay, and none that may be lent before `lease_ms` have passed too.
    pub(crate) fn restart(&mut self, now: Timestamp, lease_ms: u64) {
        self.not_before = now + lease_ms + self.delay_ms.max(self.floor_ms);
        for ip in self.servers.keys().copied().collect::<Vec<_>>() {
            self.unschedule(ip);
            let server = Self::entry(&mut self.servers, self.not_before, ip);
            server.next_at = self.not_before;
            self.schedule(ip);
        }
    }

    /// Hosts of this node leave all queues.
    pub(crate) fn dismiss(&mut self) -> Vec<HostRef> {
        let mut hosts = Vec::new();
        for ip in self.servers.keys().copied().collect::<Vec<_>>() {
            self.unschedule(ip);
            let server = Self::entry(&mut self.servers, self.not_before, ip);
            hosts.extend(server.queue.iter().filter_map(Claim::host));
            server.drop_claims(|claim| claim.host().is_some());
            self.schedule(ip);
        }
        hosts.sort_unstable();
        hosts
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

    /// The server of an address, if there is anything to remember of it.
    pub(crate) fn get(&self, ip: IpAddr) -> Option<&Server> {
        self.servers.get(&clock_of(ip))
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
            self.servers.insert(id, Server::at(next_at));
        }
    }

    fn entry(servers: &mut Map<IpAddr, Server>, not_before: Timestamp, ip: IpAddr) -> &mut Server {
        servers.entry(clock_of(ip)).or_insert_with(|| Server::at(not_before))
    }

    /// Nobody holds the server any more; it is left alone until `next_at`.
    fn free(&mut self, ip: IpAddr, next_at: Timestamp) {
        self.unschedule(ip);
        let server = Self::entry(&mut self.servers, self.not_before, ip);
        server.next_at = server.next_at.max(next_at);
        server.kept_until = Timestamp::ZERO;
        server.held = None;
        self.schedule(ip);
    }

    /// Puts a server into the calendars where it belongs: when somebody waits for it and nobody holds it.
    fn schedule(&mut self, ip: IpAddr) {
        let id = clock_of(ip);
        let Some(server) = self.servers.get(&id).filter(|server| server.held.is_none()) else { return };
        if !server.queue.is_empty() {
            self.calendar.insert((server.free_at(), id));
        }
        if server.of_peers > 0 {
            self.calendar_of_peers.insert((server.free_at(), id));
        }
    }

    /// Takes a server out of the calendars, before anything about it changes.
    fn unschedule(&mut self, ip: IpAddr) {
        let id = clock_of(ip);
        let Some(server) = self.servers.get(&id) else { return };
        self.calendar.remove(&(server.free_at(), id));
        self.calendar_of_peers.remove(&(server.free_at(), id));
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
