use crate::audit::AuditError;
use crate::contact::{id_of, id_of_target};
use crate::finding::Place;
use crate::limits::{DISORDER_MS, SURELY_JOURNALED_MS};
use crate::matching::{Match, Open, When, Window};
use crate::server_clock::DistancesAtServer;
use crate::{Attention, Breach, Finding, Findings, Judge, Line, Offset, Request, Sampler, read};
use archive::ReplayEntry;
use crawler::{Promise, Stop};
use serde::Serialize;
use std::io;
use std::iter::Peekable;
use stdx::{Set, WallTime, set};

/// What there is to know about a log beyond its lines.
#[derive(Debug, Clone)]
pub struct ServerLog<'a> {
    /// The host whose log it is, where lines do not name theirs.
    pub host: Option<&'a str>,
    /// How far the two clocks may run apart, in milliseconds, beyond what the log itself leaves open.
    pub tolerance_ms: u64,
    /// Whose requests count, where lines say who asked: those that begin with this product token.
    pub agent: &'a str,
}

/// What a server's log says of the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Lines.
    pub lines: u64,
    /// … that cannot be read or are of no GET.
    pub unreadable: u64,
    /// … of others.
    pub of_others: u64,
    /// … that do not say which host was asked, where nobody else says it.
    pub nameless: u64,
    /// … that are contacts of the ledger.
    pub matched: u64,
    /// … that are not in the ledger, but may have been lost in a crash.
    pub lost_in_crash: u64,
    /// … from before the ledger begins, or after it ends.
    pub outside: u64,
    /// Contacts of the ledger that got an answer and have no line, between its first and its last line.
    pub not_in_log: u64,
    /// How the clocks stand to each other; nothing if no contact is in both.
    pub offset: Option<Offset>,
    /// What was found.
    pub findings: Findings,
}

/// Judges a server's log against the ledger. Both are read twice, in order: for the clocks, and for the contacts.
pub fn compare<I, L>(
    log: &ServerLog<'_>,
    journal: impl Fn() -> Result<I, archive::Error>,
    lines: impl Fn() -> io::Result<L>,
    assumed: Option<&Promise>,
) -> Result<Comparison, AuditError>
where
    I: Iterator<Item = Result<ReplayEntry, archive::Error>>,
    L: Iterator<Item = io::Result<String>>,
{
    let mut sampler = Sampler::default();
    for entry in journal()? {
        if let Some(Line::Contact(contact)) = read(&entry?)? {
            sampler.ours(id_of_target(contact.url.host(), contact.url.request_target()), &contact);
        }
    }
    let mut hosts = set();
    for line in lines()? {
        let Ok(Some(request)) = log.ours(&line?) else { continue };
        let host = log.host_of(&request);
        hosts.insert(id_of(host));
        sampler.theirs(id_of_target(host, &request.target), &request);
    }
    let offset = sampler.offset();
    let middle_us = offset.map_or(0, Offset::middle_us);
    let ledger = Ledger::new(journal()?, hosts, assumed);
    let mut comparing = Comparing::new(log, ledger, middle_us);
    for line in lines()? {
        comparing.line(&line?)?;
    }
    let not_in_log = comparing.left_out();
    Ok(Comparison { not_in_log, offset, ..comparing.found })
}

impl ServerLog<'_> {
    /// A line of ours; nothing if it is of others.
    fn ours(&self, line: &str) -> Result<Option<Request>, crate::Unreadable> {
        let request = Request::parse(line)?;
        let token = self.agent.to_ascii_lowercase();
        let is_ours = |agent: &String| agent.to_ascii_lowercase().starts_with(&token);
        Ok(Some(request).filter(|request| request.agent.as_ref().is_none_or(is_ours)))
    }

    fn host_of<'a>(&'a self, request: &'a Request) -> &'a str {
        request.host.as_deref().or(self.host).unwrap_or_default()
    }
}

/// The ledger as it is read along with the log.
struct Ledger<I: Iterator> {
    journal: Peekable<I>,
    judge: Judge,
    window: Window,
    /// Whose log it is.
    hosts: Set<u64>,
    /// Moments of the first and the last entry read.
    from_ms: Option<i64>,
    to_ms: i64,
    crashes: Vec<Crash>,
}

