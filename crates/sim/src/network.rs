use crate::log::{Before, Contact, Purpose, ServerLog, Witness};
use archive::{Body, Capture, EarlierCrawl, Original, Truncation};
use bytes::Bytes;
use crawler::limits::BEGIN_WITHIN_MS;
use crawler::{
    Address, Asks, Failure, FailureKind, FetchJob, Fetched, Outcome, Reach, ResolveJob, ResolveOutcome,
    Resolved,
};
use moves::Moves;
use simweb::{Behaviour, Certificate, Conditions, Head, Method, Request, Resolution, Response, Scheme, Web};
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use stdx::{Rng, Timestamp, WallTime};
use trouble::Losses;
use xxhash_rust::xxh3::xxh3_64;

mod moves;
mod trouble;

pub use trouble::{Cause, Outage};

/// Plays resolve and fetch against a web, before a witness: by default the servers' log. It outlives the crawler's
/// crashes.
#[derive(Debug)]
pub struct Network<W = ServerLog> {
    web: Arc<Web>,
    latency: Latency,
    /// Pages have none.
    without_bodies: bool,
    /// The body of those without: its digest is made once.
    empty: Body,
    losses: Option<Losses>,
    outage: Option<Outage>,
    lateness: Option<Rng>,
    /// Hosts have addresses of both versions.
    dual: bool,
    moves: Option<Moves>,
    /// What the client knows to have had already.
    pub(crate) earlier: Option<EarlierCrawl>,
    /// Runs of the crawler so far.
    runs: usize,
    /// The one that acts.
    run: usize,
    /// What the servers know.
    pub log: W,
}

/// How long servers take to answer.
#[derive(Debug)]
enum Latency {
    Wild(Rng),
    Steady(u64),
}

/// The quickest and the slowest answer of a web that is not steady.
const LATENCY_MS: std::ops::Range<u64> = 20..200;

/// How late a contact may be on a busy machine.
const LATEST_MS: u64 = 300;

/// What happens on a connection: how long it takes, and what comes of it.
struct Exchange {
    elapsed_ms: u64,
    outcome: Outcome,
}

impl Network {
    /// A network in front of `web`; `seed` decides the latencies.
    pub fn new(web: Arc<Web>, seed: u64) -> Self {
        Self::before(ServerLog::default(), web, Latency::Wild(Rng::new(seed)))
    }

    /// A network in which every answer takes this long.
    pub fn steady(web: Arc<Web>, latency_ms: u64) -> Self {
        Self::before(ServerLog::default(), web, Latency::Steady(latency_ms))
    }
}

impl<W: Witness> Network<W> {
    /// A network in front of `web` without bodies but those of robots.txt and the like: pages and files are what
    /// [`Web::list_links`] says of them. `seed` decides the latencies.
    pub fn structural(web: Arc<Web>, seed: u64, log: W) -> Self {
        Self { without_bodies: true, ..Self::before(log, web, Latency::Wild(Rng::new(seed))) }
    }

    fn before(log: W, web: Arc<Web>, latency: Latency) -> Self {
        Self {
            web,
            latency,
            without_bodies: false,
            empty: Bytes::new().into(),
            losses: None,
            outage: None,
            lateness: None,
            dual: false,
            moves: None,
            earlier: None,
            runs: 0,
            run: 0,
            log,
        }
    }

    /// From now until `end` one look-up and one request in so many fails for no reason.
    pub fn lose(&mut self, one_in: u64, end: Timestamp) {
        self.losses = Some(Losses::new(one_in, end));
    }

    /// For a time nobody is reached.
    pub fn cut_off(&mut self, outage: Outage) {
        self.outage = Some(outage);
    }

    /// Until `end` every host moves to another server every few minutes, and nobody is there any more where it was.
    pub fn move_hosts(&mut self, end: Timestamp) {
        self.moves = Some(Moves { until: end });
    }

    /// Contacts begin later than they are asked for, as on a machine that is busy: most by no more than is allowed for, others by far more.
    #[must_use]
    pub fn late(self, seed: u64) -> Self {
        Self { lateness: Some(Rng::new(seed)), ..self }
    }

    /// Every host has an address of version 6 as well, in a network that it shares as it does its server; in some of these nobody answers.
    #[must_use]
    pub fn dual(self) -> Self {
        Self { dual: true, ..self }
    }

