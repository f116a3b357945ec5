//! The surroundings of one shard: a web given as a function, without limits on concurrency, in virtual time.

mod engine;

use crate::{
    Attempt, BudgetFunction, CaptureSeq, Consequence, DelayPolicy, Discovery, End, Everything, Failure,
    FailureKind, Frontier, FrontierConfig, FrontierState, Kind, Location, Lottery, Memory, Origin,
    PageSubject, Paths, Reach, Redirect, Response, Result, RetryPolicy, Revival, RobotsErrand, RobotsRecord,
    SeedBudgets, Shallower, ShardJob, Star, Stop, Subject, UrlState,
};
use disk::{MemDisk, SharedDisk};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Folding, Key, KeyHash, Url};

pub(super) const START: Timestamp = Timestamp::from_ms(1_700_000_000_000);
pub(super) const SECOND: u64 = 1000;
pub(super) const HOUR: u64 = 3600 * SECOND;
pub(super) const DAY: u64 = 24 * HOUR;
/// How long a contact takes unless the answer says otherwise: less than makes a host slow.
pub(super) const TOOK: u64 = 40;
const TTL: u64 = 30 * DAY;

pub(super) const CONFIG: FrontierConfig = FrontierConfig {
    delay: DelayPolicy { host_ms: 1000, host_floor_ms: 500, group_ms: 250, stranger_factor: 1 },
    retry: RetryPolicy { base_ms: 10_000, factor: 3, max_ms: 3_600_000, attempts: 5, overload_ms: 60_000 },
    seed: 7,
    memory: Memory { resident_bytes: 4 << 20, buffer_bytes: 4 << 10, bucket_bytes: 1 << 20, recent_keys: 64 },
    paths: Paths::Any,
    star: Star { function: BudgetFunction::Unlimited, seeds: SeedBudgets::Unlimited },
};

/// What the web answers.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    /// This status, in the usual time.
    Status(u16),
    /// This status, after so many milliseconds.
    Slow(u16, u64),
    /// This status, with a `Retry-After` in milliseconds.
    RetryAfter(u16, u64),
    /// A redirect; of a robots.txt, to this URL.
    To(Redirect),
    /// Rules.
    Rules(String),
    /// No response, or no address.
    Fails(FailureKind),
}

/// What is asked of the web: a URL, or `dns:` and a name, and how often it has been asked before.
pub(super) struct Ask<'a> {
    pub(super) url: &'a str,
    pub(super) before: u32,
}

impl Ask<'_> {
    pub(super) fn is_name(&self) -> bool {
        self.url.starts_with("dns:")
    }

    pub(super) fn is_robots(&self) -> bool {
        self.url.ends_with("/robots.txt")
    }
}

/// One contact, as a server sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contacted {
    pub(super) url: String,
    pub(super) host: String,
    pub(super) started: Timestamp,
    pub(super) ended: Timestamp,
}

/// What a journal would hold.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Found(Discovery, Origin),
    Attempt(Attempt, CaptureSeq),
    Robots(RobotsRecord),
    Revived(Revival),
}

pub(super) struct World {
    /// What is below the frontier's disk.
    pub(super) disk: MemDisk,
    pub(super) config: FrontierConfig,
    pub(super) frontier: Frontier,
    pub(super) pacing: Pacing,
    /// A job that has begun.
    pub(super) running: Option<ShardJob>,
    /// What jobs have reported.
    pub(super) shallower: Vec<Shallower>,
    pub(super) now: Timestamp,
    pub(super) log: Vec<Contacted>,
    pub(super) journal: Vec<Entry>,
    pub(super) lookups: u32,
    lottery: Lottery,
    web: Box<dyn Fn(&Ask<'_>) -> Answer>,
    asked: BTreeMap<String, u32>,
    agenda: BTreeMap<(Timestamp, u64), Landing>,
    reach: Reach,
    seq: u64,
}

/// When jobs are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pacing {
    /// Whenever anything is undecided.
    Eager,
    /// When the frontier says that one is due.
    Paced,
}

struct Landing {
    started: Timestamp,
    url: String,
    what: What,
    answer: Answer,
}

enum What {
    Page(PageSubject),
    Robots(RobotsErrand),
}

/// A shard on this disk, as it was at a cut.
pub(super) fn open(config: FrontierConfig, disk: &MemDisk, state: Option<&FrontierState>) -> Frontier {
    open_on(config, Arc::new(disk.clone()), state).unwrap()
}

/// The same, on any disk.
pub(super) fn open_on(
    config: FrontierConfig,
    disk: SharedDisk,
    state: Option<&FrontierState>,
) -> Result<Frontier> {
    Frontier::open(config, disk, PathBuf::from("shard"), state)
}