/// What happened from one moment to another may not be in the ledger.
#[derive(Debug, Clone, Copy)]
struct Crash {
    from_ms: i64,
    to_ms: i64,
}

/// Crashes remembered; a line is judged long before so many others come.
const CRASHES_KEPT: usize = 1024;

impl<I: Iterator<Item = Result<ReplayEntry, archive::Error>>> Ledger<I> {
    fn new(journal: I, hosts: Set<u64>, assumed: Option<&Promise>) -> Self {
        Self {
            journal: journal.peekable(),
            judge: Judge::new(Attention::Delays, assumed.cloned()),
            window: Window::new(),
            hosts,
            from_ms: None,
            to_ms: 0,
            crashes: Vec::new(),
        }
    }

    /// Reads on until contacts end after this.
    fn read_to(&mut self, until_ms: i64) -> Result<(), AuditError> {
        while let Some(entry) = self.journal.next() {
            let entry = entry?;
            let committed_ms = entry.committed.unix_ms() as i64;
            self.from_ms.get_or_insert(committed_ms);
            let line = read(&entry)?;
            if let Some(Line::Promise(promise)) = &line {
                self.note_crash(promise);
            }
            self.to_ms = committed_ms;
            if self.take(line) > until_ms {
                break;
            }
        }
        Ok(())
    }

    /// When the contact in this line ended.
    fn take(&mut self, line: Option<Line>) -> i64 {
        let Some(line) = line else { return i64::MIN };
        let Line::Contact(contact) = &line else {
            self.judge.take(line);
            return i64::MIN;
        };
        let contact = contact.clone();
        self.judge.take(line);
        // An answer that came before the ledger began to be written.
        self.from_ms = self.from_ms.map(|from| from.min(contact.started().as_ms() as i64));
        if !self.hosts.contains(&id_of(contact.url.host())) {
            return contact.ended().as_ms() as i64;
        }
        let held = self.judge.owed_to(contact.url.host());
        let server_ms = self.judge.terms().and_then(|terms| terms.server_ms(contact.reach()));
        self.window.push(&contact, held, server_ms);
        contact.ended().as_ms() as i64
    }

    fn note_crash(&mut self, promise: &Promise) {
        if promise.stop == Stop::Unclean && self.to_ms > 0 {
            let from_ms = self.to_ms - SURELY_JOURNALED_MS as i64;
            let to_ms = (promise.began + promise.fetch_ms).as_ms() as i64;
            self.crashes.truncate(CRASHES_KEPT);
            self.crashes.insert(0, Crash { from_ms, to_ms });
        }
    }

    fn has_ended(&mut self) -> bool {
        self.journal.peek().is_none()
    }
}

struct Comparing<'a, I: Iterator> {
    log: &'a ServerLog<'a>,
    ledger: Ledger<I>,
    offset_us: i64,
    hosts: DistancesAtServer,
    servers: DistancesAtServer,
    found: Comparison,
    /// Contacts that ended before this have had their line, if they have one.
    told_to_ms: i64,
}

impl<'a, I: Iterator<Item = Result<ReplayEntry, archive::Error>>> Comparing<'a, I> {
    fn new(log: &'a ServerLog<'a>, ledger: Ledger<I>, offset_us: i64) -> Self {
        let (hosts, servers) = (DistancesAtServer::new(), DistancesAtServer::new());
        Self { log, ledger, offset_us, hosts, servers, found: Comparison::default(), told_to_ms: i64::MIN }
    }

    fn line(&mut self, line: &str) -> Result<(), AuditError> {
        self.found.lines += 1;
        let request = match self.log.ours(line) {
            Ok(Some(request)) if self.log.host_of(&request).is_empty() => {
                self.found.nameless += 1;
                return Ok(());
            }
            Ok(Some(request)) => request,
            Ok(None) => {
                self.found.of_others += 1;
                return Ok(());
            }
            Err(_) => {
                self.found.unreadable += 1;
                return Ok(());
            }
        };
        let when = self.when(&request);
        self.ledger.read_to(when.to_ms + DISORDER_MS as i64)?;
        let first = self.found.matched + self.found.findings.total() == 0;
        self.ledger.window.forget_before(when.from_ms - 2 * DISORDER_MS as i64);
        if first {
            // Before the log's first line the ledger may have had much to do with other servers.
            self.ledger.window.left_out = 0;
        }
        self.judge(&request, when);
        self.told_to_ms = self.told_to_ms.max(when.from_ms);
        Ok(())
    }