    /// The crawler starts; must come before its first contact.
    pub fn begin(&mut self, now: Timestamp, after: Before) {
        self.run = self.runs;
        self.runs += 1;
        self.log.begin(now, after);
    }

    /// The crawler exits or dies, and its connections with it.
    pub fn end(&mut self, now: Timestamp) {
        self.log.end(now);
    }

    /// What comes now is done by this run.
    pub(crate) fn turn_to(&mut self, run: usize) {
        self.run = run;
    }

    /// Whether pages have bodies.
    pub fn has_bodies(&self) -> bool {
        !self.without_bodies
    }

    /// The web behind it.
    pub fn web(&self) -> &Web {
        &self.web
    }

    /// Resolves a name at `now`.
    pub fn resolve(&mut self, job: &ResolveJob, now: Timestamp) -> Resolved {
        if self.losses.as_mut().is_some_and(|losses| losses.strike(now)) {
            let outcome = failed(FailureKind::NameServer, "lost");
            return Resolved { ticket: job.ticket, outcome };
        }
        if self.outage.is_some_and(|outage| outage.silences_names(now)) {
            let outcome = failed(FailureKind::NameServer, "cut off");
            return Resolved { ticket: job.ticket, outcome };
        }
        let outcome = match self.web.address_of(&job.name, now.as_ms()) {
            Resolution::Address { address, .. } if address.octets()[0] != 127 => {
                failed(FailureKind::AddressRefused, "it is private")
            }
            Resolution::Address { address, ttl_s } => {
                let address = self.moved(&job.name, address, now);
                let also = self.dual.then(|| second_address(&job.name, address).into());
                let ips = also.into_iter().chain([IpAddr::from(address)]);
                let addresses = ips.map(|ip| Address { ip, reach: Reach::Public }).collect();
                ResolveOutcome::Addresses { addresses, ttl_ms: u64::from(ttl_s) * 1000 }
            }
            Resolution::NoSuchName => failed(FailureKind::NameNotFound, "no such name"),
            Resolution::ServerFailure => failed(FailureKind::NameServer, "server failure"),
        };
        Resolved { ticket: job.ticket, outcome }
    }

    /// Makes a request at `now`, or as late as this network is; the answer holds when it is over. Whoever is too late by then contacts nobody.
    pub fn fetch(&mut self, job: &FetchJob, now: Timestamp) -> Fetched {
        let now = now + self.lateness.as_mut().map_or(0, lateness_ms);
        if now > job.begin_by {
            let (ticket, address) = (job.ticket, job.address.ip());
            return Fetched { ticket, address, started: now, ended: now, outcome: Outcome::TooLate };
        }
        let Exchange { elapsed_ms, outcome } = self.exchange(job, now);
        let ended = now + elapsed_ms;
        let capture = if let Outcome::Captured(capture) = &outcome { Some(capture.as_ref()) } else { None };
        self.log.contact(Contact {
            run: self.run,
            host: job.url.host().to_owned(),
            address: job.address.ip(),
            url: job.url.as_str().to_owned(),
            started: now,
            ended,
            purpose: purpose_of(&job.url),
            status: capture.filter(|capture| !is_broken_off(capture)).map(|capture| capture.status),
            retry_after_ms: capture.and_then(retry_after_ms),
        });
        Fetched { ticket: job.ticket, address: job.address.ip(), started: now, ended, outcome }
    }