/// Where a capture lies.
pub(super) fn location_of(capture: CaptureSeq) -> Location {
    Location { serial: 1, offset: capture.0 * 100, length: 100, response_offset: 7, response_length: 70 }
}

pub(super) fn key(url: &str) -> KeyHash {
    Key::of(&Url::parse(url).unwrap(), &Folding::ALL).hash(CONFIG.seed)
}

pub(super) fn discovery(url: &str, depth: u32) -> Discovery {
    let url = Url::parse(url).unwrap().as_str().to_owned();
    Discovery { key: key(&url), url, depth, hops: 0, kind: Kind::Page }
}

impl World {
    pub(super) fn new(web: impl Fn(&Ask<'_>) -> Answer + 'static) -> Self {
        Self::with(CONFIG, web)
    }

    pub(super) fn with(config: FrontierConfig, web: impl Fn(&Ask<'_>) -> Answer + 'static) -> Self {
        let disk = MemDisk::new();
        Self::on(config, Arc::new(disk.clone()), disk, web).unwrap()
    }

    /// On a disk with `inner` below it.
    pub(super) fn on(
        config: FrontierConfig,
        disk: SharedDisk,
        inner: MemDisk,
        web: impl Fn(&Ask<'_>) -> Answer + 'static,
    ) -> Result<Self> {
        let mut frontier = open_on(config, disk, None)?;
        frontier.resume(Stop::Clean, START, Arc::new(Everything))?;
        Ok(Self {
            disk: inner,
            config,
            frontier,
            pacing: Pacing::Eager,
            running: None,
            shallower: Vec::new(),
            now: START,
            log: Vec::new(),
            journal: Vec::new(),
            lookups: 0,
            lottery: Lottery::new(CONFIG.seed),
            web: Box::new(web),
            asked: BTreeMap::new(),
            agenda: BTreeMap::new(),
            reach: Reach::Public,
            seq: 0,
        })
    }

    /// Every address is in a range that the operator allowed.
    pub(super) fn allowed(mut self) -> Self {
        self.reach = Reach::Allowed;
        self
    }

    pub(super) fn seed(mut self, urls: &[&str]) -> Self {
        for url in urls {
            self.find(url, 0);
        }
        self
    }

    /// Discovers a URL; whether it is new is decided by the next job.
    pub(super) fn find(&mut self, url: &str, depth: u32) {
        self.find_as(url, depth, &Origin::Seed).unwrap();
    }

    /// An operator's word that what is parked is to be tried again.
    pub(super) fn revive(&mut self, what: Revival) {
        self.journal.push(Entry::Revived(what.clone()));
        self.frontier.revive(what);
    }

    /// Does jobs until everything discovered is decided, whatever the refill latency.
    pub(super) fn decide(&mut self) {
        self.try_decide().unwrap();
    }

    /// Runs until nothing will happen any more.
    pub(super) fn run(&mut self) {
        self.run_until(self.now + 1000 * DAY);
    }

    /// Runs for so many milliseconds.
    pub(super) fn run_for(&mut self, ms: u64) {
        self.run_until(self.now + ms);
    }

    fn run_until(&mut self, end: Timestamp) {
        while self.step(end).unwrap() {}
        self.now = end;
    }

    /// Another process takes over: what was under way is lost.
    pub(super) fn restart(&mut self, frontier: Frontier, disk: MemDisk) {
        (self.frontier, self.disk) = (frontier, disk);
        self.running = None;
        self.agenda.clear();
    }

    /// The state of a URL that is known.
    pub(super) fn state(&mut self, url: &str) -> UrlState {
        self.decide();
        let found = self.frontier.look_up(key(url), &Url::parse(url).unwrap(), self.now).unwrap();
        found.state.unwrap_or_else(|| panic!("{url} is not known"))
    }

    /// A cut, and the disk as a stop at this moment leaves it.
    pub(super) fn cut(&mut self) -> (FrontierState, MemDisk) {
        let state = self.frontier.cut().unwrap().state;
        (state, self.disk.kill())
    }

    /// The same world after a stop.
    pub(super) fn restored(&mut self, stop: Stop) -> Frontier {
        let (state, disk) = self.cut();
        let mut frontier = open(self.config, &disk, Some(&state));
        frontier.resume(stop, self.now, Arc::new(Everything)).unwrap();
        frontier.check_invariants();
        frontier
    }

    /// The depth by which the page of this key was fetched.
    pub(super) fn first_path(&self, key: KeyHash) -> u32 {
        let path = |entry: &Entry| match entry {
            Entry::Attempt(Attempt { subject: Subject::Page(page), .. }, _) if page.key == key => {
                Some(page.depth)
            }
            _ => None,
        };
        self.journal.iter().find_map(path).unwrap_or_else(|| panic!("{key:?} was fetched"))
    }

    /// Whether it has failed as often as it may, by the journal.
    pub(super) fn has_failed_for_good(&self, key: KeyHash) -> bool {
        let is_last = |page: &PageSubject| page.key == key && self.config.retry.is_last(page.attempts + 1);
        self.journal.iter().any(|entry| match entry {
            Entry::Attempt(Attempt { subject: Subject::Page(page), end: End::Failed(_), .. }, _) => {
                is_last(page)
            }
            _ => false,
        })
    }

    /// What was discovered.
    pub(super) fn found(&self) -> impl Iterator<Item = &Discovery> {
        self.journal
            .iter()
            .filter_map(|entry| if let Entry::Found(found, _) = entry { Some(found) } else { None })
    }

    /// No URL has two final answers, and each that has one is where it says.
    pub(super) fn check_answered_once(&self) {
        let mut answered: BTreeMap<KeyHash, CaptureSeq> = BTreeMap::new();
        for entry in &self.journal {
            if let Entry::Attempt(attempt @ Attempt { subject: Subject::Page(page), .. }, capture) = entry
                && attempt.is_answer()
            {
                assert_eq!(answered.insert(page.key, *capture), None, "{} twice", attempt.url);
            }
        }
        assert_eq!(answered.len() as u64, self.frontier.fetched());
        for (key, state) in states(&self.frontier) {
            let capture = if let UrlState::Fetched { capture, .. } = state { Some(capture) } else { None };
            assert_eq!(capture, answered.get(&key).copied(), "{state:?}");
        }
    }

    /// The contacts of a host, or of all hosts whose name ends so.
    pub(super) fn contacts(&self, host: &str) -> Vec<&Contacted> {
        self.log.iter().filter(|contact| contact.host.ends_with(host)).collect()
    }

    /// URLs in the order they were asked for, robots.txt left out.
    pub(super) fn pages(&self) -> Vec<&str> {
        let urls = self.log.iter().map(|contact| contact.url.as_str());
        urls.filter(|url| !url.ends_with("/robots.txt")).collect()
    }

    /// Milliseconds from the end of each contact of a host to the start of the next.
    pub(super) fn gaps(&self, host: &str) -> Vec<u64> {
        let contacts = self.contacts(host);
        contacts
            .windows(2)
            .map(|pair| {
                assert!(pair[1].started >= pair[0].ended, "one contact at a time with {host}: {pair:?}");
                pair[1].started.since_ms(pair[0].ended)
            })
            .collect()
    }
}

/// An attempt, live or in a replay; what is fetched is durable at once.
pub(super) fn apply(frontier: &mut Frontier, attempt: &Attempt, capture: CaptureSeq) -> Result<()> {
    let consequence = frontier.apply(attempt, capture)?;
    match &attempt.subject {
        Subject::Page(subject) if consequence == Consequence::Final => {
            frontier.located(subject.key, capture, location_of(capture))
        }
        _ => Ok(()),
    }
}

/// What a journal says, said again.
pub(super) fn replay(frontier: &mut Frontier, entries: &[Entry]) -> Result<()> {
    for entry in entries {
        match entry {
            Entry::Found(found, origin) => frontier.admit(std::slice::from_ref(found), origin)?,
            Entry::Attempt(attempt, capture) => apply(frontier, attempt, *capture)?,
            Entry::Robots(record) => frontier.apply_robots(record.clone())?,
            Entry::Revived(what) => frontier.revive(what.clone()),
        }
        frontier.check_invariants();
    }
    Ok(())
}

/// All URLs with their states.
pub(super) fn states(frontier: &Frontier) -> BTreeMap<KeyHash, UrlState> {
    let mut states = BTreeMap::new();
    let mut visit = |key, state| {
        if let Some(other) = states.insert(key, state) {
            panic!("{key:?} is {other:?} and {:?}", states[&key]);
        }
    };
    frontier.walk(&mut visit).unwrap();
    states
}

fn end_of(answer: &Answer) -> End {
    let response = |status, retry_after_ms, redirect| {
        End::Captured(Response {
            status,
            bytes: 10,
            content_type: None,
            redirect,
            retry_after_ms,
            truncated: false,
        })
    };
    match answer {
        Answer::Status(status) | Answer::Slow(status, _) => response(*status, None, None),
        Answer::RetryAfter(status, after) => response(*status, Some(*after), None),
        Answer::To(redirect) => response(301, None, Some(redirect.clone())),
        Answer::Rules(_) => response(200, None, None),
        Answer::Fails(kind) => End::Failed(Failure { kind: *kind, detail: String::new() }),
    }
}

/// Every page is there, nobody has rules.
pub(super) fn plain(ask: &Ask<'_>) -> Answer {
    Answer::Status(if ask.is_robots() { 404 } else { 200 })
}
