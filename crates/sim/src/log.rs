use std::net::IpAddr;
use stdx::Timestamp;

/// Who sees what the servers of a web see, contact by contact. A witness that is also a judge needs no log.
pub trait Witness {
    /// The crawler starts.
    fn begin(&mut self, now: Timestamp, after: Before);
    /// The crawler exits or dies, and its connections with it.
    fn end(&mut self, now: Timestamp);
    /// A contact begins that will end as it says, unless the crawler ends before. They come in order of their start, unless the
    /// network is [late](crate::Network::late).
    fn contact(&mut self, contact: Contact);
    /// A name is looked up, which takes a slot until then.
    fn looks_up(&mut self, _now: Timestamp, _until: Timestamp) {}
    /// A seed or a link, which the crawler knows of from then on.
    fn finds(&mut self, _url: &str, _at: Timestamp) {}
    /// Nothing happens between now and `next`.
    fn waits(&mut self, _now: Timestamp, _next: Timestamp) {}
}

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
    /// What the client saw: a status, or none; none of an answer that broke off.
    pub status: Option<u16>,
    /// How long the answer asked to be left alone.
    pub retry_after_ms: Option<u64>,
}

/// What a request was for, by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// robots.txt.
    Robots,
    /// Where a robots.txt may redirect to: the rules of another host, perhaps, so that nothing is known of this one's.
    Policy,
    /// Anything else.
    Content,
}

/// One run of the crawler.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The node it ran on; 0 for a crawl of one.
    pub node: u16,
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

impl Witness for ServerLog {
    fn begin(&mut self, now: Timestamp, after: Before) {
        self.runs.push(Run { node: 0, started: now, ended: Timestamp::NEVER, after });
    }

    fn end(&mut self, now: Timestamp) {
        self.runs.last_mut().expect("it was running").ended = now;
        self.contacts.iter_mut().filter(|contact| contact.ended > now).for_each(|contact| contact.cut(now));
    }

    fn contact(&mut self, contact: Contact) {
        self.contacts.push(contact);
    }
}

impl Contact {
    /// The crawler is gone before it ends.
    pub(crate) fn cut(&mut self, now: Timestamp) {
        self.ended = now;
        self.status = None;
        self.retry_after_ms = None;
    }
}

impl ServerLog {
    /// Whether the crawler must still know of a contact in run `later`: nothing crashed between, or it ended early enough
    /// before the crash.
    pub fn is_remembered(&self, contact: &Contact, later: usize) -> bool {
        is_remembered(&self.runs, contact.run, contact.ended, later)
    }

    /// A node of several starts; gives its run.
    pub(crate) fn begin_on(&mut self, node: u16, now: Timestamp, after: Before) -> usize {
        self.runs.push(Run { node, started: now, ended: Timestamp::NEVER, after });
        self.runs.len() - 1
    }

    /// A run of a node of several ends, and its connections with it.
    pub(crate) fn end_run(&mut self, run: usize, now: Timestamp) {
        self.runs[run].ended = now;
        let open = |contact: &&mut Contact| contact.run == run && contact.ended > now;
        self.contacts.iter_mut().filter(open).for_each(|contact| contact.cut(now));
    }

    /// What one node had to do with it.
    #[must_use]
    pub fn of_node(&self, node: u16) -> Self {
        let runs: Vec<usize> = (0..self.runs.len()).filter(|run| self.runs[*run].node == node).collect();
        let of_node = |contact: &Contact| {
            let run = runs.binary_search(&contact.run).ok()?;
            Some(Contact { run, ..contact.clone() })
        };
        let contacts = self.contacts.iter().filter_map(of_node).collect();
        Self { contacts, runs: runs.iter().map(|run| self.runs[*run]).collect() }
    }

    /// The contacts in order of their start.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &Contact> {
        let mut contacts: Vec<&Contact> = self.contacts.iter().collect();
        contacts.sort_by_key(|contact| contact.started);
        contacts.into_iter()
    }
}

/// The same of a contact made in `run` that has `ended`.
pub(crate) fn is_remembered(runs: &[Run], run: usize, ended: Timestamp, later: usize) -> bool {
    let next = runs[run + 1..].iter().find(|next| next.node == runs[run].node);
    let crashed = next.is_some_and(|next| next.after == Before::Crash);
    later == run || !crashed || ended + SURELY_COMMITTED_MS <= runs[run].ended
}
