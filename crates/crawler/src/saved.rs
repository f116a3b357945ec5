use crate::RecoveryError;
use crate::outcome::Answered;
use crate::tally::Tally;
use crate::unfinished::Remainder;
use cluster::{NodeId, SavedStream};
use frontier::{CaptureSeq, FrontierState};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use stdx::Timestamp;

/// What a checkpoint holds: `docs/formats/state.md`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) seed: u64,
    /// The last journal entry it covers.
    pub(crate) covers: Option<u64>,
    /// Nothing that is not named here is contacted before this.
    pub(crate) not_before: Timestamp,
    pub(crate) shards: Vec<(u8, FrontierState)>,
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

/// Format of the state; stands before it.
pub(crate) const VERSION: u8 = 2;

impl Saved {
    pub(crate) fn encode(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![VERSION]).expect("a checkpoint is plain data")
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, RecoveryError> {
        let malformed = |reason: &str| RecoveryError::Checkpoint(reason.to_owned());
        let (&version, body) = bytes.split_first().ok_or_else(|| malformed("it is empty"))?;
        if version != VERSION {
            return Err(RecoveryError::Version { version });
        }
        let (saved, rest) = postcard::take_from_bytes(body).map_err(|e| malformed(&e.to_string()))?;
        if rest.is_empty() { Ok(saved) } else { Err(malformed("something follows the state")) }
    }
}
