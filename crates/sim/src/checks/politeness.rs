use super::Findings;
use crate::log::{Before, Contact, Purpose, Run, ServerLog, is_remembered};
use std::net::IpAddr;
use stdx::{Map, Timestamp, map};
use xxhash_rust::xxh3::xxh3_64;

/// The delays that were promised.
#[derive(Debug, Clone, Copy)]
pub struct Delays {
    /// End of a contact with a host to the start of the next.
    pub host_ms: u64,
    /// A host is left alone this many times as long as its last answer took …
    pub slowdown: u64,
    /// … but for that reason no longer than this.
    pub slowdown_max_ms: u64,
    /// End of a contact with an address to the start of the next.
    pub server_ms: u64,
    /// Start to start within a registrable domain.
    pub domain_ms: u64,
}

impl Delays {
    /// The program's defaults, on public addresses.
    pub const DEFAULT: Self =
        Self { host_ms: 1000, slowdown: 10, slowdown_max_ms: 30_000, server_ms: 250, domain_ms: 250 };
}

/// Judges the server's log, over all runs, as [`Politeness`] does. `crawl_delay_ms` gives what a host's robots.txt asks
/// for. Returns what was found wrong.
pub fn politeness(log: &ServerLog, delays: Delays, crawl_delay_ms: impl Fn(&str) -> u64) -> Vec<String> {
    let mut judge = Politeness::new(delays);
    log.runs.iter().for_each(|run| judge.begin(*run));
    for contact in log.in_order() {
        judge.contact(contact, crawl_delay_ms(&contact.host));
    }
    judge.findings.into_vec()
}

/// Judges contacts as they begin: no two of a host, an address or a domain closer than promised; after a crash none before
/// the start and its full delay; no host before the end of its Retry-After. What robots.txt asks for holds from its
/// answer on. What a crash came too soon after to be saved, nobody can obey.
///
/// Its memory is that of the clocks that have not run out.
#[derive(Debug)]
pub struct Politeness {
    delays: Delays,
    runs: Vec<Run>,
    hosts: Clocks,
    servers: Clocks,
    domains: Clocks,
    /// What was found wrong.
    pub findings: Findings,
}

impl Politeness {
    /// A judge who has seen nothing.
    pub fn new(delays: Delays) -> Self {
        Self::keeping(CLOCKS_KEPT, delays)
    }

    /// The same with room for so many clocks of a kind before those that have run out are dropped.
    pub fn keeping(clocks: usize, delays: Delays) -> Self {
        let clocks = || Clocks { by_subject: map(), room: clocks, sweep_at: clocks };
        let findings = Findings::default();
        Self { delays, runs: Vec::new(), hosts: clocks(), servers: clocks(), domains: clocks(), findings }
    }

    /// A run begins.
    pub fn begin(&mut self, run: Run) {
        self.runs.push(run);
    }

    /// The present run ends, and its connections with it.
    pub fn end(&mut self, now: Timestamp) {
        if let Some(run) = self.runs.last_mut() {
            run.ended = now;
        }
    }

    /// A contact, no earlier than the one before, with a host whose robots.txt asks for this delay.
    pub fn contact(&mut self, contact: &Contact, crawl_delay_ms: u64) {
        let (delays, runs) = (self.delays, self.runs.as_slice());
        let own = Terms { delays, of: Subject::Host { crawl_delay_ms }, runs };
        let host = contact.host.as_str();
        self.hosts.judge(xxh3_64(host.as_bytes()), contact, own, host, &mut self.findings);
        let server = Terms { of: Subject::Server, ..own };
        self.servers.judge(number_of(contact.address), contact, server, host, &mut self.findings);
        let domain = Terms { of: Subject::Domain, ..own };
        let name = domain_of(host);
        self.domains.judge(xxh3_64(name.as_bytes()), contact, domain, host, &mut self.findings);
    }
}

impl Politeness {
    /// From when on a host at an address may be contacted again, as far as is known.
    pub fn due(&self, host: &str, address: IpAddr, crawl_delay_ms: u64) -> Timestamp {
        let terms = |of| Terms { delays: self.delays, of, runs: &self.runs };
        let host_id = xxh3_64(host.as_bytes());
        let own = self.hosts.due(host_id, terms(Subject::Host { crawl_delay_ms }));
        let server = self.servers.due(number_of(address), terms(Subject::Server));
        let domain = self.domains.due(xxh3_64(domain_of(host).as_bytes()), terms(Subject::Domain));
        own.max(server).max(domain)
    }
}

/// What a clock is of.
#[derive(Debug, Clone, Copy)]
enum Subject {
    Host { crawl_delay_ms: u64 },
    Server,
    Domain,
}

/// By what a contact is judged.
#[derive(Clone, Copy)]
struct Terms<'a> {
    delays: Delays,
    of: Subject,
    runs: &'a [Run],
}

/// What a clock says.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// No contact starts before this.
    until: Timestamp,
    /// The delay that robots.txt asks for.
    asked_ms: u64,
}

/// A contact, as far as the next one is judged by it.
#[derive(Debug, Clone, Copy)]
struct Past {
    run: usize,
    started: Timestamp,
    ended: Timestamp,
    /// It gave rules.
    rules: bool,
    retry_after_ms: u64,
}

/// One host's, address's or domain's clock, as the judge keeps it.
#[derive(Debug, Clone, Copy)]
struct Clock {
    held: Held,
    before: Past,
}

/// The clocks of one kind of subject, by its hash.
#[derive(Debug)]
struct Clocks {
    by_subject: Map<u64, Clock>,
    room: usize,
    sweep_at: usize,
}

/// Clocks kept before those that have run out are dropped.
const CLOCKS_KEPT: usize = 1 << 16;

