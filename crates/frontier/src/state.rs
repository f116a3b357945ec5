//! A cut of a frontier as bytes: what a checkpoint holds of it. Drawn in `docs/formats/frontier.md`.

use crate::arrears::Arrears;
use crate::group::DomainRecord;
use crate::revive::Mark;
use crate::shard::Durable;
use crate::{Error, Result, TrapTally};
use backlog::Key;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

mod present;

pub(crate) use present::Present;

/// A cut of a frontier, and which files must be durable before the checkpoint that holds it is.
#[derive(Debug)]
pub struct Cut {
    /// For the checkpoint.
    pub state: FrontierState,
    /// Files, as paths on the frontier's disk: each to be synced, and then the directories they are in.
    pub sync: Vec<PathBuf>,
}

/// The part of a frontier that a checkpoint holds; the rest is in files that it names. Bounded by the memory of the
/// frontier, not by the crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontierState {
    #[serde(with = "crate::whole_bytes")]
    pub(crate) bytes: Vec<u8>,
}

/// What it says.
#[derive(Debug, Deserialize)]
pub(crate) struct Content {
    pub(crate) manifests: Manifests,
    /// Domains with hosts in memory, by hash.
    pub(crate) domains: Vec<(u64, DomainRecord)>,
    /// Hosts in memory, encoded, by their place in the directory.
    pub(crate) hosts: Vec<ResidentHost>,
    pub(crate) arrears: Arrears,
    pub(crate) durable: Durable,
    /// Behind the others since version 2.
    #[serde(skip)]
    pub(crate) traps: TrapTally,
    /// Behind those; in version 2 if there were any.
    #[serde(skip)]
    pub(crate) soft_404s: u64,
    /// Behind those since version 3.
    #[serde(skip)]
    pub(crate) revivals: Vec<Mark>,
}

/// A host in memory.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ResidentHost {
    group: u64,
    host: u64,
    #[serde(with = "crate::whole_bytes")]
    pub(crate) bytes: Vec<u8>,
}

/// The files of the cut.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifests {
    pub(crate) seen: Vec<u8>,
    pub(crate) records: Vec<u8>,
    pub(crate) edges: Vec<u8>,
    pub(crate) hosts: Vec<u8>,
    pub(crate) domains: Vec<u8>,
}

const MAGIC: [u8; 8] = *b"FRNTstat";
const VERSION: u8 = 3;
/// Without retries that are not done.
const SECOND_VERSION: u8 = 2;
/// Without what traps have held back.
const FIRST_VERSION: u8 = 1;
const CHECKSUM_BYTES: usize = 8;
const WHAT: &str = "the state of a frontier";

impl FrontierState {
    pub(crate) fn encode(content: &Present<'_>) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        let mut bytes = postcard::to_extend(content, bytes).expect("what is in memory can be written");
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        Self { bytes }
    }

    pub(crate) fn decode(&self) -> Result<Content> {
        let (body, checksum) = self.bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(DAMAGED)?;
        let rest = body.strip_prefix(&MAGIC).ok_or(DAMAGED)?;
        let (version, content) = rest.split_first().ok_or(DAMAGED)?;
        if !(FIRST_VERSION..=VERSION).contains(version) {
            let (found, known) = (u16::from(*version), u16::from(VERSION));
            return Err(Error::Version { what: WHAT, found, known });
        }
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(DAMAGED);
        }
        let (mut content, rest): (Content, _) = postcard::take_from_bytes(content).map_err(|_| DAMAGED)?;
        if *version > FIRST_VERSION {
            let (traps, rest) = postcard::take_from_bytes(rest).map_err(|_| DAMAGED)?;
            content.traps = traps;
            (content.soft_404s, content.revivals) = match *version {
                SECOND_VERSION if rest.is_empty() => (0, Vec::new()),
                SECOND_VERSION => (postcard::from_bytes(rest).map_err(|_| DAMAGED)?, Vec::new()),
                _ => postcard::from_bytes(rest).map_err(|_| DAMAGED)?,
            };
        }
        if content.arrears.are_sound() { Ok(content) } else { Err(DAMAGED) }
    }

    /// How much it is.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it is nothing: never of a cut.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

const DAMAGED: Error = Error::Damaged { what: WHAT };

impl ResidentHost {
    pub(crate) fn key(&self) -> Key {
        Key { group: self.group, host: self.host }
    }
}
