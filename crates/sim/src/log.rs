use std::net::IpAddr;
use stdx::Timestamp;

/// What the servers of a web know of a crawler, and when it was running: all that politeness is judged from.
#[derive(Debug, Clone, Default)]
pub struct ServerLog {
    /// Every contact, in order of its start.
    pub contacts: Vec<Contact>,
    /// The runs of the crawler, from start to stop.
    pub runs: Vec<Run>,
}

/// One request as the server saw it.
#[derive(Debug, Clone)]
pub struct Contact {
    /// The run it was made in: an index into [`ServerLog::runs`].
    pub run: usize,
    /// The host it was for.
    pub host: String,
    /// The address it came to.
    pub address: IpAddr,
    /// The URL.
    pub url: String,
    /// When the connection began.
    pub started: Timestamp,
    /// When it ended, or was cut by a crash.
    pub ended: Timestamp,
    /// What it was for.
    pub purpose: Purpose,
    /// What the client saw: a status, or none.
    pub status: Option<u16>,
    /// How long the answer asked to be left alone.
    pub retry_after_ms: Option<u64>,
}

/// What a request was for, by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// robots.txt.
    Robots,
    /// Anything else.
    Content,
}

/// One run of the crawler.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// When it began.
    pub started: Timestamp,
    /// When it exited or died; [`Timestamp::NEVER`] while it runs.
    pub ended: Timestamp,
    /// How the run before it ended.
    pub after: Before,
}

/// How the run before a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// There was none, or it exited in good order.
    Calm,
    /// It died.
    Crash,
}

/// What ended this long before a crash is durable: twice the virtual time of a group commit, since one may be under way,
/// and some.
pub const SURELY_COMMITTED_MS: u64 = 10;

impl ServerLog {
    /// Whether the crawler must still know of a contact in run `later`: nothing crashed between, or it ended early enough
    /// before the crash.
    pub fn is_remembered(&self, contact: &Contact, later: usize) -> bool {
        let crashed = |run: usize| self.runs.get(run + 1).is_some_and(|next| next.after == Before::Crash);
        later == contact.run
            || !crashed(contact.run)
            || contact.ended + SURELY_COMMITTED_MS <= self.runs[contact.run].ended
    }
}
