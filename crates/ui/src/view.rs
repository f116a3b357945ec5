use serde::Serialize;
use snapshot::Snapshot;
use std::sync::Arc;

/// Where a crawl stands.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its directory, as the operator named it.
    pub crawl: String,
    /// What it is doing.
    pub mode: Mode,
    /// Its numbers.
    pub snapshot: Arc<Snapshot>,
}

/// What a crawl is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It goes on.
    Running,
    /// It begins nothing until it is told to go on.
    Paused,
    /// It is not running: what is shown is how it was left.
    Still,
}

/// A page of the hosts table.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Hosts {
    /// In the order that was asked for.
    pub rows: Vec<HostRow>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
    /// Hosts that were looked through.
    pub seen: u64,
    /// Of them those that match.
    pub matching: u64,
    /// Whether there are more hosts than were looked through: those in memory, and some of those on disk.
    pub sampled: bool,
    /// How long ago they were looked at.
    pub age_ms: u64,
    /// For how long whoever asks again is shown the same, so that looking costs the crawl little.
    pub keeps_ms: u64,
}

/// One host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HostRow {
    /// Its name.
    pub host: String,
    /// `contact`, `wait`, `idle`, `excluded`, `parked`.
    pub state: &'static str,
    /// Where it lies: `memory`, `disk`.
    pub place: &'static str,
    /// Why it waits, in words; why nothing of it is fetched, where that is so.
    pub why: String,
    /// No contact before this, in milliseconds on the crawl's timeline.
    pub until_ms: u64,
    /// URLs that wait.
    pub pending: u64,
    /// URLs of it that are put off: by its domain's budget, or by a trap's rule.
    pub deferred: u64,
    /// Contacts so far.
    pub contacts: u64,
    /// How long the last answer took.
    pub last_response_ms: u64,
    /// Failures in a row.
    pub failures: u8,
    /// What its robots.txt asks for.
    pub crawl_delay_ms: Option<u64>,
}

/// A page that was parsed lately.
#[derive(Debug, Clone, Serialize)]
pub struct PageSeen {
    /// When it was requested, in Unix milliseconds.
    pub fetched_ms: u64,
    /// The URL.
    pub url: String,
    /// The status.
    pub status: u16,
    /// The title.
    pub title: Option<String>,
    /// ISO 639-1.
    pub language: Option<String>,
    /// Links from a seed.
    pub depth: u32,
    /// The beginning of its text.
    pub text: String,
    /// How much text there is, in bytes.
    pub text_bytes: u64,
    /// The first of its links in scope.
    pub links: Vec<String>,
    /// How many links in scope it has.
    pub links_found: u64,
}

/// An attempt that failed, or was answered with an error.
#[derive(Debug, Clone, Serialize)]
pub struct AttemptSeen {
    /// When it ended, in milliseconds on the crawl's timeline.
    pub at_ms: u64,
    /// The URL.
    pub url: String,
    /// The status or the kind of failure.
    pub cause: String,
    /// What there is to say about it.
    pub detail: String,
}

/// A contact with a server.
#[derive(Debug, Clone, Serialize)]
pub struct ContactSeen {
    /// Entry of the journal.
    pub entry: u64,
    /// When it began, in milliseconds on the crawl's timeline.
    pub started_ms: u64,
    /// How long it took.
    pub took_ms: u64,
    /// The host.
    pub host: String,
    /// The server's address.
    pub address: String,
    /// `page`, `sitemap`, `robots`.
    pub what: &'static str,
    /// The URL.
    pub url: String,
    /// The status or the kind of failure.
    pub outcome: String,
    /// Which delay applied.
    pub delay: &'static str,
    /// By how much it was more than kept, in milliseconds; `None` where nothing is known of an earlier contact.
    pub to_spare_ms: Option<u64>,
}

/// What traps have held back.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Traps {
    /// URLs that wait longer at this moment, for a trap's rule or for the budget of their domain.
    pub put_off: u64,
    /// By rule, all that there are.
    pub rules: Vec<TrapRow>,
    /// Patterns of URLs that are held back most, the worst first.
    pub templates: Vec<TemplateRow>,
    /// Hosts in memory some of whose URLs look like a trap, the worst first.
    pub traps: Vec<Trap>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrapRow {
    /// Its word.
    pub rule: &'static str,
    /// What it is about.
    pub what: &'static str,
    /// URLs that it has held back since the crawl began, each counted once; they may have been fetched since.
    pub held_back: u64,
}

/// A pattern of URLs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TemplateRow {
    /// The host.
    pub host: String,
    /// `/calendar/<number>/<number>?view`
    pub form: String,
    /// The rule that held the last of them back.
    pub rule: &'static str,
    /// Fetches of such URLs.
    pub fetches: u32,
    /// Of them those that gave something new.
    pub fresh: u32,
    /// URLs held back since it is counted.
    pub held_back: u64,
}

/// A host some of whose URLs look like a trap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trap {
    /// The host.
    pub host: String,
    /// What is held against it.
    pub reason: String,
    /// How many queues later than their turn such URLs are looked at.
    pub queues: u8,
    /// URLs that wait.
    pub pending: u64,
    /// URLs of these that are put off.
    pub deferred: u64,
}

/// What a crawl has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Output {
    /// Its path below the crawl's directory; of several files with one purpose, their pattern.
    pub path: String,
    /// What it is, in words.
    pub what: &'static str,
    /// Files.
    pub files: u64,
    /// Bytes of all of them.
    pub bytes: u64,
}
