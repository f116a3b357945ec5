use crate::Crawler;
use crate::line;
use crate::servers::{Claim, Claimant, HostRef, Reservation};
use cluster::limits::SILENCE_MS;
use cluster::{Ask, Asked, Begun, ClaimId, Due, Grant, LeaseEnd, NodeId, Release};
use frontier::{Address, Result};
use stdx::Timestamp;

/// A host of this node that waits for a server's clock of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waiter {
    pub(crate) who: HostRef,
    pub(crate) address: Address,
}

/// A server's clock that is a host's for one contact, or a lease on one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reserved {
    pub(crate) address: Address,
    lease: Option<ClaimId>,
}

impl Reserved {
    /// A clock of this node, or none at all.
    pub(crate) fn here(address: Address) -> Self {
        Self { address, lease: None }
    }

    /// Whether another node has lent it.
    pub(crate) fn is_lent(&self) -> bool {
        self.lease.is_some()
    }
}

/// Server clocks above all nodes: each is owned by one, and the others contact the server only under a lease of its clock.
impl Crawler {
    /// Asks for a server on behalf of a host with a turn: gives it, or puts the host in a queue, here or elsewhere.
    pub(crate) fn reserve(&mut self, waiter: Waiter, now: Timestamp) -> Result<Option<Reserved>> {
        let Waiter { who, address } = waiter;
        let delay_ms = self.servers.delay_for(address.reach);
        let owner = self.config.placement.owner_of_clock(address.ip);
        if delay_ms == 0 {
            return Ok(Some(Reserved::here(address)));
        }
        let shard = self.shards.get(who.shard)?;
        let (pending, response_ms) = (shard.pending_of(who.host), shard.response_ms_of(who.host));
        let room = line::room(shard.is_pressed());
        if owner != self.config.placement.me() {
            let standing = self.peers.asks.claims_on(address.ip);
            if standing >= room {
                let until = self.peers.appointments.give(address.ip, standing, delay_ms, now);
                self.put_off(who, until)?;
                return Ok(None);
            }
            let ask = Ask { claim: ClaimId(0), address: address.ip, delay_ms, pending };
            self.peers.asks.claim(owner, ask, waiter, now);
            return Ok(None);
        }
        let by = Claimant::Host { who, address };
        let claim = Claim { by, ip: address.ip, delay_ms, pending, response_ms };
        match self.servers.reserve(claim, room, now) {
            Reservation::Granted => Ok(Some(Reserved::here(address))),
            Reservation::Queued => Ok(None),
            Reservation::PutOff(until) => {
                self.put_off(who, until)?;
                Ok(None)
            }
        }
    }

    /// The host finds no room in a line.
    pub(crate) fn put_off(&mut self, who: HostRef, until: Timestamp) -> Result<()> {
        self.shards.get(who.shard)?.come_again(who.host, until);
        self.answer_stranded(who.shard)?;
        self.shards.settle(who.shard);
        Ok(())
    }

    /// A host whose claim on another node's clock was granted may go on, if it does so now.
    pub(crate) fn begin_leased(&mut self, now: Timestamp) -> Result<bool> {
        let Some(Begun { claim, what }) = self.peers.asks.begin(now) else { return Ok(false) };
        self.draw(what.who, Reserved { address: what.address, lease: Some(claim) }, None, now)?;
        Ok(true)
    }

    /// Gives the next free server of ours to whoever is next, of this node or another.
    pub(crate) fn grant_next(&mut self, now: Timestamp) -> Result<bool> {
        let Some(claim) = self.servers.next_granted(now) else { return Ok(false) };
        match claim.by {
            Claimant::Host { who, address } => self.draw(who, Reserved::here(address), None, now)?,
            Claimant::Peer { .. } => self.lend(&claim, now),
        }
        Ok(true)
    }

    /// Nothing came of a reservation.
    pub(crate) fn cancel(&mut self, reserved: Reserved) {
        match reserved.lease {
            Some(claim) => self.peers.asks.end(claim, LeaseEnd::Unused),
            None => self.servers.cancel(reserved.address.ip),
        }
    }

