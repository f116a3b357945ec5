use crate::Histogram;
use serde::{Deserialize, Serialize};

/// What a run uses: of this process only, nothing of it outlives a restart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Resources {
    /// How long requests took, from the start of the connection to the last byte.
    pub fetch: Histogram,
    /// TLS connections made.
    pub tls_handshakes: u64,
    /// Those of them that went on with an earlier session.
    pub tls_resumptions: u64,
    /// Memory by part.
    pub memory: MemoryParts,
    /// Contacts that were drawn and could not begin in time, since the machine was busy: their turns were handed back, and nobody was contacted.
    pub handed_back: u64,
    /// Processor time of the loop that answering those who look has taken, in microseconds.
    pub asked_us: u64,
}

/// Memory in bytes, by what it is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryParts {
    /// The whole process, as the system counts it; 0 where nobody has asked.
    pub process: u64,
    /// Bodies under way and waiting for the disk or a parser.
    pub bodies: u64,
    /// They may take this much.
    pub bodies_most: u64,
    /// Hosts, domains and the URLs at hand.
    pub frontier: u64,
}
