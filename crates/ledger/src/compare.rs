use crate::audit::AuditError;
use crate::clocks::server_of;
use crate::contact::{id_of, id_of_host, id_of_target};
use crate::finding::Place;
use crate::held::{HeldLine, HeldLines};
use crate::limits::{DISORDER_MS, SURELY_JOURNALED_MS};
use crate::matching::{Certainty, Claim, Match, Open, When, Window};
use crate::offset::Sampler;
use crate::runs::Clocks;
use crate::server_clock::DistancesAtServer;
use crate::{Attention, Breach, Finding, Findings, Judge, Line, Offset, Request, read};
use archive::ReplayEntry;
use crawler::{Promise, Stop};
use serde::Serialize;
use std::io;
use std::iter::Peekable;
use std::net::IpAddr;
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

impl Comparison {
    /// Whether log and ledger have nothing in common: it is another server's, or says who asked otherwise than was sent.
    pub fn proves_nothing(&self) -> bool {
        self.matched == 0
    }
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
    let (mut sampler, mut entries) = (Sampler::default(), 0);
    for entry in journal()? {
        entries += 1;
        match read(&entry?)? {
            Some(Line::Promise(promise)) => sampler.run(promise.began),
            Some(Line::Contact(contact)) => {
                sampler.ours(id_of_target(contact.url.host(), contact.url.request_target()), &contact);
            }
            _ => {}
        }
    }
    if entries == 0 {
        return Err(AuditError::NoJournal);
    }
    let mut hosts = set();
    for line in lines()? {
        let Ok(Some(request)) = log.ours(&line?) else { continue };
        let host = log.host_of(&request);
        hosts.insert(id_of_host(host));
        sampler.theirs(id_of_target(host, &request.target), &request);
    }
    let clocks = sampler.clocks();
    let offset = clocks.most;
    let ledger = Ledger::new(journal()?, hosts, assumed);
    let mut comparing = Comparing::new(log, ledger, clocks);
    for line in lines()? {
        comparing.line(&line?)?;
    }
    comparing.end();
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
        if !self.hosts.contains(&id_of_host(contact.url.host())) {
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

    /// Whether a crash may have taken what ended then.
    fn may_have_lost(&self, when: When) -> bool {
        self.crashes.iter().any(|crash| when.to_ms >= crash.from_ms && when.from_ms <= crash.to_ms)
    }

    fn has_ended(&mut self) -> bool {
        self.journal.peek().is_none()
    }
}

struct Comparing<'a, I: Iterator> {
    log: &'a ServerLog<'a>,
    ledger: Ledger<I>,
    held: HeldLines,
    clocks: Clocks,
    hosts: DistancesAtServer,
    servers: DistancesAtServer,
    found: Comparison,
    /// Contacts that ended before this have had their line, if they have one.
    told_to_ms: i64,
}

impl<'a, I: Iterator<Item = Result<ReplayEntry, archive::Error>>> Comparing<'a, I> {
    fn new(log: &'a ServerLog<'a>, ledger: Ledger<I>, clocks: Clocks) -> Self {
        let (hosts, servers) = (DistancesAtServer::new(), DistancesAtServer::new());
        let (held, found) = (HeldLines::new(), Comparison::default());
        Self { log, ledger, held, clocks, hosts, servers, found, told_to_ms: i64::MIN }
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
        let first = self.held.is_empty() && self.found.matched + self.found.findings.total() == 0;
        self.ledger.window.forget_before(when.from_ms - 2 * DISORDER_MS as i64);
        if first {
            // Before the log's first line the ledger may have had much to do with other servers.
            self.ledger.window.left_out = 0;
        }
        self.hold(request, when);
        self.told_to_ms = self.told_to_ms.max(when.from_ms);
        while let Some(line) = self.held.pop(self.told_to_ms) {
            self.judge(&line);
        }
        Ok(())
    }

    /// The log has ended: what waits is what it is.
    fn end(&mut self) {
        while let Some(line) = self.held.pop_first() {
            self.judge(&line);
        }
    }

    /// Contacts that got an answer and have no line.
    fn left_out(&mut self) -> u64 {
        self.ledger.window.forget_before(self.told_to_ms);
        self.ledger.window.left_out
    }

    /// What a line is, as far as it is known already.
    fn hold(&mut self, request: Request, when: When) {
        let host = self.log.host_of(&request).to_owned();
        let target = id_of_target(&host, &request.target);
        let may_be_lost = self.ledger.may_have_lost(when);
        let claim = Claim { may_be_lost, ..Claim::new(self.found.lines, target, &request, when) };
        let found = self.ledger.window.take(&claim);
        self.held.push(HeldLine { claim, host, request, found });
    }