    /// A contact ended. Clocks of this node hear of it from the journal.
    pub(crate) fn give_back(&mut self, reserved: Reserved, ended: Timestamp) {
        if let Some(claim) = reserved.lease {
            let ago_ms = self.tally.latest.since_ms(ended);
            self.peers.asks.end(claim, LeaseEnd::Contacted { ago_ms });
        }
    }

    /// Another node claims clocks of ours.
    pub(crate) fn asked(&mut self, from: NodeId, asks: &[Ask], now: Timestamp) {
        let ours = |ask: &&Ask| self.config.placement.owns_clock(ask.address);
        let asks: Vec<&Ask> = asks.iter().filter(ours).collect();
        for ask in asks {
            match self.peers.lending.asked(from, ask, now) {
                Asked::Known => {}
                Asked::Granted(grant) => self.grant(from, grant),
                Asked::New => {
                    let by = Claimant::Peer { node: from, claim: ask.claim };
                    let Ask { address, delay_ms, pending, .. } = *ask;
                    let claim = Claim { by, ip: address, delay_ms, pending, response_ms: 0 };
                    // They claim no more than may stand here.
                    if self.servers.reserve(claim, usize::MAX, now) == Reservation::Granted {
                        self.lend(&claim, now);
                    }
                }
            }
        }
    }

    /// Another node lends us clocks.
    pub(crate) fn granted(&mut self, from: NodeId, grants: &[Grant], now: Timestamp) {
        for grant in grants {
            self.peers.asks.granted(from, *grant, now);
        }
    }

    /// Another node gives clocks back.
    pub(crate) fn released(&mut self, from: NodeId, releases: &[Release], now: Timestamp) {
        for Release { claim, end } in releases {
            let Some(ip) = self.peers.lending.released(from, *claim) else { continue };
            let contact_ended = match end {
                LeaseEnd::Unused => None,
                LeaseEnd::Contacted { ago_ms } => Some(now - *ago_ms),
            };
            self.servers.given_back(ip, contact_ended);
        }
    }

    /// A node was started anew: what it claimed and lent is void.
    pub(crate) fn peer_is_new(&mut self, node: NodeId, now: Timestamp) {
        self.forget_leases_of(node, now);
        self.peers.asks.owner_is_new(node, now);
    }

    /// A run of a node is over, and its contacts with it.
    pub(crate) fn forget_leases_of(&mut self, node: NodeId, now: Timestamp) {
        for ip in self.peers.lending.forget(node) {
            self.servers.given_back(ip, Some(now));
        }
        self.servers.forget_claims_of(node);
    }

    /// Repeats grants, ends leases, and serves the other nodes where this one has no slot free for its own hosts.
    pub(crate) fn look_after_leases(&mut self, now: Timestamp) {
        while let Some(due) = self.peers.lending.due(now) {
            match due {
                Due::Repeat { to, grant } => self.grant(to, grant),
                Due::Expired { address, at } => self.servers.given_back(address, Some(at)),
            }
        }
        while let Some(claim) = self.servers.next_granted_to_peer(now) {
            self.lend(&claim, now);
        }
    }

    /// How long after a start a server may still be contacted under a lease that an earlier run gave.
    pub(crate) fn lease_ms(&self) -> u64 {
        if self.config.placement.is_alone() { 0 } else { self.peers.lending.lease_ms() }
    }

    /// When [`Crawler::mail`] may have something to say.
    pub(crate) fn next_due_to_others(&self) -> Option<Timestamp> {
        [self.peers.next_due(), self.servers.next_due_for_peer()].into_iter().flatten().min()
    }

    /// Lends a server to the node whose turn it is, unless that is silent: it asks again if it lives.
    fn lend(&mut self, claim: &Claim, now: Timestamp) {
        let Claimant::Peer { node, claim: id } = claim.by else { return };
        let lent = if self.peers.runs.is_alive(node, now, SILENCE_MS) {
            self.peers.lending.lend(node, id, claim.ip, now)
        } else {
            self.peers.lending.released(node, id);
            None
        };
        let Some(grant) = lent else { return self.servers.cancel(claim.ip) };
        self.servers.lent(claim.ip, now + self.peers.lending.lease_ms());
        self.grant(node, grant);
    }

    fn grant(&mut self, to: NodeId, grant: Grant) {
        self.peers.grants.entry(to).or_default().push(grant);
    }
}
