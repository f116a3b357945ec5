use crate::{Discoveries, LostPage, Promise};
use cluster::NodeId;
use control::{Changes, Command};
use frontier::{Attempt, CaptureSeq, Discovery, NamedGroup, Origin, RobotsRecord, Yield};
use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};
use stdx::Timestamp;
use thiserror::Error;

/// One input of the crawl, as the journal has it. Replaying records in order gives the state back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Record {
    /// Discoveries of one shard, as programs wrote them that had a record for each; today's write [`Record::Discovered`].
    Received {
        /// The shard that owns them.
        shard: u8,
        /// The capture they were found in; `None` for seeds and sitemaps named by robots.txt.
        from: Option<CaptureSeq>,
        /// How they were found, all of them.
        origin: Origin,
        /// What was found.
        discoveries: Vec<Discovery>,
    },
    /// An attempt ended. If it gave a capture, this record's number names it.
    Attempt {
        /// The shard of the host that was contacted.
        shard: u8,
        /// The attempt.
        attempt: Attempt,
    },
    /// The rules of an authority are known.
    Robots {
        /// The shard of the host they rule.
        shard: u8,
        /// The rules.
        record: RobotsRecord,
    },
    /// All links of a capture have been received by their shards.
    Parsed {
        /// Which capture.
        capture: CaptureSeq,
        /// What it has to say, if that is told for the first time.
        says: Option<Says>,
        /// Links out of scope, counted by rule.
        out_of_scope: Vec<(String, u64)>,
    },
    /// Rows of these captures (first to last, inclusive) are in closed corpus files.
    Rows {
        /// The ranges.
        captures: Vec<(u64, u64)>,
    },
    /// All links of all captures so far have been judged by the scope with this fingerprint.
    Scope {
        /// Of scope rules and depth, and of which files beside robots.txt are fetched.
        fingerprint: u64,
    },
    /// A run of a node among several began.
    Began {
        /// Counts them.
        run: u64,
    },
    /// Discoveries that go to another node. Until it has acknowledged them, this is where they are.
    Sent {
        /// The node that owns the shard.
        to: NodeId,
        /// Counts the batches from this node to that, from 0.
        number: u64,
        /// The shard that owns them.
        shard: u8,
        /// How they were found, all of them.
        origin: Origin,
        /// What was found.
        discoveries: Vec<Discovery>,
    },
    /// Discoveries that came from another node. From here on they are where those of this node are.
    Taken {
        /// The node that found them.
        from: NodeId,
        /// Its number for this batch.
        number: u64,
        /// The shard that owns them.
        shard: u8,
        /// How they were found, all of them.
        origin: Origin,
        /// What was found.
        discoveries: Vec<Discovery>,
    },
    /// Another node has these batches, durably.
    Acknowledged {
        /// The node.
        by: NodeId,
        /// Their numbers.
        numbers: Vec<u64>,
    },
    /// A run began, or its delays were changed. What it promises to servers, for those who read the ledger.
    Promised {
        /// From here on this holds.
        promise: Promise,
    },
    /// An operator said something, and it is done.
    Control {
        /// When.
        at: Timestamp,
        /// What.
        command: Command,
        /// What the configuration said then of the settings that it changes: while it says so, the command holds.
        instead_of: Changes,
    },
    /// The files of the crawl hold nothing any more of what was taken down until then.
    Purged {
        /// When they were rewritten.
        at: Timestamp,
        /// The entry of the last takedown that this goes for, with all before it.
        through: u64,
    },
    /// Hosts that share a clock from the last promise on.
    Grouped {
        /// As the operator named them.
        groups: Vec<NamedGroup>,
    },
    /// Discoveries for shards of this node, as programs wrote them before [`Record::Discovered`].
    Listed {
        /// The capture they were found in; `None` for seeds and sitemaps named by robots.txt.
        from: Option<CaptureSeq>,
        /// How they were found, all of them.
        origin: Origin,
        /// What was found, sorted by shard.
        discoveries: Vec<Addressed>,
    },
    /// A capture gives neither links nor a row.
    Lost {
        /// When, as far as the crawl had come.
        at: Timestamp,
        /// Which capture.
        capture: CaptureSeq,
        /// The page it is of.
        page: LostPage,
    },
    /// Discoveries for shards of this node: seeds, or the links of a page.
    Discovered {
        /// The capture they were found in; `None` for seeds and sitemaps named by robots.txt.
        from: Option<CaptureSeq>,
        /// How they were found, all of them.
        origin: Origin,
        /// What was found, sorted by shard.
        discoveries: Discoveries,
    },
}

