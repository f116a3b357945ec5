//! What a webmaster may ask: what was fetched from a host, when, with which gaps, by which rules, and how to stop it.

mod contact;
mod page;
#[cfg(test)]
mod tests;
mod text;

pub use contact::{Who, contact_page};

use crate::limits::{AUTHORITIES, VISITS};
use crate::{Error, Histogram};
use control::{Stage, Takedowns};
use disk::SharedDisk;
use frontier::limits::ROBOTS_STALE_AGE_MS;
use frontier::{End, RobotsAnswer, RobotsRecord};
use ledger::{Contact, Judge, Line};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use stdx::{Map, Step, Timestamp, Watch, map};
use weburl::{Url, without_root_dot};

/// All that the journal has of a host and of hosts below it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Account {
    /// The host that was asked about.
    pub host: String,
    /// Requests.
    pub contacts: u64,
    /// Body bytes kept.
    pub bytes: u64,
    /// Answers by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Requests without an answer, and answers of which nothing is known (`original-gone`, `parser-panicked`), by cause.
    pub failures: BTreeMap<String, u64>,
    /// Requests by host.
    pub hosts: BTreeMap<String, u64>,
    /// From the end of a request to a host to the start of the next, in milliseconds.
    pub gaps_ms: Histogram,
    /// What each robots.txt said last, by scheme, host and port.
    pub rules: BTreeMap<String, Rules>,
    /// What of it was taken down, by order.
    pub taken_down: BTreeMap<String, Order>,
    /// The newest requests, oldest first.
    pub visits: VecDeque<Visit>,
    #[serde(skip)]
    last: Map<String, Timestamp>,
}

/// What a robots.txt says to us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// When it was fetched, milliseconds since 1970.
    pub fetched_ms: u64,
    /// What came of it, for people.
    pub answer: String,
    /// Its lines for us, with their numbers: `12: Disallow: /private`.
    pub lines: Vec<String>,
    /// Why there are no newer ones, where these hold all the same.
    pub failed: Option<String>,
    #[serde(skip)]
    were_had: bool,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Visit {
    /// When it began, milliseconds since 1970.
    pub at_ms: u64,
    /// What was asked for.
    pub url: String,
    /// The status of the answer, or why there was none.
    pub outcome: String,
    /// Body bytes kept.
    pub bytes: u64,
    /// How long it took.
    pub took_ms: u64,
    /// Since the end of the last request to the same host.
    pub gap_ms: Option<u64>,
    /// Which delay it waited for last.
    pub waited_for: &'static str,
    /// Entry of the journal.
    pub entry: u64,
}

/// An order to take something down, and what it concerns of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Order {
    /// Answers that it covers.
    pub answers: u64,
    /// Whether nothing of them is left in the files of the crawl; else they are there, and in nothing that is made of them.
    pub is_purged: bool,
}

struct Outcome {
    outcome: String,
    bytes: u64,
}

impl Account {
    /// Reads the journal, which may be written meanwhile, for `host` and hosts below it.
    pub fn read(
        disk: &SharedDisk,
        host: &str,
        mut judge: Judge,
        takedowns: &Takedowns,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let mut account =
            Self { host: without_root_dot(host).to_ascii_lowercase(), last: map(), ..Self::default() };
        let bytes = archive::ledger_bytes(disk.as_ref())?;
        let mut journal = archive::ledger(Arc::clone(disk))?;
        while let Some(entry) = journal.next() {
            let entry = entry?;
            if let Some(line) = ledger::read(&entry).map_err(ledger::AuditError::from)? {
                account.take(line, &mut judge, takedowns);
            }
            watch(Step::bytes("reading the journal", journal.bytes_read(), bytes));
        }
        Ok(account)
    }

    /// As text for people.
    pub fn text(&self, who: &Who) -> String {
        text::text(self, who)
    }

    /// As an HTML page that needs nothing else.
    pub fn page(&self, who: &Who) -> String {
        page::page(self, who)
    }

    fn take(&mut self, line: Line, judge: &mut Judge, takedowns: &Takedowns) {
        match &line {
            Line::Rules(record) => self.learn(record),
            Line::Lost(page) if self.concerns(page.url.host()) => {
                *self.failures.entry(page.why.to_string()).or_default() += 1;
            }
            Line::Contact(contact) if self.concerns(contact.url.host()) => {
                let contact = contact.clone();
                let clause = judge.take(line).map_or("first", |applied| applied.clause.name());
                self.withhold(&contact, takedowns);
                return self.visit(&contact, clause);
            }
            _ => {}
        }
        judge.take(line);
    }

