use crate::limits::MOST_NODES;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Names a node of a crawl, for good: what it owns follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u16);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}", self.0)
    }
}

/// Why a list of nodes makes no crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// This node is not in it.
    #[error("{0} is not among the nodes of the crawl")]
    Stranger(NodeId),
    /// It is too long.
    #[error("{0} nodes are more than the {MOST_NODES} that a crawl can have")]
    TooMany(usize),
}

/// Who owns which shard and which server's clock, by rendezvous hashing (Thaler & Ravishankar 1998): each node has a weight
/// for each thing, and the heaviest owns it. When a node comes or goes, only what it gains or had changes hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    me: NodeId,
    /// In ascending order, each once.
    nodes: Vec<NodeId>,
    /// The owner of each shard.
    shards: Vec<NodeId>,
}

impl Placement {
    /// One node that owns everything.
    pub fn alone() -> Self {
        Self::among(NodeId(0), vec![NodeId(0)])
    }

    /// Node `me` of a crawl of these nodes, given in any order.
    pub fn new(me: NodeId, nodes: &[NodeId]) -> Result<Self, PlacementError> {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        if nodes.len() > MOST_NODES {
            return Err(PlacementError::TooMany(nodes.len()));
        }
        if nodes.binary_search(&me).is_err() {
            return Err(PlacementError::Stranger(me));
        }
        Ok(Self::among(me, nodes))
    }

    fn among(me: NodeId, nodes: Vec<NodeId>) -> Self {
        let shards = (0..=u8::MAX).map(|shard| heaviest(&nodes, &[SHARD, shard])).collect();
        Self { me, nodes, shards }
    }

    /// This node.
    pub fn me(&self) -> NodeId {
        self.me
    }

    /// All nodes, in ascending order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// All nodes but this one.
    pub fn peers(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().copied().filter(|node| *node != self.me)
    }

    /// Whether there is no other node.
    pub fn is_alone(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Who owns a shard.
    pub fn owner_of_shard(&self, shard: u8) -> NodeId {
        self.shards[usize::from(shard)]
    }

    /// How many shards this node owns.
    pub fn shards_owned(&self) -> usize {
        self.shards.iter().filter(|owner| **owner == self.me).count()
    }

    /// Who owns the clock of a server.
    pub fn owner_of_clock(&self, address: IpAddr) -> NodeId {
        if self.is_alone() {
            return self.me;
        }
        match clock_of(address) {
            IpAddr::V4(v4) => heaviest(&self.nodes, &[&[CLOCK][..], &v4.octets()].concat()),
            IpAddr::V6(v6) => heaviest(&self.nodes, &[&[CLOCK][..], &v6.octets()].concat()),
        }
    }

    /// Whether a shard is this node's.
    pub fn owns_shard(&self, shard: u8) -> bool {
        self.owner_of_shard(shard) == self.me
    }

    /// Whether a server's clock is this node's.
    pub fn owns_clock(&self, address: IpAddr) -> bool {
        self.owner_of_clock(address) == self.me
    }
}

/// What is placed; keeps shards and addresses apart.
const SHARD: u8 = b's';
const CLOCK: u8 = b'c';

/// The node of the greatest weight for a thing.
fn heaviest(nodes: &[NodeId], thing: &[u8]) -> NodeId {
    let weight = |node: &NodeId| (xxh3_64_with_seed(thing, u64::from(node.0)), *node);
    *nodes.iter().max_by_key(|node| weight(node)).expect("a crawl has a node")
}

/// The clock an address runs on: itself, the IPv4 address that it carries, or its /64. A clock runs on itself.
pub fn clock_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => carried(v6).map_or_else(|| IpAddr::V6(network_of(v6)), IpAddr::V4),
    }
}

/// Where a packet ends that goes to a mapped address (RFC 4291, section 2.5.5.2), by NAT64 (RFC 6052; nothing else is in its /64) or by
/// 6to4 (RFC 3056).
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, _, _, high, low]
        | [0x2002, high, low, ..] => Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))),
        _ => None,
    }
}

fn network_of(address: Ipv6Addr) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))
}
