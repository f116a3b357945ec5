//! What makes several nodes one crawl: who owns what, links that reach their owner whatever crashes,
//! and server clocks that hold over all nodes. Knows no URL: what is handed over is bytes with a shard on them.
//!
//! * [`Placement`]: which node owns a shard, and which a server's clock; the same answer on every node without a word between them.
//! * [`Exchange`]: batches to other nodes, journaled by the sender before they leave and by the receiver before it says so;
//!   delivered at least once, taken exactly once. The journal is the spool: only a window of them is in memory.
//! * [`Lending`] and [`Asks`]: the two ends of a lease on a server's clock. Only durations cross the wire, so that nodes need
//!   clocks of equal pace and not of equal time.
//! * [`Census`]: when all nodes are at rest and nothing is on its way between them.
//! * [`Envelope`], [`Message`]: what crosses it, in a versioned encoding (`docs/formats/messages.md`).
//!
//! Everything here is a value with methods: no socket, no clock, no disk.

mod asks;
mod census;
mod exchange;
mod incoming;
mod lending;
pub mod limits;
mod message;
mod numbers;
mod outgoing;
mod placement;
mod runs;

pub use asks::{Asks, Begun};
pub use census::{Census, Rest, Standing};
pub use exchange::{Exchange, Letter, Recalled, SavedStream};
pub use incoming::Offer;
pub use lending::{Asked, Due, Lending, Lent};
pub use message::{Ask, Batch, ClaimId, Envelope, Grant, LeaseEnd, Message, MessageError, Release};
pub use numbers::Numbers;
pub use placement::{NodeId, Placement, PlacementError, clock_of};
pub use runs::{Heard, Runs};

#[cfg(test)]
mod tests;