impl Clocks {
    fn judge(&mut self, id: u64, contact: &Contact, terms: Terms<'_>, host: &str, findings: &mut Findings) {
        self.sweep(contact.started);
        let known = self.by_subject.get(&id);
        let held = known.map_or_else(|| terms.unknown(contact), |clock| terms.advance(clock, contact.run));
        let due = held.until.max(terms.after_crash(held, contact.run));
        if contact.started < due {
            findings.add(|| breach(terms, host, contact, known.map(|clock| clock.before), due));
        }
        self.by_subject.insert(id, Clock { held, before: Past::of(contact) });
    }

    fn due(&self, id: u64, terms: Terms<'_>) -> Timestamp {
        self.by_subject.get(&id).map_or(Timestamp::ZERO, |clock| terms.after(clock.held, clock.before).until)
    }

    fn sweep(&mut self, now: Timestamp) {
        if self.by_subject.len() < self.sweep_at {
            return;
        }
        self.by_subject.retain(|_, clock| clock.may_hold(now));
        self.sweep_at = self.room.max(2 * self.by_subject.len());
    }
}

impl Clock {
    /// Whether it may still say no: no rules ask for more than [`LONGEST_MS`] and are obeyed.
    fn may_hold(&self, now: Timestamp) -> bool {
        let Self { held, before } = self;
        held.until.max(before.ended + LONGEST_MS.max(before.retry_after_ms)) > now
    }
}

impl Terms<'_> {
    /// What holds for a later run: what was, and the last contact, unless a crash made the crawler forget it.
    fn advance(&self, clock: &Clock, run: usize) -> Held {
        let Clock { held, mut before } = *clock;
        before.cut(self.runs[before.run].ended);
        // A server's delay is the same for all, and longer than any crash makes a node forget.
        let known =
            matches!(self.of, Subject::Server) || is_remembered(self.runs, before.run, before.ended, run);
        if known { self.after(held, before) } else { held }
    }

    /// What holds after a contact.
    fn after(&self, held: Held, past: Past) -> Held {
        let delays = self.delays;
        match self.of {
            Subject::Host { crawl_delay_ms } => {
                let asked_ms = if past.rules { crawl_delay_ms } else { held.asked_ms };
                let slow_ms =
                    (past.ended.since_ms(past.started) * delays.slowdown).min(delays.slowdown_max_ms);
                let delay_ms = delays.host_ms.max(slow_ms).max(asked_ms).max(past.retry_after_ms);
                Held { until: held.until.max(past.ended + delay_ms), asked_ms }
            }
            Subject::Server => Held { until: held.until.max(past.ended + delays.server_ms), asked_ms: 0 },
            Subject::Domain => Held { until: past.started + delays.domain_ms, asked_ms: 0 },
        }
    }

    /// Of a clock that never was or has run out: then the rules are known, unless they are what is asked for.
    fn unknown(&self, contact: &Contact) -> Held {
        let asked_ms = match (self.of, contact.purpose) {
            (Subject::Host { crawl_delay_ms }, Purpose::Content) => crawl_delay_ms,
            _ => 0,
        };
        Held { until: Timestamp::ZERO, asked_ms }
    }

    /// The full delay from the start of the last run that followed a crash, however soon it ended in good order.
    fn after_crash(&self, held: Held, run: usize) -> Timestamp {
        let least_ms = match self.of {
            Subject::Host { .. } => self.delays.host_ms,
            Subject::Server => self.delays.server_ms,
            Subject::Domain => self.delays.domain_ms,
        };
        let last = self.runs[..=run].iter().rev().find(|run| run.after == Before::Crash);
        last.map_or(Timestamp::ZERO, |run| run.started + least_ms.max(held.asked_ms))
    }
}

/// The longest crawl-delay that is obeyed.
const LONGEST_MS: u64 = 300_000;

impl Past {
    fn of(contact: &Contact) -> Self {
        Self {
            run: contact.run,
            started: contact.started,
            ended: contact.ended,
            rules: contact.purpose == Purpose::Robots && contact.status == Some(200),
            retry_after_ms: contact.retry_after_ms.unwrap_or(0),
        }
    }

    /// The crawler was gone before it ended, and learned nothing.
    fn cut(&mut self, end: Timestamp) {
        if self.ended > end {
            *self = Self { ended: end, rules: false, retry_after_ms: 0, ..*self };
        }
    }
}

fn breach(terms: Terms<'_>, host: &str, contact: &Contact, before: Option<Past>, due: Timestamp) -> String {
    let what = match terms.of {
        Subject::Host { .. } => format!("host {host}"),
        Subject::Server => format!("server {}", contact.address),
        Subject::Domain => format!("domain {}", domain_of(host)),
    };
    let before = before.map_or_else(String::new, |b| {
        format!("a contact at {}..{} in run {}, then ", b.started.as_ms(), b.ended.as_ms(), b.run)
    });
    let (url, at, run) = (&contact.url, contact.started.as_ms(), contact.run);
    let begun = terms.runs[run].started.as_ms();
    format!("{what}: {before}{url} at {at} in run {run} (begun {begun}), due {}", due.as_ms())
}

fn number_of(address: IpAddr) -> u64 {
    match address {
        IpAddr::V4(v4) => u64::from(v4.to_bits()),
        IpAddr::V6(v6) => (v6.to_bits() >> 64) as u64 | 1 << 63,
    }
}

/// The last two labels: simweb's names have no longer public suffixes.
pub(super) fn domain_of(host: &str) -> &str {
    let dots = host.rmatch_indices('.').nth(1);
    dots.map_or(host, |(at, _)| &host[at + 1..])
}