    /// The crawler comes to know of these URLs.
    pub(crate) fn gives<'a>(&mut self, urls: impl Iterator<Item = &'a str>, at: Timestamp) {
        for url in urls {
            self.log.finds(url, at);
        }
    }

    /// The web, if its pages have no bodies.
    pub(crate) fn structure(&self) -> Option<Arc<Web>> {
        self.without_bodies.then(|| self.web.clone())
    }

    fn latency(&mut self) -> u64 {
        match &mut self.latency {
            Latency::Wild(rng) => LATENCY_MS.start + rng.below(LATENCY_MS.end - LATENCY_MS.start),
            Latency::Steady(ms) => *ms,
        }
    }

    fn exchange(&mut self, job: &FetchJob, now: Timestamp) -> Exchange {
        let latency = self.latency();
        if let Some(outage) = self.outage.filter(|outage| outage.rules(now)) {
            return outage.exchange();
        }
        if let Some(losses) = &mut self.losses
            && losses.strike(now)
        {
            return losses.exchange(latency, job.limits.total_ms);
        }
        if let IpAddr::V6(address) = job.address.ip()
            && !is_answered(address)
        {
            let outcome = Outcome::Failed(failure(FailureKind::ConnectRefused, "nobody is there"));
            return Exchange { elapsed_ms: latency, outcome };
        }
        if let IpAddr::V4(address) = job.address.ip()
            && self.has_moved_from(address, job.url.host(), now)
        {
            let outcome = Outcome::Failed(failure(FailureKind::ConnectRefused, "it has moved"));
            return Exchange { elapsed_ms: latency, outcome };
        }
        let secure = job.url.scheme() == "https";
        let is_bad = |host| self.web.certificate_of(host) != Certificate::Good;
        if secure && self.web.host(job.url.host()).is_some_and(is_bad) {
            return Exchange {
                elapsed_ms: latency,
                outcome: Outcome::Failed(failure(FailureKind::Certificate, "bad")),
            };
        }
        let known = self.known(job);
        let text =
            |value: Option<Cow<'_, [u8]>>| value.and_then(|it| String::from_utf8(it.into_owned()).ok());
        let tag = text(known.as_ref().and_then(|known| known.etag()));
        let date = text(known.as_ref().and_then(|known| known.last_modified()));
        let response = self.respond(&Request {
            scheme: if secure { Scheme::Https } else { Scheme::Http },
            host: job.url.host(),
            target: job.url.request_target(),
            method: Method::Get,
            conditions: Conditions { if_none_match: tag.as_deref(), if_modified_since: date.as_deref() },
            time_ms: now.as_ms(),
        });
        Served { job, now, response: &response, empty: &self.empty, known }.exchange(latency)
    }

    /// Where a host is at `now` that was at `first`.
    fn moved(&self, host: &str, first: Ipv4Addr, now: Timestamp) -> Ipv4Addr {
        self.moves.map_or(first, |moves| moves.address_of(host, first, now))
    }

    fn has_moved_from(&self, address: Ipv4Addr, host: &str, now: Timestamp) -> bool {
        let Some(id) = self.web.host(host).filter(|_| self.moves.is_some()) else { return false };
        self.moved(host, self.web.server_of(id), now) != address
    }

    /// What is known of a page that is only asked for if it has changed.
    fn known(&self, job: &FetchJob) -> Option<Arc<Original>> {
        self.earlier.as_ref().filter(|_| job.asks == Asks::IfModified)?.find(job.url.as_str())
    }

    fn respond(&self, request: &Request<'_>) -> Response {
        let Head { status, headers, behaviour, body } = self.web.head(request);
        let body = body.filter(|body| !self.without_bodies || !body.is_content());
        let body = body.map(|body| self.web.body(&body)).unwrap_or_default();
        Response { status, headers, body, behaviour }
    }
}

/// Of a host's own, in a /64 of its server's, among those that are for examples (RFC 3849).
fn second_address(name: &str, server: Ipv4Addr) -> Ipv6Addr {
    let network = u128::from(0x2001_0db8_u32) << 96 | u128::from(server.to_bits()) << 64;
    Ipv6Addr::from_bits(network | u128::from(xxh3_64(name.as_bytes())))
}

/// In one network of four nobody answers.
fn is_answered(address: Ipv6Addr) -> bool {
    !xxh3_64(&address.octets()[..8]).is_multiple_of(4)
}

/// One contact in four is late without measure.
fn lateness_ms(rng: &mut Rng) -> u64 {
    if rng.one_in(4) { rng.below(LATEST_MS) } else { rng.below(BEGIN_WITHIN_MS + 1) }
}

/// A response to a request made at `now`.
struct Served<'a> {
    job: &'a FetchJob,
    now: Timestamp,
    response: &'a Response,
    /// The body of those that have none.
    empty: &'a Body,
    /// What the client has of it.
    known: Option<Arc<Original>>,
}

