use crate::limits::MESSAGE_BYTES;
use crate::{NodeId, Rest, Standing};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use thiserror::Error;

/// A message on its way, with what a receiver must know before it reads on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// Who sends it.
    pub from: NodeId,
    /// Which run of the sender: a later one voids what an earlier one claimed or was granted.
    pub run: u64,
    /// Whom it is for.
    pub to: NodeId,
    /// What it says.
    pub message: Message,
}

/// What nodes say to each other. All of it may be lost, come twice or out of order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    /// Take these over: they are for a shard of yours.
    Batch(Batch),
    /// The batches with these numbers are durable here.
    Acknowledged(Vec<u64>),
    /// May a server of yours be contacted?
    Asks(Vec<Ask>),
    /// Yes, now.
    Grants(Vec<Grant>),
    /// It has been, or will not be.
    Releases(Vec<Release>),
    /// A robots.txt is wanted of a host of yours.
    Errand(Vec<u8>),
    /// What came of it.
    Answer(Vec<u8>),
    /// How do you stand?
    Census {
        /// Which round of asking.
        round: u64,
    },
    /// So.
    Stands {
        /// The round that asked.
        round: u64,
        /// How.
        standing: Standing,
    },
    /// All nodes are at rest: the crawl has ended.
    Over(Rest),
    /// This run of the node has ended, and its contacts with it.
    Farewell,
}

/// Discoveries for one shard, as their sender encoded them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Counts the sender's batches to this receiver, from 0, without a gap.
    pub number: u64,
    /// The shard they are for.
    pub shard: u8,
    /// The discoveries.
    pub body: Vec<u8>,
}

/// Names a claim on a server's clock, among all that the node that asks ever makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClaimId(pub u64);

/// A claim on a server's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Which claim.
    pub claim: ClaimId,
    /// The server.
    pub address: IpAddr,
    /// How long the server is left alone after the contact.
    pub delay_ms: u64,
    /// How many URLs wait at the host that asks.
    pub pending: u64,
}

/// A server's clock is lent for one contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Which claim.
    pub claim: ClaimId,
    /// From the first time it was heard to the grant. Its sender knows when it asked, so this bounds from below when the
    /// lease began, without comparing two clocks.
    pub waited_ms: u64,
}

/// A server's clock is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// Which claim.
    pub claim: ClaimId,
    /// What became of it.
    pub end: LeaseEnd,
}

/// How a lease ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LeaseEnd {
    /// The server was not contacted.
    Unused,
    /// A contact ended so long before this was said; none that anybody remembers counts as one that ended now.
    Contacted {
        /// From its end to the sending of the release.
        ago_ms: u64,
    },
}

/// Format of the messages; stands before each.
const VERSION: u8 = 1;

/// A message that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MessageError {
    /// Written by a program of another time.
    #[error("a message has version {version}; this program reads version {VERSION}")]
    Version {
        /// Its version.
        version: u8,
    },
    /// Longer than any message may be.
    #[error("a message has {bytes} bytes; {MESSAGE_BYTES} are the limit")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Not a message.
    #[error("not a message: {0}")]
    Malformed(String),
}

impl Envelope {
    /// The bytes that cross the wire.
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![VERSION]).expect("messages are plain data")
    }

    /// Reads what another node sent.
    pub fn decode(bytes: &[u8]) -> Result<Self, MessageError> {
        if bytes.len() > MESSAGE_BYTES {
            return Err(MessageError::TooLong { bytes: bytes.len() });
        }
        let malformed = |reason: &str| MessageError::Malformed(reason.to_owned());
        let (&version, body) = bytes.split_first().ok_or_else(|| malformed("it is empty"))?;
        if version != VERSION {
            return Err(MessageError::Version { version });
        }
        let (envelope, rest) =
            postcard::take_from_bytes(body).map_err(|error| malformed(&error.to_string()))?;
        if rest.is_empty() { Ok(envelope) } else { Err(malformed("something follows it")) }
    }
}
