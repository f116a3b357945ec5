use crate::log::{Before, Contact, Purpose, Run, ServerLog};
use archive::{Capture, Truncation};
use bytes::Bytes;
use crawler::{
    Address, Failure, FailureKind, FetchJob, Fetched, Outcome, Reach, ResolveJob, ResolveOutcome, Resolved,
};
use simweb::{Behaviour, Certificate, Method, Request, Resolution, Response, Scheme, Web};
use std::fmt::Write;
use std::sync::Arc;
use stdx::{Rng, Timestamp, WallTime};

/// Plays resolve and fetch against a web, and keeps the server's log. It outlives the crawler's crashes.
#[derive(Debug)]
pub struct Network {
    web: Arc<Web>,
    latency: Latency,
    /// What the servers know.
    pub log: ServerLog,
}

/// How long servers take to answer.
#[derive(Debug)]
enum Latency {
    Wild(Rng),
    Steady(u64),
}

/// The quickest and the slowest answer of a web that is not steady.
const LATENCY_MS: std::ops::Range<u64> = 20..200;

/// What happens on a connection: how long it takes, and what comes of it.
struct Exchange {
    elapsed_ms: u64,
    outcome: Outcome,
}

impl Network {
    /// A network in front of `web`; `seed` decides the latencies.
    pub fn new(web: Arc<Web>, seed: u64) -> Self {
        Self { web, latency: Latency::Wild(Rng::new(seed)), log: ServerLog::default() }
    }

    /// A network in which every answer takes this long.
    pub fn steady(web: Arc<Web>, latency_ms: u64) -> Self {
        Self { web, latency: Latency::Steady(latency_ms), log: ServerLog::default() }
    }

    /// The crawler starts; must come before its first contact.
    pub fn begin(&mut self, now: Timestamp, after: Before) {
        self.log.runs.push(Run { started: now, ended: Timestamp::NEVER, after });
    }

    /// The crawler exits or dies, and its connections with it.
    pub fn end(&mut self, now: Timestamp) {
        self.log.runs.last_mut().expect("it was running").ended = now;
        for contact in self.log.contacts.iter_mut().filter(|contact| contact.ended > now) {
            contact.ended = now;
            contact.status = None;
            contact.retry_after_ms = None;
        }
    }

    /// The web behind it.
    pub fn web(&self) -> &Web {
        &self.web
    }

    /// Resolves a name at `now`.
    pub fn resolve(&mut self, job: &ResolveJob, now: Timestamp) -> Resolved {
        let outcome = match self.web.address_of(&job.name, now.as_ms()) {
            Resolution::Address { address, .. } if address.octets()[0] != 127 => {
                failed(FailureKind::AddressRefused, "it is private")
            }
            Resolution::Address { address, ttl_s } => ResolveOutcome::Addresses {
                addresses: vec![Address { ip: address.into(), reach: Reach::Public }],
                ttl_ms: u64::from(ttl_s) * 1000,
            },
            Resolution::NoSuchName => failed(FailureKind::NameNotFound, "no such name"),
            Resolution::ServerFailure => failed(FailureKind::NameServer, "server failure"),
        };
        Resolved { ticket: job.ticket, outcome }
    }

    /// Makes a request at `now`; the answer holds when it is over.
    pub fn fetch(&mut self, job: &FetchJob, now: Timestamp) -> Fetched {
        let Exchange { elapsed_ms, outcome } = self.exchange(job, now);
        let ended = now + elapsed_ms;
        let robots = job.url.path() == "/robots.txt";
        let capture = if let Outcome::Captured(capture) = &outcome { Some(capture.as_ref()) } else { None };
        self.log.contacts.push(Contact {
            run: self.log.runs.len() - 1,
            host: job.url.host().to_owned(),
            address: job.address.ip(),
            url: job.url.as_str().to_owned(),
            started: now,
            ended,
            purpose: if robots { Purpose::Robots } else { Purpose::Content },
            status: capture.map(|capture| capture.status),
            retry_after_ms: capture.and_then(retry_after_ms),
        });
        Fetched { ticket: job.ticket, address: job.address.ip(), started: now, ended, outcome }
    }

