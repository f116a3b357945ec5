//! Ledgers as a crawl would have written them, but for what a test changes.

use crate::{Attention, Audit, Breach, Judge, audit, read};
use archive::ReplayEntry;
use crawler::{
    Address, Attempt, CaptureSeq, Contact, DelayPolicy, End, Failure, FailureKind, Kind, Origin, PageSubject,
    Promise, Reach, Record, Response, RobotsAnswer, RobotsRecord, Stop, Subject,
};
use robots::Robots;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use stdx::{Timestamp, WallTime};
use weburl::{Folding, Key, KeyHash, Url};

pub(super) const START_MS: u64 = 1_800_000_000_000;
pub(super) const DAY_MS: u64 = 24 * 3600 * 1000;

/// A ledger under the pen; the clock stands at its last contact.
#[derive(Clone)]
pub(super) struct Forge {
    pub(super) entries: Vec<ReplayEntry>,
    pub(super) now_ms: u64,
}

/// What a run promises by default: a second a host, a quarter a server and a domain.
pub(super) fn promise(began_ms: u64, stop: Stop) -> Promise {
    Promise {
        began: Timestamp::from_ms(began_ms),
        stop,
        delay: DelayPolicy::default(),
        server_ms: 250,
        server_floor_ms: 100,
        overload_ms: 60_000,
        fetch_ms: 120_000,
        agent: "drumlin".to_owned(),
    }
}

/// A contact with everything that a test may want to change.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) url: String,
    pub(super) started_ms: u64,
    pub(super) took_ms: u64,
    pub(super) address: Ipv4Addr,
    pub(super) reach: Reach,
    pub(super) end: End,
    pub(super) subject: Option<Subject>,
}

pub(super) fn answered(status: u16, retry_after_ms: Option<u64>) -> End {
    let content_type = Some("text/html".to_owned());
    End::Captured(Response {
        status,
        bytes: 9,
        content_type,
        redirect: None,
        retry_after_ms,
        truncated: false,
    })
}

pub(super) fn timed_out() -> End {
    End::Failed(Failure { kind: FailureKind::ResponseTimeout, detail: "for people".to_owned() })
}

/// A host of these tests has an address of its own, unless it is told another.
pub(super) fn address_of(host: &str) -> Ipv4Addr {
    let id = crate::contact::id_of(host).to_le_bytes();
    Ipv4Addr::new(198, id[0], id[1], id[2])
}

impl Visit {
    pub(super) fn new(url: &str, started_ms: u64) -> Self {
        let address = address_of(Url::parse(url).unwrap().host());
        Self {
            url: url.to_owned(),
            started_ms,
            took_ms: 20,
            address,
            reach: Reach::Public,
            end: answered(200, None),
            subject: None,
        }
    }

    fn record(&self) -> Record {
        let (started, ended) =
            (Timestamp::from_ms(self.started_ms), Timestamp::from_ms(self.started_ms + self.took_ms));
        let address = Address { ip: IpAddr::V4(self.address), reach: self.reach };
        let subject = self.subject.clone().unwrap_or_else(|| page(&self.url));
        let contact = Some(Contact { address, started, ended });
        let attempt = Attempt { subject, url: self.url.clone(), contact, at: ended, end: self.end.clone() };
        Record::Attempt { shard: 0, attempt }
    }
}

fn page(url: &str) -> Subject {
    let key: KeyHash = Key::of(&Url::parse(url).unwrap(), &Folding::ALL).hash(7);
    Subject::Page(PageSubject { key, depth: 1, hops: 0, attempts: 0, kind: Kind::Page, origin: Origin::Seed })
}

impl Forge {
    /// Nothing but the beginning of a run.
    pub(super) fn new() -> Self {
        let mut forge = Self { entries: Vec::new(), now_ms: START_MS };
        forge.promise(promise(START_MS, Stop::Clean));
        forge
    }

    pub(super) fn promise(&mut self, promise: Promise) {
        self.write(&Record::Promised { promise });
    }

    pub(super) fn visit(&mut self, visit: &Visit) -> &mut Self {
        self.now_ms = self.now_ms.max(visit.started_ms + visit.took_ms);
        self.write(&visit.record());
        self
    }

    /// A page, this long after the last thing that happened.
    pub(super) fn page(&mut self, url: &str, after_ms: u64) -> &mut Self {
        let visit = Visit::new(url, self.now_ms + after_ms);
        self.visit(&visit)
    }

    /// robots.txt is fetched and says this.
    pub(super) fn robots(&mut self, authority: &str, after_ms: u64, rules: &str) -> &mut Self {
        let answer = RobotsAnswer::Rules(Box::new(Robots::parse(rules.as_bytes(), "drumlin")));
        self.robots_answer(authority, after_ms, answer)
    }

    pub(super) fn robots_answer(
        &mut self,
        authority: &str,
        after_ms: u64,
        answer: RobotsAnswer,
    ) -> &mut Self {
        let mut visit = Visit::new(&format!("{authority}/robots.txt"), self.now_ms + after_ms);
        visit.subject = Some(Subject::Robots { authority: authority.to_owned() });
        self.visit(&visit);
        let fetched_at = Timestamp::from_ms(self.now_ms);
        let record = RobotsRecord { authority: authority.to_owned(), fetched_at, answer };
        self.write(&Record::Robots { shard: 0, record });
        self
    }

    /// A host with a robots.txt that allows everything.
    pub(super) fn host(authority: &str) -> Self {
        let mut forge = Self::new();
        forge.robots(authority, 0, "");
        forge
    }

    pub(super) fn write(&mut self, record: &Record) {
        let seq = self.entries.last().map_or(1, |last| last.seq + 1);
        let committed = WallTime::from_unix_ms(self.now_ms + 5);
        self.entries.push(ReplayEntry { seq, committed, record: record.encode(), location: None });
        let noise = Record::Parsed { capture: CaptureSeq(seq), says: None, out_of_scope: Vec::new() };
        self.entries.push(ReplayEntry { seq: seq + 1, committed, record: noise.encode(), location: None });
    }

    pub(super) fn journal(&self) -> impl Iterator<Item = Result<ReplayEntry, archive::Error>> {
        self.entries.clone().into_iter().map(Ok)
    }

    pub(super) fn audit(&self) -> Audit {
        audit(|_| Ok(self.journal()), None).unwrap()
    }

    /// What an audit finds, by kind.
    pub(super) fn breaches(&self) -> BTreeMap<Breach, u64> {
        self.audit().findings.counts
    }

    /// What applied to every contact, and how long it waited beyond that.
    pub(super) fn applied(&self) -> Vec<String> {
        let mut judge = Judge::new(Attention::Delays, None);
        let lines = self.entries.iter().filter_map(|entry| read(entry).unwrap());
        lines.filter_map(|line| judge.take(line)).map(|applied| applied.clause.to_string()).collect()
    }
}
