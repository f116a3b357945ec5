use crate::limits::IDLE_SERVERS;
use frontier::limits::HOSTS_COMPARED;
use frontier::{Address, HostId, Reach};
use std::collections::{BTreeSet, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use stdx::{Map, Timestamp};

/// A host of one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HostRef {
    pub(crate) shard: u8,
    pub(crate) host: HostId,
}

/// A host that stands in a server's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) who: HostRef,
    /// What it will contact there.
    pub(crate) address: Address,
    /// How many of its URLs wait.
    pub(crate) pending: u64,
}

/// What came of asking for a server's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reservation {
    /// The server is this host's now, until released.
    Granted,
    /// The host stands in the server's queue.
    Queued,
}

/// The clocks of server addresses, above all shards: many hosts on one machine must not add up. One contact at a time,
/// and the delay from its end to the start of the next.
#[derive(Debug)]
pub(crate) struct ServerClocks {
    delay_ms: u64,
    floor_ms: u64,
    not_before: Timestamp,
    servers: Map<IpAddr, Server>,
    /// Servers somebody waits for and nobody holds, by the moment they are free.
    calendar: BTreeSet<(Timestamp, IpAddr)>,
    /// With so many clocks, those that have run out are dropped.
    sweep_at: usize,
}

#[derive(Debug, Default)]
struct Server {
    next_at: Timestamp,
    held: bool,
    queue: VecDeque<Claim>,
    /// Times it was given to one of its queue.
    turns: u32,
}

impl Server {
    fn most_to_do(&self) -> usize {
        let compared = self.queue.iter().take(HOSTS_COMPARED).enumerate();
        compared.max_by_key(|(_, claim)| claim.pending).map_or(0, |(index, _)| index)
    }
}

impl ServerClocks {
    pub(crate) fn new(delay_ms: u64, floor_ms: u64) -> Self {
        let (servers, calendar) = (stdx::map(), BTreeSet::new());
        let not_before = Timestamp::ZERO;
        Self { delay_ms, floor_ms, not_before, servers, calendar, sweep_at: IDLE_SERVERS }
    }

    /// Asks for a server on behalf of a host.
    pub(crate) fn reserve(&mut self, claim: Claim, now: Timestamp) -> Reservation {
        let address = claim.address;
        if self.delay_for(address.reach) == 0 {
            return Reservation::Granted;
        }
        self.forget_idle(now);
        let server = Self::entry(&mut self.servers, self.not_before, address.ip);
        if !server.held && server.queue.is_empty() && server.next_at <= now {
            server.held = true;
            return Reservation::Granted;
        }
        server.queue.push_back(claim);
        self.schedule(address.ip);
        Reservation::Queued
    }

    /// Gives a free server to a host that waits for it: by turns to the one that has waited longest and to the one with
    /// the most to do, so that many small hosts do not hold up a large one.
    pub(crate) fn next_granted(&mut self, now: Timestamp) -> Option<Claim> {
        let &(at, id) = self.calendar.first()?;
        if at > now {
            return None;
        }
        self.calendar.pop_first();
        let server = self.servers.get_mut(&id)?;
        server.held = true;
        server.turns = server.turns.wrapping_add(1);
        let next = if server.turns.is_multiple_of(2) { 0 } else { server.most_to_do() };
        server.queue.remove(next)
    }

    /// When [`ServerClocks::next_granted`] may give something.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(at, _)| at)
    }

    /// A contact ended.
    pub(crate) fn contacted(&mut self, address: Address, ended: Timestamp) {
        let delay = self.delay_for(address.reach);
        if delay == 0 {
            return;
        }
        let server = Self::entry(&mut self.servers, self.not_before, address.ip);
        server.next_at = server.next_at.max(ended + delay);
        server.held = false;
        self.schedule(address.ip);
    }

    /// A reservation was not used.
    pub(crate) fn cancel(&mut self, address: Address) {
        if let Some(server) = self.servers.get_mut(&clock_of(address.ip)) {
            server.held = false;
            self.schedule(address.ip);
        }
    }

    /// After an unclean stop: no server before its full delay.
    pub(crate) fn restart(&mut self, now: Timestamp) {
        self.not_before = now + self.delay_ms.max(self.floor_ms);
        for server in self.servers.values_mut() {
            server.next_at = server.next_at.max(self.not_before);
        }
    }

    /// Clocks that are kept.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.servers.len()
    }

    /// Hosts that stand in a queue.
    pub(crate) fn queued(&self) -> usize {
        self.servers.values().map(|server| server.queue.len()).sum()
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

    fn delay_for(&self, reach: Reach) -> u64 {
        match reach {
            Reach::Public => self.delay_ms.max(self.floor_ms),
            Reach::Allowed => self.delay_ms,
        }
    }

    fn entry(servers: &mut Map<IpAddr, Server>, not_before: Timestamp, ip: IpAddr) -> &mut Server {
        servers.entry(clock_of(ip)).or_insert_with(|| Server { next_at: not_before, ..Server::default() })
    }

    /// Keeps the calendar right: in it exactly when somebody waits and nobody holds.
    fn schedule(&mut self, ip: IpAddr) {
        let id = clock_of(ip);
        let Some(server) = self.servers.get(&id) else { return };
        if !server.held && !server.queue.is_empty() {
            self.calendar.insert((server.next_at, id));
        }
    }

    fn forget_idle(&mut self, now: Timestamp) {
        if self.servers.len() < self.sweep_at {
            return;
        }
        self.servers.retain(|_, server| server.held || !server.queue.is_empty() || server.next_at > now);
        self.sweep_at = IDLE_SERVERS.max(2 * self.servers.len());
    }
}

/// The clock an address runs on: itself, or its /64 (blueprint, section 7).
fn clock_of(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
    }
}
