use crate::limits::{BEGIN_WITHIN_MS, CLAIMS_PER_NODE, GRANT_AGAIN_MS, LEASE_MARGIN_MS};
use crate::{Ask, ClaimId, Grant, NodeId};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use stdx::Timestamp;

/// The lending end of leases: what other nodes claim and hold of the clocks that this node owns. It says who may be
/// believed; whose turn it is, the clocks say. Nothing here outlives a run: an owner that was started anew lends nothing before
/// [`Lending::lease_ms`] have passed.
#[derive(Debug)]
pub struct Lending {
    lease_ms: u64,
    claims: BTreeMap<(NodeId, ClaimId), Standing>,
    /// Leases by the moment to look at them again.
    calendar: BTreeSet<(Timestamp, NodeId, ClaimId)>,
    counts: BTreeMap<NodeId, usize>,
}

/// How a claim stands.
#[derive(Debug, Clone, Copy)]
enum Standing {
    Waits { since: Timestamp },
    Lent(Lease),
}

#[derive(Debug, Clone, Copy)]
struct Lease {
    address: IpAddr,
    grant: Grant,
    until: Timestamp,
    look_at: Timestamp,
}

/// What to do about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Put it in the server's queue.
    New,
    /// Nothing: it stands there, or there are too many.
    Known,
    /// Say it again.
    Granted(Grant),
}

/// What to do about a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Say it again.
    Repeat {
        /// To whom.
        to: NodeId,
        /// What.
        grant: Grant,
    },
    /// The contact has ended by now, whatever has become of the node.
    Expired {
        /// The server.
        address: IpAddr,
        /// When the lease ended.
        at: Timestamp,
    },
}

impl Lending {
    /// For contacts that take `contact_ms` at most.
    pub fn new(contact_ms: u64) -> Self {
        Self {
            lease_ms: BEGIN_WITHIN_MS + contact_ms + LEASE_MARGIN_MS,
            claims: BTreeMap::new(),
            calendar: BTreeSet::new(),
            counts: BTreeMap::new(),
        }
    }

    /// From a grant to the latest end of its contact.
    pub fn lease_ms(&self) -> u64 {
        self.lease_ms
    }

    /// A node claims a clock.
    pub fn asked(&mut self, node: NodeId, ask: &Ask, now: Timestamp) -> Asked {
        match self.claims.get(&(node, ask.claim)) {
            Some(Standing::Lent(lease)) => Asked::Granted(lease.grant),
            Some(Standing::Waits { .. }) => Asked::Known,
            None => {
                let count = self.counts.entry(node).or_default();
                if *count >= CLAIMS_PER_NODE {
                    return Asked::Known;
                }
                *count += 1;
                self.claims.insert((node, ask.claim), Standing::Waits { since: now });
                Asked::New
            }
        }
    }

    /// It is the turn of a claim; `None` if it is void.
    pub fn lend(&mut self, node: NodeId, claim: ClaimId, address: IpAddr, now: Timestamp) -> Option<Grant> {
        let Some(Standing::Waits { since }) = self.claims.get(&(node, claim)) else { return None };
        let grant = Grant { claim, waited_ms: now.since_ms(*since) };
        let lease = Lease { address, grant, until: now + self.lease_ms, look_at: now + GRANT_AGAIN_MS };
        self.claims.insert((node, claim), Standing::Lent(lease));
        self.calendar.insert((lease.look_at, node, claim));
        Some(grant)
    }

    /// A node gives a clock back, or takes a claim back; the server, if it was lent.
    pub fn released(&mut self, node: NodeId, claim: ClaimId) -> Option<IpAddr> {
        let standing = self.claims.remove(&(node, claim))?;
        *self.counts.entry(node).or_default() -= 1;
        let Standing::Lent(lease) = standing else { return None };
        self.calendar.remove(&(lease.look_at, node, claim));
        Some(lease.address)
    }

    /// Whatever a node claimed is void; the servers that were lent to it.
    pub fn forget(&mut self, node: NodeId) -> Vec<IpAddr> {
        let of_node = self.claims.range((node, ClaimId(0))..=(node, ClaimId(u64::MAX)));
        let claims: Vec<ClaimId> = of_node.map(|((_, claim), _)| *claim).collect();
        claims.into_iter().filter_map(|claim| self.released(node, claim)).collect()
    }

    /// When [`Lending::due`] may give something.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(at, _, _)| at)
    }

    /// The next lease to do something about.
    pub fn due(&mut self, now: Timestamp) -> Option<Due> {
        let &(at, node, claim) = self.calendar.first()?;
        if at > now {
            return None;
        }
        self.calendar.pop_first();
        let Some(Standing::Lent(lease)) = self.claims.get_mut(&(node, claim)) else { return None };
        if lease.until <= now {
            let (address, at) = (lease.address, lease.until);
            self.released(node, claim);
            return Some(Due::Expired { address, at });
        }
        lease.look_at = (now + GRANT_AGAIN_MS).min(lease.until);
        self.calendar.insert((lease.look_at, node, claim));
        Some(Due::Repeat { to: node, grant: lease.grant })
    }

    /// Servers lent, each with the moment its lease ends at the latest.
    pub fn lent(&self) -> impl Iterator<Item = Lent> + '_ {
        self.claims.values().filter_map(|standing| match standing {
            Standing::Lent(lease) => Some(Lent { address: lease.address, until: lease.until }),
            Standing::Waits { .. } => None,
        })
    }
}

/// A server's clock that another node has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lent {
    /// The server.
    pub address: IpAddr,
    /// No longer than this.
    pub until: Timestamp,
}
