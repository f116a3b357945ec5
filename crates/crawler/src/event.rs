use crate::{FoundLinks, LostPage, Says, Worked};
use archive::{Capture, ReplayEntry};
use cluster::Envelope;
use control::Command;
use frontier::{Address, Failure};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::Url;

/// Names one piece of work that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The end of a resolve action.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// Which action.
    pub ticket: Ticket,
    /// What came of it.
    pub outcome: ResolveOutcome,
}

/// What a name resolved to.
#[derive(Debug, Clone)]
pub enum ResolveOutcome {
    /// Addresses that the configuration allows to be contacted, best first, never empty.
    Addresses {
        /// The addresses, each with how it may be reached.
        addresses: Vec<Address>,
        /// How long they may be used, in milliseconds; fetch has applied its floor and ceiling.
        ttl_ms: u64,
    },
    /// Nothing to connect to.
    Failed(Failure),
}

/// One request to be made: to this address and no other, following nothing.
#[derive(Debug, Clone)]
pub struct FetchJob {
    /// Which action.
    pub ticket: Ticket,
    /// What to ask for.
    pub url: Url,
    /// The checked address to connect to.
    pub address: SocketAddr,
    /// When the contact may begin at the latest, on the crawl's clock: clocks that run from start to start count from the draw.
    pub begin_by: Timestamp,
    /// Bounds on the response.
    pub limits: FetchLimits,
    /// Whether another request to this host may be due soon, so that the connection is worth keeping.
    pub keep_alive: bool,
    /// Whether what is known already need not be sent again.
    pub asks: Asks,
}

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// The resource as it is.
    Whatever,
    /// Only if it is no longer what an earlier crawl has, where that has it (RFC 9110, section 13).
    IfModified,
}

/// Bounds on one response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// Body bytes kept (as received, transfer-coding removed); what exceeds it is cut and marked.
    pub body_bytes: u64,
    /// From the start of the connection to the last byte.
    pub total_ms: u64,
    /// Whether a body of a type outside the configured list is cut to nothing.
    pub any_content_type: AnyContentType,
}

/// Whether the content-type filter applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyContentType {
    /// Keep the body whatever its type (robots.txt, sitemaps).
    Yes,
    /// Keep only configured types.
    No,
}

/// The end of a fetch action.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Which action.
    pub ticket: Ticket,
    /// The address that was contacted.
    pub address: IpAddr,
    /// When the connection was begun, or found to be too late.
    pub started: Timestamp,
    /// When the last byte came or the attempt was given up.
    pub ended: Timestamp,
    /// Capture or failure, or nothing at all.
    pub outcome: Outcome,
}

/// One capture or one typed failure, if anybody was contacted.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// A response, with at least a complete head. Shared, never copied: a body changes thread by pointer.
    Captured(Arc<Capture>),
    /// No response.
    Failed(Failure),
    /// It was later than [`FetchJob::begin_by`] before anything was begun: nobody was contacted.
    TooLate,
}

/// Everything that happens to a crawl.
#[derive(Debug)]
pub enum Event {
    /// Seeds, in answer to [`Action::MoreSeeds`](crate::Action::MoreSeeds); none means there are no more.
    Seeds(Vec<Url>),
    /// A resolve action ended.
    Resolved(Resolved),
    /// A fetch action ended.
    Fetched(Fetched),
    /// A commit action ended well: everything in it is durable.
    Committed(Commitment),
    /// The files of a checkpoint are durable, so that it can be written.
    MadeDurable,
    /// A checkpoint action ended well: what only earlier ones named may go.
    Checkpointed,
    /// A parse action ended.
    Parsed(Parsed),
    /// A work action ended, well or not.
    Worked(Box<Worked>),
    /// A corpus file was closed: the rows of these captures (first to last, inclusive) are durable.
    RowsClosed(Vec<(u64, u64)>),
    /// The corpus has nothing open any more, in answer to [`Action::CloseRows`](crate::Action::CloseRows).
    RowsDone,
    /// The archive is closed, in answer to [`Action::Finish`](crate::Action::Finish).
    Finished,
    /// What the disk says.
    Storage(Storage),
    /// What the memory for bodies says.
    Memory(Memory),
    /// Another node says something.
    Arrived(Envelope),
    /// The journal was read, in answer to [`Action::ReadJournal`](crate::Action::ReadJournal).
    JournalRead(Vec<ReplayEntry>),
    /// Stop fetching, finish what is under way, save.
    Drain,
    /// An operator says something; answered by [`Action::Answer`](crate::Action::Answer).
    Ordered {
        /// Which order.
        order: OrderId,
        /// What is said.
        command: Command,
    },
    /// The files of the crawl have been rewritten without what was taken down up to this entry.
    Purged {
        /// The entry of the last takedown that this goes for.
        through: u64,
    },
}

/// Names one command that was given, until it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderId(pub u64);

/// What a commit gave.
#[derive(Debug, Clone)]
pub struct Commitment {
    /// Sequence number of the first entry.
    pub first_seq: u64,
    /// Where each entry's capture is, `None` for entries without one.
    pub locations: Vec<Option<archive::Location>>,
    /// Bytes the frame took in the journal.
    pub journal_bytes: u64,
}

/// What the disk says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// Little is left: fetch nothing until there is more.
    Low,
    /// There is room again.
    Enough,
    /// A write failed for lack of room; what was to be committed is not.
    Full {
        /// What it said, for people: which file, and what the system answered.
        because: String,
    },
}

/// What the memory for bodies says: bodies under way and captures that wait for the disk and the parsers share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Little is left: begin nothing until there is more. What is under way ends in any case, on disk if it must.
    Short,
    /// There is room again.
    Enough,
}

/// What a parse gave.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// Which capture.
    pub capture: frontier::CaptureSeq,
    /// The URL it answers.
    pub url: String,
    /// What it has to say, if that can be told.
    pub says: Option<Says>,
    /// Links in scope, each once, in document order.
    pub links: FoundLinks,
    /// Links out of scope, counted by rule.
    pub out_of_scope: Vec<(String, u64)>,
    /// Whether a row went to the corpus.
    pub row: bool,
    /// Why there is nothing of all this, where that is a loss.
    pub lost: Option<LostPage>,
}

impl Parsed {
    /// What is derived from a capture that is no longer there.
    pub fn nothing(capture: frontier::CaptureSeq) -> Self {
        Self {
            capture,
            url: String::new(),
            says: None,
            links: FoundLinks::default(),
            out_of_scope: Vec::new(),
            row: false,
            lost: None,
        }
    }
}