    /// Contacts that got an answer and have no line.
    fn left_out(&mut self) -> u64 {
        self.ledger.window.forget_before(self.told_to_ms);
        self.ledger.window.left_out
    }

    fn judge(&mut self, request: &Request, when: When) {
        let host = self.log.host_of(request).to_owned();
        match self.ledger.window.take(&host, request, when) {
            Match::Of(open) => {
                self.found.matched += 1;
                self.distances(&host, request, Some(&open), when);
            }
            Match::AtAnotherMoment(ended) => {
                let ledger = WallTime::from_unix_ms(ended.as_ms()).iso_millis();
                let tolerance_ms = self.log.tolerance_ms;
                let detail =
                    format!("by the ledger it ended at {ledger}; the clocks may differ by {tolerance_ms} ms");
                self.unknown(Breach::OtherMoment, &host, request, when, detail);
            }
            Match::None => {
                let detail = "the ledger has no such contact".to_owned();
                self.unknown(Breach::UnknownContact, &host, request, when, detail);
            }
        }
    }

    /// A line that is no contact of the ledger's: there may be a reason.
    fn unknown(&mut self, breach: Breach, host: &str, request: &Request, when: When, detail: String) {
        let is_lost = |crash: &Crash| when.to_ms >= crash.from_ms && when.from_ms <= crash.to_ms;
        let begins = self.ledger.from_ms.unwrap_or(i64::MAX);
        if when.from_ms < begins || (self.ledger.has_ended() && when.to_ms > self.ledger.to_ms) {
            self.found.outside += 1;
        } else if self.ledger.crashes.iter().any(is_lost) {
            self.found.lost_in_crash += 1;
        } else {
            self.find(breach, host, request, when, detail);
        }
        self.distances(host, request, None, when);
    }

    fn distances(&mut self, host: &str, request: &Request, open: Option<&Open>, when: When) {
        let over_us =
            open.filter(|open| !open.is_whole).map(|open| open.ended.as_ms() as i64 * 1000 - self.offset_us);
        let id = id_of(host);
        let least_ms = self.hosts.owed_ms(id).unwrap_or(0);
        let owed_ms = open.map_or(least_ms, |open| open.host_ms);
        if let Some(early_us) = self.hosts.contact(id, request, over_us, owed_ms) {
            self.find(Breach::HostDelayAtServer, host, request, when, early(early_us));
        }
        let (Some(address), Some(open)) = (request.address, open) else { return };
        let id = id_of(&crate::clocks::server_of(address).to_string());
        let early_us = open.server_ms.and_then(|owed_ms| self.servers.contact(id, request, over_us, owed_ms));
        if let Some(early_us) = early_us {
            self.find(Breach::ServerDelayAtServer, host, request, when, early(early_us));
        }
    }

    fn find(&mut self, breach: Breach, host: &str, request: &Request, when: When, detail: String) {
        self.found.findings.add(Finding {
            breach,
            place: Place::Line(self.found.lines),
            at_ms: when.from_ms.max(0) as u64,
            url: format!("{host}{}", request.target),
            detail,
        });
    }

    /// On our clock, as far as both clocks say.
    fn when(&self, request: &Request) -> When {
        let tolerance_ms = self.log.tolerance_ms as i64;
        When {
            from_ms: (request.ended.from_us + self.offset_us).div_euclid(1000) - tolerance_ms,
            to_ms: (request.ended.to_us + self.offset_us).div_euclid(1000) + 1 + tolerance_ms,
        }
    }
}

fn early(early_us: i64) -> String {
    format!("certainly {} ms too early by the server's own clock", early_us.div_euclid(1000) + 1)
}