    fn judge(&mut self, line: &HeldLine) {
        match &line.found {
            Match::Of(open) => {
                self.found.matched += 1;
                self.known(line, open);
            }
            Match::AtAnotherMoment(ended) => {
                let ledger = WallTime::from_unix_ms(ended.as_ms()).iso_millis();
                let tolerance_ms = self.log.tolerance_ms;
                let detail =
                    format!("by the ledger it ended at {ledger}; the clocks may differ by {tolerance_ms} ms");
                self.unknown(Breach::OtherMoment, line, detail);
            }
            Match::None => {
                let detail = "the ledger has no such contact".to_owned();
                self.unknown(Breach::UnknownContact, line, detail);
            }
        }
    }

    /// A line that is a contact of the ledger's, as far as anybody can say.
    fn known(&mut self, line: &HeldLine, open: &Open) {
        match open.certainty(&line.claim) {
            Certainty::Certain => self.distances(line, Some(open)),
            Certainty::OneOfSeveral { ended_us } => self.owe(line, open, ended_us),
            Certainty::Doubtful => {}
        }
    }

    /// A line that is no contact of the ledger's: there may be a reason. Where there is one, the ledger does not say either what was owed
    /// before it or after it, so no distance is judged.
    fn unknown(&mut self, breach: Breach, line: &HeldLine, detail: String) {
        let when = line.claim.when;
        let begins = self.ledger.from_ms.unwrap_or(i64::MAX);
        if line.claim.may_be_lost {
            self.found.lost_in_crash += 1;
        } else if when.from_ms < begins || (self.ledger.has_ended() && when.to_ms > self.ledger.to_ms) {
            self.found.outside += 1;
        } else {
            self.find(breach, line, detail);
            self.distances(line, None);
        }
    }

    fn distances(&mut self, line: &HeldLine, open: Option<&Open>) {
        let HeldLine { host, request, .. } = line;
        let over_us = open.and_then(|open| self.over_us(open));
        let began = open.map(|open| open.started);
        let id = id_of_host(host);
        let least_ms = self.hosts.owed_ms(id).unwrap_or(0);
        let owed_ms = open.map_or(least_ms, |open| open.host_ms);
        if let Some(early_us) = self.hosts.contact(id, request, began, over_us, owed_ms) {
            self.find(Breach::HostDelayAtServer, line, early(early_us));
        }
        let (Some(address), Some(open)) = (request.address, open) else { return };
        let id = id_of_server(address);
        let early_us =
            open.server_ms.and_then(|owed_ms| self.servers.contact(id, request, began, over_us, owed_ms));
        if let Some(early_us) = early_us {
            self.find(Breach::ServerDelayAtServer, line, early(early_us));
        }
    }

    /// What is owed after a contact of which several lines may be the one: the first of them had ended at `ended_us`.
    fn owe(&mut self, line: &HeldLine, open: &Open, ended_us: i64) {
        let ended_us = self.over_us(open).map_or(ended_us, |over_us| over_us.min(ended_us));
        self.hosts.owe(id_of_host(&line.host), ended_us, open.started, open.host_ms);
        if let (Some(address), Some(owed_ms)) = (line.request.address, open.server_ms) {
            self.servers.owe(id_of_server(address), ended_us, open.started, owed_ms);
        }
    }

    /// When we hung up, on the server's clock, if that may have been before the server was done.
    fn over_us(&self, open: &Open) -> Option<i64> {
        (!open.is_whole).then(|| self.clocks.at_server_us(open.started, open.ended))
    }

    fn find(&mut self, breach: Breach, line: &HeldLine, detail: String) {
        let HeldLine { claim, host, request, .. } = line;
        self.found.findings.add(Finding {
            breach,
            place: Place::Line(claim.line),
            at_ms: claim.when.from_ms.max(0) as u64,
            url: format!("{host}{}", request.target),
            detail,
        });
    }

    /// On our clock, as far as both clocks say.
    fn when(&self, request: &Request) -> When {
        let tolerance_ms = self.log.tolerance_ms as i64;
        let offset = self.clocks.around(request.ended);
        When {
            from_ms: (request.ended.from_us + offset.from_us).div_euclid(1000) - tolerance_ms,
            to_ms: (request.ended.to_us + offset.to_us).div_euclid(1000) + 1 + tolerance_ms,
        }
    }
}

fn id_of_server(address: IpAddr) -> u64 {
    id_of(&server_of(address).to_string())
}

fn early(early_us: i64) -> String {
    format!("certainly {} ms too early by the server's own clock", early_us.div_euclid(1000) + 1)
}
