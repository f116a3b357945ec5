//! Where a server address stands, for a person who asks.

use crate::Crawler;
use crate::servers::ServerClocks;
use cluster::{NodeId, clock_of};
use frontier::Address;
use std::net::IpAddr;
use stdx::Timestamp;

/// A server's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerStanding {
    /// Whose clock it is: the address, or the network of an IPv6 address.
    pub ip: IpAddr,
    /// How long it is left alone after a contact.
    pub delay_ms: u64,
    /// No contact before this.
    pub until: Timestamp,
    /// Its queue waits until then: it is kept for the host there with the most to do.
    pub kept_until: Option<Timestamp>,
    /// Whether it is being contacted.
    pub held: bool,
    /// Hosts that have their turn and wait for it.
    pub queue: usize,
    /// The node that owns its clock, if it is not this one: what else is said here is nothing but the delay.
    pub elsewhere: Option<NodeId>,
}

impl Crawler {
    /// Where the server stands at which a host is contacted.
    pub fn server_standing(&self, address: Address) -> ServerStanding {
        let owner = self.config.placement.owner_of_clock(address.ip);
        let elsewhere = (owner != self.config.placement.me()).then_some(owner);
        ServerStanding { elsewhere, ..self.servers.standing(address) }
    }
}

impl ServerClocks {
    /// By the clock that decides; of a server nobody keeps one of, by what holds for those that nothing is known of.
    fn standing(&self, address: Address) -> ServerStanding {
        let server = self.get(address.ip);
        ServerStanding {
            ip: clock_of(address.ip),
            delay_ms: self.delay_for(address.reach),
            until: server.map_or(self.not_before(), |server| server.next_at),
            kept_until: server.map(|server| server.kept_until).filter(|kept| *kept > Timestamp::ZERO),
            held: server.is_some_and(|server| server.held.is_some()),
            queue: server.map_or(0, |server| server.queue.len()),
            elsewhere: None,
        }
    }
}