    fn concerns(&self, host: &str) -> bool {
        without_root_dot(host)
            .strip_suffix(&self.host)
            .is_some_and(|below| below.is_empty() || below.ends_with('.'))
    }

    fn learn(&mut self, record: &RobotsRecord) {
        let is_asked_for = Url::parse(&record.authority).is_ok_and(|url| self.concerns(url.host()));
        let is_room = self.rules.len() < AUTHORITIES || self.rules.contains_key(&record.authority);
        if is_asked_for && is_room {
            let rules = self.rules.entry(record.authority.clone());
            rules.and_modify(|known| known.learn(record)).or_insert_with(|| Rules::of(record));
        }
    }

    /// Counts an answer that must not leave the crawl.
    fn withhold(&mut self, contact: &Contact, takedowns: &Takedowns) {
        let is_answer = matches!(contact.attempt.end, End::Captured(_));
        let Some(takedown) = takedowns.covering(&contact.url).filter(|_| is_answer) else { return };
        let order = Order { answers: 0, is_purged: takedown.stage == Stage::Purged };
        self.taken_down.entry(takedown.to_string()).or_insert(order).answers += 1;
    }

    fn visit(&mut self, contact: &Contact, waited_for: &'static str) {
        self.contacts += 1;
        let host = without_root_dot(contact.url.host());
        let gap_ms = self.last.get(host).map(|last| contact.started().since_ms(*last));
        if let Some(gap_ms) = gap_ms {
            self.gaps_ms.add(gap_ms);
        }
        if self.last.len() < AUTHORITIES || self.last.contains_key(host) {
            self.last.insert(host.to_owned(), contact.ended());
            *self.hosts.entry(host.to_owned()).or_default() += 1;
        }
        let Outcome { outcome, bytes } = self.outcome(contact);
        if self.visits.len() == VISITS {
            self.visits.pop_front();
        }
        self.visits.push_back(Visit {
            at_ms: contact.started().as_ms(),
            url: contact.url.as_str().to_owned(),
            outcome,
            bytes,
            took_ms: contact.took_ms(),
            gap_ms,
            waited_for,
            entry: contact.entry,
        });
    }

    fn outcome(&mut self, contact: &Contact) -> Outcome {
        match &contact.attempt.end {
            End::Captured(response) => {
                self.bytes += response.bytes;
                *self.statuses.entry(response.status).or_default() += 1;
                Outcome { outcome: response.status.to_string(), bytes: response.bytes }
            }
            End::Failed(failure) | End::PutOff { failure, .. } => {
                *self.failures.entry(failure.kind.to_string()).or_default() += 1;
                Outcome { outcome: failure.kind.to_string(), bytes: 0 }
            }
        }
    }
}

impl Rules {
    /// While newer ones can't be had, those of before hold (RFC 9309, section 2.4).
    fn learn(&mut self, record: &RobotsRecord) {
        let is_young = record.fetched_at.as_ms() < self.fetched_ms + ROBOTS_STALE_AGE_MS;
        match record.answer.failure() {
            Some(detail) if self.were_had && is_young => self.failed = Some(detail.to_owned()),
            _ => *self = Self::of(record),
        }
    }

    /// What came of it, and of asking again.
    fn told(&self) -> String {
        let failed = self.failed.as_ref().map(|detail| {
            format!(
                "; since then it could not be had ({detail}), and this holds meanwhile, thirty days at most"
            )
        });
        format!("{}{}", self.answer, failed.unwrap_or_default())
    }

    fn of(record: &RobotsRecord) -> Self {
        let (answer, lines) = match &record.answer {
            RobotsAnswer::Rules(rules) | RobotsAnswer::RulesOfUse { rules, .. } => {
                let delay = rules.crawl_delay_ms().map(|ms| format!("Crawl-delay: {}", ms as f64 / 1e3));
                let lines =
                    rules.rules().map(|rule| format!("{}: {:?}: {}", rule.line, rule.kind, rule.text));
                ("it was read".to_owned(), lines.chain(delay).collect())
            }
            RobotsAnswer::Absent { status } => {
                (format!("there is none ({status}): all may be fetched"), Vec::new())
            }
            RobotsAnswer::Unreachable { detail, .. } => {
                (format!("it could not be had ({detail}): nothing is fetched"), Vec::new())
            }
        };
        let were_had = record.answer.failure().is_none();
        Self { fetched_ms: record.fetched_at.as_ms(), answer, lines, failed: None, were_had }
    }
}