impl Served<'_> {
    /// What the client makes of it.
    fn exchange(&self, latency: u64) -> Exchange {
        let limit = self.job.limits.total_ms;
        let lost =
            |elapsed_ms, kind| Exchange { elapsed_ms, outcome: Outcome::Failed(failure(kind, "simulated")) };
        let captured = |elapsed_ms, kept, truncated| Exchange {
            elapsed_ms,
            outcome: self.captured(elapsed_ms, kept, truncated),
        };
        let whole = self.response.body.len();
        match self.response.behaviour {
            Behaviour::Normal => captured(latency, whole, None),
            Behaviour::Slow { wait_ms } if u64::from(wait_ms) >= limit => {
                lost(limit, FailureKind::ResponseTimeout)
            }
            Behaviour::Slow { wait_ms } => captured(latency + u64::from(wait_ms), whole, None),
            Behaviour::Drip { bytes_per_second } => {
                let needed = latency + whole as u64 * 1000 / u64::from(bytes_per_second.max(1));
                let in_time = needed <= limit;
                let kept =
                    if in_time { whole } else { (limit * u64::from(bytes_per_second) / 1000) as usize };
                captured(needed.min(limit), kept.min(whole), (!in_time).then_some(Truncation::Time))
            }
            Behaviour::Reset { after_bytes: 0 } => lost(latency, FailureKind::Disconnected),
            Behaviour::Reset { after_bytes } | Behaviour::Truncate { after_bytes } => {
                captured(latency, whole.min(after_bytes as usize), Some(Truncation::Disconnect))
            }
        }
    }

    fn captured(&self, elapsed_ms: u64, kept: usize, truncated: Option<Truncation>) -> Outcome {
        let Self { job, now, response, empty, known } = self;
        let body = match &response.body[..kept] {
            [] => (*empty).clone(),
            bytes => Bytes::copy_from_slice(bytes).into(),
        };
        let response_head = Bytes::from(response_head(response));
        let unchanged = known.as_ref().filter(|_| response.status == 304);
        let unchanged = unchanged.and_then(|known| known.still_standing(&response_head)).map(Arc::new);
        Outcome::Captured(Arc::new(Capture {
            url: job.url.as_str().to_owned(),
            started: WallTime::from_unix_ms(now.as_ms()),
            elapsed_ms: elapsed_ms as u32,
            address: job.address.ip(),
            protocols: vec!["http/1.1".to_owned()],
            cipher_suite: None,
            handshake: None,
            request_head: Bytes::from(request_head(job)),
            response_head,
            status: response.status,
            body,
            truncated,
            cut_because: None,
            usage: None,
            unchanged,
        }))
    }
}

/// Heads are put together without the formatting machinery, which takes longer.
fn request_head(job: &FetchJob) -> String {
    ["GET ", job.url.request_target(), " HTTP/1.1\r\nHost: ", job.url.host_port(), "\r\n\r\n"].concat()
}

fn response_head(response: &Response) -> String {
    let mut head = String::with_capacity(256);
    head.extend(["HTTP/1.1 ", &response.status.to_string(), " Simulated\r\n"]);
    for header in &response.headers {
        head.extend([header.name, ": ", &header.value, "\r\n"]);
    }
    head.extend(["content-length: ", &response.body.len().to_string(), "\r\n\r\n"]);
    head
}

fn is_broken_off(capture: &Capture) -> bool {
    matches!(capture.truncated, Some(Truncation::Disconnect | Truncation::Time))
}

fn purpose_of(url: &weburl::Url) -> Purpose {
    match url.path() {
        "/robots.txt" => Purpose::Robots,
        "/robots-policy.txt" => Purpose::Policy,
        _ => Purpose::Content,
    }
}

/// simweb says it in seconds.
fn retry_after_ms(capture: &Capture) -> Option<u64> {
    let head = std::str::from_utf8(&capture.response_head).ok()?;
    let value = head.lines().find_map(|line| line.strip_prefix("retry-after: "))?;
    value.parse::<u64>().ok().map(|seconds| seconds * 1000)
}

fn failure(kind: FailureKind, detail: &str) -> Failure {
    Failure { kind, detail: detail.to_owned() }
}

fn failed(kind: FailureKind, detail: &str) -> ResolveOutcome {
    ResolveOutcome::Failed(failure(kind, detail))
}