/// A discovery, and whom it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addressed {
    /// The shard that owns it.
    pub shard: u8,
    /// What was found.
    pub discovery: Discovery,
}

/// What a capture has to say, for the host it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Says {
    /// The shard of the host.
    pub shard: u8,
    /// The URL that was fetched.
    pub url: String,
    /// What is new of it the host's shard decides, as records are applied.
    pub gave: Yield,
}

/// Tags behind the version: the places among the variants.
const ATTEMPT: u8 = 1;
const ROBOTS: u8 = 2;
const PROMISED: u8 = 10;
const CONTROL: u8 = 11;
const PURGED: u8 = 12;
const GROUPED: u8 = 13;
const LOST: u8 = 15;
const DISCOVERED: u8 = 16;
/// `None`, as the first field behind the tag.
const NO_CAPTURE: u8 = 0;
/// Bytes of a record without discoveries, and of a discovery, but for rare ones.
const RECORD_BYTES: usize = 256;
const DISCOVERY_BYTES: usize = 40;

/// Format of the records; stands before each.
const VERSION: u8 = 2;

/// A record that can't be read.
#[derive(Debug, Error)]
pub enum RecordError {
    /// Written by a program of another time.
    #[error("journal entry {seq} has record version {version}; this program reads version {VERSION}")]
    Version {
        /// The entry.
        seq: u64,
        /// Its version.
        version: u8,
    },
    /// Its checksum is right but its content is not.
    #[error("journal entry {seq} is not a record: {reason}")]
    Malformed {
        /// The entry.
        seq: u64,
        /// What the decoder says.
        reason: String,
    },
}

/// Where a record is written: whole texts at a time, not byte by byte.
struct Growing(Vec<u8>);

impl Flavor for Growing {
    type Output = Vec<u8>;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

impl Record {
    /// The bytes that go to the journal.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.about_bytes());
        bytes.push(VERSION);
        postcard::serialize_with_flavor(self, Growing(bytes)).expect("records are plain data")
    }

    /// Whether these bytes are an attempt, by their tag: most records are links, and read for nothing else.
    pub fn is_attempt(bytes: &[u8]) -> bool {
        bytes.get(1) == Some(&ATTEMPT)
    }

    /// Whether these bytes are discoveries that no capture has told of: seeds, and what robots.txt leads to.
    pub(crate) fn is_told_by_no_capture(bytes: &[u8]) -> bool {
        matches!(bytes, [_, DISCOVERED, NO_CAPTURE, ..])
    }

    /// Whether these bytes are part of the ledger: a contact, the rules of a host, a promise, what an operator said, or a page that was lost.
    /// The others need not be read by whoever judges politeness.
    pub fn is_of_ledger(bytes: &[u8]) -> bool {
        matches!(bytes.get(1), Some(&(ATTEMPT | ROBOTS | PROMISED | CONTROL | PURGED | GROUPED | LOST)))
    }

    /// Whether these bytes are the rules of an authority.
    pub(crate) fn is_robots(bytes: &[u8]) -> bool {
        bytes.get(1) == Some(&ROBOTS)
    }

    /// Whether these bytes are what a run promises.
    pub(crate) fn is_promise(bytes: &[u8]) -> bool {
        bytes.get(1) == Some(&PROMISED)
    }

    /// Whether they may say what is taken down.
    pub(crate) fn is_of_takedowns(bytes: &[u8]) -> bool {
        matches!(bytes.get(1), Some(&(CONTROL | PURGED)))
    }

    /// Room that is enough for most.
    fn about_bytes(&self) -> usize {
        match self {
            Self::Discovered { discoveries, .. } => RECORD_BYTES + discoveries.len() * DISCOVERY_BYTES,
            _ => RECORD_BYTES,
        }
    }

    /// Reads entry `seq` of the journal.
    pub fn decode(seq: u64, bytes: &[u8]) -> Result<Self, RecordError> {
        let malformed = |reason: String| RecordError::Malformed { seq, reason };
        let (&version, body) = bytes.split_first().ok_or_else(|| malformed("it is empty".to_owned()))?;
        if version != VERSION {
            return Err(RecordError::Version { seq, version });
        }
        let (record, rest) = postcard::take_from_bytes(body).map_err(|e| malformed(e.to_string()))?;
        if rest.is_empty() { Ok(record) } else { Err(malformed("something follows it".to_owned())) }
    }
}
