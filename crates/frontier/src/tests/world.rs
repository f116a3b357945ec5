//! The surroundings of one shard: a web given as a function, without limits on concurrency, in virtual time.

use crate::limits::ROBOTS_MAX_HOPS;
use crate::{
    Address, Admission, Attempt, CaptureSeq, Contact, DelayPolicy, Discovery, Draw, End, Failure,
    FailureKind, Frontier, FrontierConfig, Kind, Need, Origin, PageSubject, Reach, Redirect, Response,
    RetryPolicy, RobotsAnswer, RobotsErrand, RobotsRecord, Subject, Turn, UrlState,
};
use robots::Robots;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
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
    Found(Discovery),
    Attempt(Attempt, CaptureSeq),
    Robots(RobotsRecord),
}

pub(super) struct World {
    pub(super) frontier: Frontier,
    pub(super) now: Timestamp,
    pub(super) log: Vec<Contacted>,
    pub(super) journal: Vec<Entry>,
    pub(super) lookups: u32,
    web: Box<dyn Fn(&Ask<'_>) -> Answer>,
    asked: BTreeMap<String, u32>,
    agenda: BTreeMap<(Timestamp, u64), Landing>,
    reach: Reach,
    seq: u64,
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
        Self {
            frontier: Frontier::new(config),
            now: START,
            log: Vec::new(),
            journal: Vec::new(),
            lookups: 0,
            web: Box::new(web),
            asked: BTreeMap::new(),
            agenda: BTreeMap::new(),
            reach: Reach::Public,
            seq: 0,
        }
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

    pub(super) fn find(&mut self, url: &str, depth: u32) -> Admission {
        let found = discovery(url, depth);
        let admission = self.frontier.admit(&found, &Origin::Seed);
        self.journal.push(Entry::Found(found));
        admission
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
        while self.step(end) {}
        self.now = end;
    }

    /// Everything that happens now, then on to the next moment; false when there is none before `end`.
    pub(super) fn step(&mut self, end: Timestamp) -> bool {
        self.dispatch();
        let landing = self.agenda.first_key_value().map(|(&(at, _), _)| at);
        let next = [landing, self.frontier.next_due()].into_iter().flatten().min();
        let Some(next) = next.filter(|&next| next <= end) else { return false };
        assert!(next > self.now || landing == Some(self.now), "work that is due has been given");
        self.now = next.max(self.now);
        while let Some(entry) = self.agenda.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let landing = entry.remove();
            self.land(landing);
        }
        true
    }

    /// Takes every turn there is: afterwards nobody is due.
    pub(super) fn dispatch(&mut self) {
        while let Some(turn) = self.frontier.next_turn(self.now) {
            self.take(&turn);
        }
        assert!(self.frontier.next_due().is_none_or(|due| due > self.now), "a due host gets its turn");
        self.frontier.check_invariants();
    }

    fn take(&mut self, turn: &Turn) {
        match &turn.need {
            Need::Resolve { name } => self.resolve(turn, name),
            Need::Server(_) => match self.frontier.draw(turn.host, self.now) {
                Draw::Page(draw) => {
                    self.contact(draw.url.as_str(), What::Page(draw.subject));
                }
                Draw::Robots(errand) => self.contact(&errand.url.clone(), What::Robots(errand)),
                Draw::Nothing => {}
            },
        }
    }

    fn ask(&mut self, url: &str) -> Answer {
        let times = self.asked.entry(url.to_owned()).or_default();
        let before = *times;
        *times += 1;
        (self.web)(&Ask { url, before })
    }

    fn resolve(&mut self, turn: &Turn, name: &str) {
        self.lookups += 1;
        let Answer::Fails(kind) = self.ask(&format!("dns:{name}")) else {
            let address = self.address();
            return self.frontier.resolved(turn.host, vec![address], self.now + TTL);
        };
        let end = End::Failed(Failure { kind, detail: String::new() });
        let url = format!("http://{name}/");
        self.apply(Attempt { subject: Subject::Name, url, contact: None, at: self.now, end });
    }

    fn address(&self) -> Address {
        Address { ip: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), reach: self.reach }
    }

    fn contact(&mut self, url: &str, what: What) {
        let answer = self.ask(url);
        let took = if let Answer::Slow(_, took) = answer { took } else { TOOK };
        self.seq += 1;
        let landing = Landing { started: self.now, url: url.to_owned(), what, answer };
        self.agenda.insert((self.now + took, self.seq), landing);
    }

    fn land(&mut self, landing: Landing) {
        let Landing { started, url, what, answer } = landing;
        let host = Url::parse(&url).unwrap().host().to_owned();
        self.log.push(Contacted { url: url.clone(), host, started, ended: self.now });
        let contact = Some(Contact { address: self.address(), started, ended: self.now });
        let subject = match &what {
            What::Page(subject) => Subject::Page(subject.clone()),
            What::Robots(errand) => Subject::Robots { authority: errand.authority.clone() },
        };
        self.apply(Attempt { subject, url, contact, at: self.now, end: end_of(&answer) });
        if let What::Robots(errand) = what {
            self.robots_answered(errand, answer);
        }
        self.answer_stranded();
    }

    fn apply(&mut self, attempt: Attempt) {
        self.seq += 1;
        let capture = CaptureSeq(self.seq);
        self.frontier.apply(&attempt, capture);
        self.journal.push(Entry::Attempt(attempt, capture));
        self.answer_stranded();
    }

    fn robots_answered(&mut self, errand: RobotsErrand, answer: Answer) {
        let unreachable = |after| RobotsAnswer::Unreachable { detail: String::new(), retry_after_ms: after };
        let answer = match answer {
            Answer::To(Redirect::OtherKey(url)) if errand.hops < ROBOTS_MAX_HOPS => {
                let authority = errand.authority.clone();
                if self.frontier.run_errand(RobotsErrand { url, hops: errand.hops + 1, ..errand }) {
                    return self.frontier.await_robots(&authority);
                }
                return self.learn(authority, unreachable(None));
            }
            Answer::Rules(text) => RobotsAnswer::Rules(Box::new(Robots::parse(text.as_bytes(), "drumlin"))),
            Answer::Status(status @ 400..=499) if status != 429 => RobotsAnswer::Absent { status },
            Answer::To(_) => RobotsAnswer::Absent { status: 301 },
            Answer::RetryAfter(_, after) => unreachable(Some(after)),
            _ => unreachable(None),
        };
        self.learn(errand.authority, answer);
    }

    fn learn(&mut self, authority: String, answer: RobotsAnswer) {
        let record = RobotsRecord { authority, fetched_at: self.now, answer };
        self.journal.push(Entry::Robots(record.clone()));
        self.frontier.apply_robots(record);
    }

    fn answer_stranded(&mut self) {
        loop {
            let stranded = self.frontier.take_unanswered();
            if stranded.is_empty() {
                return;
            }
            for errand in stranded {
                let answer = RobotsAnswer::Unreachable { detail: "barred".to_owned(), retry_after_ms: None };
                self.learn(errand.authority, answer);
            }
        }
    }

    pub(super) fn state(&self, url: &str) -> &UrlState {
        self.frontier.state(key(url)).unwrap_or_else(|| panic!("{url} is not known"))
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
