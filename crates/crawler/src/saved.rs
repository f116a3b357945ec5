use crate::RecoveryError;
use crate::orders::Orders;
use crate::outcome::Answered;
use crate::tally::Tally;
use crate::unfinished::Remainder;
use crate::uplink::Outage;
use cluster::{NodeId, SavedStream};
use frontier::{CaptureSeq, FrontierState};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::path::PathBuf;
use stdx::Timestamp;
use weburl::Folding;

/// What a checkpoint holds: `docs/formats/state.md`.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) head: Head,
    pub(crate) shards: Vec<(u8, FrontierState)>,
    pub(crate) rest: Rest,
    pub(crate) orders: Orders,
    pub(crate) outage: Option<Outage>,
    /// What is the same URL in it, if the version says so.
    pub(crate) folding: Option<Folding>,
}

/// What stands before the shards.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) seed: u64,
    /// The last journal entry it covers.
    pub(crate) covers: Option<u64>,
    /// Nothing that is not named here is contacted before this.
    pub(crate) not_before: Timestamp,
}

/// What stands behind them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rest {
    pub(crate) servers: Vec<(IpAddr, Timestamp)>,
    pub(crate) unfinished: Vec<(CaptureSeq, Remainder)>,
    pub(crate) unlocated: Vec<(CaptureSeq, Answered)>,
    pub(crate) tally: Tally,
    pub(crate) judged_by: Option<u64>,
    /// Nothing, for a crawl of one node.
    pub(crate) peers: Option<SavedPeers>,
}

/// What a node of several keeps of the others.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedPeers {
    /// All nodes of the crawl.
    pub(crate) nodes: Vec<NodeId>,
    /// Counts the runs of this node.
    pub(crate) run: u64,
    pub(crate) streams: Vec<SavedStream>,
}

/// Format of the state; stands before it. Version 2 ends before the orders, version 3 before what has been purged, version 4
/// before an outage, version 5 before the folding.
pub(crate) const VERSION: u8 = 6;
const WITHOUT_ORDERS: u8 = 2;
const WITHOUT_PURGE: u8 = 3;
const WITHOUT_OUTAGE: u8 = 4;
const WITHOUT_FOLDING: u8 = 5;

/// A cut of all of it.
#[derive(Debug)]
pub(crate) struct SavedCut {
    pub(crate) state: Vec<u8>,
    /// Files to be made durable.
    pub(crate) sync: Vec<PathBuf>,
}

/// Writes what [`Saved`] reads, one shard after the other: memory never holds them all twice.
pub(crate) struct SavedWriter {
    bytes: Vec<u8>,
}

impl SavedWriter {
    /// Begins the state of so many shards.
    pub(crate) fn begin(head: &Head, shards: usize) -> Self {
        let mut writer = Self { bytes: vec![VERSION] };
        writer.put(head);
        writer.put(&shards);
        writer
    }

    pub(crate) fn shard(&mut self, shard: u8, state: &FrontierState) {
        self.put(&(shard, state));
    }

    pub(crate) fn finish(
        mut self,
        rest: &Rest,
        orders: &Orders,
        outage: Option<&Outage>,
        folding: Folding,
    ) -> Vec<u8> {
        self.put(rest);
        self.put(orders);
        self.put(&orders.purged_through);
        self.put(&outage);
        self.put(&folding);
        self.bytes
    }

    fn put(&mut self, part: &impl Serialize) {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(part, bytes).expect("a checkpoint is plain data");
    }
}

/// The next part, and what follows it.
fn take<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<(T, &'a [u8]), RecoveryError> {
    postcard::take_from_bytes(bytes).map_err(|error| RecoveryError::Checkpoint(error.to_string()))
}

fn malformed(reason: &str) -> RecoveryError {
    RecoveryError::Checkpoint(reason.to_owned())
}

/// The version, if it is known, and what follows it.
fn version_of(bytes: &[u8]) -> Result<(u8, &[u8]), RecoveryError> {
    let (&version, body) = bytes.split_first().ok_or_else(|| malformed("it is empty"))?;
    if !(WITHOUT_ORDERS..=VERSION).contains(&version) {
        return Err(RecoveryError::Version { version });
    }
    Ok((version, body))
}

impl Head {
    /// What stands before the shards, of which nothing is read.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, RecoveryError> {
        let (_, body) = version_of(bytes)?;
        take(body).map(|(head, _)| head)
    }

    pub(crate) fn require_seed(&self, seed: u64) -> Result<(), RecoveryError> {
        if self.seed == seed { Ok(()) } else { Err(RecoveryError::OtherCrawl) }
    }
}

impl Saved {
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, RecoveryError> {
        let (version, body) = version_of(bytes)?;
        let ((head, shards, rest), after) = take(body)?;
        let (orders, after) = orders_of(version, after)?;
        let (outage, after) = if version <= WITHOUT_OUTAGE { (None, after) } else { take(after)? };
        let (folding, after) = if version <= WITHOUT_FOLDING {
            (None, after)
        } else {
            take(after).map(|(it, after)| (Some(it), after))?
        };
        let saved = Self { head, shards, rest, orders, outage, folding };
        if after.is_empty() { Ok(saved) } else { Err(malformed("something follows the state")) }
    }
}

/// What operators said, as far as the version has it.
fn orders_of(version: u8, bytes: &[u8]) -> Result<(Orders, &[u8]), RecoveryError> {
    if version == WITHOUT_ORDERS {
        return Ok((Orders::default(), bytes));
    }
    let (mut orders, after): (Orders, _) = take(bytes)?;
    if version == WITHOUT_PURGE {
        return Ok((orders, after));
    }
    let (purged_through, after) = take(after)?;
    orders.purged(purged_through);
    Ok((orders, after))
}
