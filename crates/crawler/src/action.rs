use crate::{FetchJob, OrderId, RecoveryError, Rules, Ticket, Work};
use archive::{Capture, Location};
use cluster::Envelope;
use control::{Receipt, Refusal};
use frontier::{CaptureSeq, Kind, LookUp};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Everything a crawl asks of its surroundings. Each is answered by one event, in any order, but commits and checkpoints
/// are carried out in the order given.
#[derive(Debug)]
pub enum Action {
    /// Give the next seeds.
    MoreSeeds,
    /// Find a name's addresses.
    Resolve(ResolveJob),
    /// These names will be needed: find their addresses if there is nothing better to do. Not answered.
    AskAhead {
        /// Names and address literals.
        names: Vec<String>,
    },
    /// Make one request.
    Fetch(FetchJob),
    /// Make these entries durable, all together.
    Commit(Vec<archive::Entry>),
    /// Make files and their directories durable, which a checkpoint is to name. Nothing else waits for it.
    MakeDurable {
        /// Which.
        files: Vec<PathBuf>,
        /// Whether it is for the last checkpoint, so that people do wait for it.
        last: bool,
    },
    /// Write a checkpoint, after the commits given before it.
    Checkpoint(Checkpoint),
    /// Remove closed WARC files with lower serials. Not answered.
    Expire {
        /// The first serial that stays.
        before: u32,
    },
    /// Parse a committed capture.
    Parse(ParseJob),
    /// Do a shard's work, on any thread. At most [`JOBS_AT_ONCE`](crate::limits::JOBS_AT_ONCE) of these are under way.
    Work(Box<Work>),
    /// Close the corpus file that is open.
    CloseRows,
    /// Close the archive's open file and write its index.
    Finish,
    /// Carry this to another node. Not answered: it may be lost, come twice or out of order.
    Send(Envelope),
    /// Give the journal's entries from this one on, about so many bytes of them, all of them committed; one at least.
    ReadJournal {
        /// The first.
        from: u64,
        /// Bytes of records.
        bytes: usize,
    },
    /// Tell the operator: it is done and durable, or refused. Not answered.
    Answer {
        /// Which order.
        order: OrderId,
        /// What came of it.
        answer: Result<Receipt, Refusal>,
    },
    /// This run of the crawl is over.
    Exit(Exit),
    /// This run of the crawl is over, because a file of the frontier could not be read or written, or the journal not be read
    /// once more, and not for lack of room. What was committed stays.
    Fail(RecoveryError),
}

/// A name to resolve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveJob {
    /// Which action.
    pub ticket: Ticket,
    /// The name, or an address literal.
    pub name: String,
    /// What may answer.
    pub look_up: LookUp,
}

/// A cut of the machine's state.
#[derive(Debug)]
pub struct Checkpoint {
    /// The last journal entry it covers; all up to it were in earlier commits.
    pub covers: u64,
    /// Whether nothing is under way, so that the clocks are exact.
    pub clean: bool,
    /// The state, encoded.
    pub state: Vec<u8>,
}

/// A committed capture to be parsed.
#[derive(Debug, Clone)]
pub struct ParseJob {
    /// Which capture.
    pub capture: CaptureSeq,
    /// Where it is.
    pub source: Source,
    /// Where the archive has it.
    pub location: Location,
    /// Page or sitemap.
    pub kind: Kind,
    /// Links from a seed.
    pub depth: u32,
    /// Redirects behind it.
    pub hops: u8,
    /// What is still missing.
    pub wants: Wants,
    /// What the crawl is about now: operators may change it while a crawl runs.
    pub rules: Arc<Rules>,
}

/// Where the bytes of a capture are.
#[derive(Debug, Clone)]
pub enum Source {
    /// Still in memory.
    Held(Arc<Capture>),
    /// In the archive, to be read back.
    Stored,
}

/// What a parse is to give; after a crash one of the two may be durable already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wants {
    /// Links, for the frontier.
    pub links: bool,
    /// A row, for the corpus.
    pub row: bool,
}

impl Wants {
    /// Whether anything is missing.
    pub fn any(self) -> bool {
        self.links || self.row
    }
}

/// How a run of a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Every URL has its final state.
    Done,
    /// What is left is not due within the patience, or nobody has been reached for as long.
    Waiting,
    /// The operator asked.
    Interrupted,
    /// A limit was reached.
    LimitReached,
    /// The disk is full.
    DiskFull,
}