    fn latency(&mut self) -> u64 {
        match &mut self.latency {
            Latency::Wild(rng) => LATENCY_MS.start + rng.below(LATENCY_MS.end - LATENCY_MS.start),
            Latency::Steady(ms) => *ms,
        }
    }

    fn exchange(&mut self, job: &FetchJob, now: Timestamp) -> Exchange {
        let latency = self.latency();
        let secure = job.url.scheme() == "https";
        let host = self.web.host(job.url.host());
        if secure && host.is_some_and(|host| self.web.certificate_of(host) != Certificate::Good) {
            return Exchange {
                elapsed_ms: latency,
                outcome: Outcome::Failed(failure(FailureKind::Certificate, "bad")),
            };
        }
        let response = self.web.respond(&Request {
            scheme: if secure { Scheme::Https } else { Scheme::Http },
            host: job.url.host(),
            target: job.url.request_target(),
            method: Method::Get,
            if_none_match: None,
            time_ms: now.as_ms(),
        });
        behave(job, now, latency, &response)
    }
}

fn behave(job: &FetchJob, now: Timestamp, latency: u64, response: &Response) -> Exchange {
    let limit = job.limits.total_ms;
    let lost =
        |elapsed_ms, kind| Exchange { elapsed_ms, outcome: Outcome::Failed(failure(kind, "simulated")) };
    let whole = response.body.len();
    let cut = |after: u32, elapsed_ms| {
        let kept = whole.min(after as usize);
        Exchange {
            elapsed_ms,
            outcome: captured(job, now, elapsed_ms, response, kept, Some(Truncation::Disconnect)),
        }
    };
    match response.behaviour {
        Behaviour::Normal => {
            Exchange { elapsed_ms: latency, outcome: captured(job, now, latency, response, whole, None) }
        }
        Behaviour::Slow { wait_ms } if u64::from(wait_ms) >= limit => {
            lost(limit, FailureKind::ResponseTimeout)
        }
        Behaviour::Slow { wait_ms } => {
            let elapsed = latency + u64::from(wait_ms);
            Exchange { elapsed_ms: elapsed, outcome: captured(job, now, elapsed, response, whole, None) }
        }
        Behaviour::Drip { bytes_per_second } => {
            let needed = latency + whole as u64 * 1000 / u64::from(bytes_per_second.max(1));
            let in_time = needed <= limit;
            let kept = if in_time { whole } else { (limit * u64::from(bytes_per_second) / 1000) as usize };
            let truncated = (!in_time).then_some(Truncation::Time);
            let elapsed = needed.min(limit);
            let outcome = captured(job, now, elapsed, response, kept.min(whole), truncated);
            Exchange { elapsed_ms: elapsed, outcome }
        }
        Behaviour::Reset { after_bytes: 0 } => lost(latency, FailureKind::Disconnected),
        Behaviour::Reset { after_bytes } | Behaviour::Truncate { after_bytes } => cut(after_bytes, latency),
    }
}

fn captured(
    job: &FetchJob,
    now: Timestamp,
    elapsed_ms: u64,
    response: &Response,
    kept: usize,
    truncated: Option<Truncation>,
) -> Outcome {
    let mut head = format!("HTTP/1.1 {} Simulated\r\n", response.status);
    for header in &response.headers {
        let _ = write!(head, "{}: {}\r\n", header.name, header.value);
    }
    let _ = write!(head, "content-length: {}\r\n\r\n", response.body.len());
    let request =
        format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", job.url.request_target(), job.url.host_port());
    Outcome::Captured(Arc::new(Capture {
        url: job.url.as_str().to_owned(),
        started: WallTime::from_unix_ms(now.as_ms()),
        elapsed_ms: elapsed_ms as u32,
        address: job.address.ip(),
        protocols: vec!["http/1.1".to_owned()],
        cipher_suite: None,
        certificate_error: None,
        request_head: Bytes::from(request),
        response_head: Bytes::from(head),
        status: response.status,
        body: Bytes::copy_from_slice(&response.body[..kept]),
        truncated,
    }))
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
