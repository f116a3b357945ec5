//! Crawls that are killed and gone on with by the same command, judged from the server's log and the archive.

use crate::support::crawl::Crawl;
use crate::support::edge::{self, await_until, is_nightly};
use crate::support::holdings::Holdings;
use simweb::checker::{Limits, forbidden, politeness, strays};
use simweb::server::{Running, ServerOptions, start};
use simweb::{Contact, End, HostMix, LeafMix, Plan, Scope, WebConfig};
use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;
use stdx::Rng;

/// SIGABRT, with which the tripwire ends a process.
const ABORTED: i32 = 6;

/// A web with everything odd that no amount of waiting changes: how a crawl of it ends does not depend on time.
fn web(seed: u64, pages: u64, domains: u32) -> Running {
    let hosts = HostMix { https: 300, robots: 700, closed: 100, mirrors: 60, ..HostMix::default() };
    let leaves = LeafMix { errors: 0, ruined: 0, ..LeafMix::wild() };
    let small = WebConfig::small(seed, pages);
    let config = WebConfig { http_port: 0, https_port: 0, crawl_delay_s: 0, domains, hosts, leaves, ..small };
    start(config, ServerOptions::default()).expect("a free port")
}

/// A crawl over several runs, and when they were.
struct Runs<'a> {
    server: &'a Running,
    crawl: Crawl,
    spans: Vec<Span>,
}

/// One run, on the server's clock and on the archive's.
struct Span {
    server_us: Range<u64>,
    unix_ms: Range<u64>,
}

impl<'a> Runs<'a> {
    fn new(server: &'a Running) -> Self {
        let seeds = server.web.seeds(1);
        let crawl = Crawl::new(server.dns, &[&seeds[0]]);
        let ca = crawl.file("ca.pem", &server.ca_pem);
        Self {
            server,
            crawl: crawl.flag("--ca-file", &ca).flag("--concurrency", &IN_FLIGHT.to_string()),
            spans: Vec::new(),
        }
    }

    /// Does one run and notes when it was.
    fn during<T>(&mut self, run: impl FnOnce(&Crawl, &Running) -> T) -> T {
        let (from_us, from_ms) = (self.server.log.elapsed_us(), edge::unix_ms());
        let outcome = run(&self.crawl, self.server);
        // What a process sent before it died may still be on its way, and would be taken for the next one's.
        self.server.settle().expect("the server answers");
        let (to_us, to_ms) = (self.server.log.elapsed_us(), edge::unix_ms());
        self.spans.push(Span { server_us: from_us..to_us, unix_ms: from_ms..to_ms + 1 });
        // So that no two runs share a millisecond.
        edge::pause(Duration::from_millis(2));
        outcome
    }

    fn finish(&mut self) -> Judgement<'_> {
        let ended = self.during(|crawl, _| crawl.run());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        Judgement {
            server: self.server,
            log: self.server.log.contacts(),
            holdings: self.crawl.holdings(),
            runs: &self.spans,
        }
    }
}

/// What is known when a crawl has come to its end.
struct Judgement<'a> {
    server: &'a Running,
    log: Vec<Contact>,
    holdings: Holdings,
    runs: &'a [Span],
}

impl Judgement<'_> {
    /// Nothing lost, nothing twice, nothing forbidden.
    fn check(&self) {
        self.check_truth();
        assert_eq!(self.holdings.repeated(), [""; 0], "captured twice");
        assert_eq!(forbidden(&self.log, &self.server.web), Vec::<&Contact>::new());
        assert_eq!(strays(&self.log, &self.server.web), Vec::<&Contact>::new());
        let lost: usize = (0..self.runs.len()).map(|run| self.check_run(run)).sum();
        let (asked, runs) = (self.log.len(), self.runs.len());
        println!("{asked} requests in {runs} runs, {lost} of them in flight at a kill and made again");
    }

    /// Every URL of the truth is archived with the status it ends with, and nothing else is.
    fn check_truth(&self) {
        let web = &self.server.web;
        let truth = web.truth(&Plan { seeds: &web.seeds(1), scope: Scope::Any, depth: None });
        let status = |end| match end {
            End::Page(_) => Some(200),
            End::Redirect(status) | End::Error(status) => Some(status),
            _ => None,
        };
        let wanted: BTreeSet<(String, u16)> =
            truth.urls.iter().filter_map(|(url, fate)| Some((url.clone(), status(fate.end)?))).collect();
        let canonical = |url: &str| web.canonical(url).expect("a URL of the web");
        // Nothing but robots.txt leads to sitemaps.
        let pages = self.holdings.pages().filter(|page| !page.url.contains("/sitemap"));
        let found: BTreeSet<(String, u16)> = pages.map(|page| (canonical(&page.url), page.status)).collect();
        let missing: Vec<_> = wanted.difference(&found).take(5).collect();
        let extra: Vec<_> = found.difference(&wanted).take(5).collect();
        assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, too much {extra:?}");
    }

    /// What a run asked for and the archive holds of it is not asked for by any later run. What it asked for and the
    /// archive does not hold was in flight at its end: of every host the last of its requests, since what was answered is
    /// committed in the order of the answers. How many of those there are.
    fn check_run(&self, run: usize) -> usize {
        let (kept, asked) = (self.kept_of(run), self.asked_in(run));
        let later = (run + 1..self.runs.len()).flat_map(|run| self.asked_in(run));
        let again: Vec<&Contact> = later.filter(|contact| kept.contains(&self.url_of(contact))).collect();
        assert!(again.is_empty(), "run {run} had captured {again:?}");
        let (kept, lost): (Vec<&Contact>, Vec<&Contact>) =
            asked.into_iter().partition(|contact| kept.contains(&self.url_of(contact)));
        let after =
            |early: &Contact, late: &Contact| early.host == late.host && early.start_us < late.start_us;
        let early: Vec<_> = lost.iter().filter(|lost| kept.iter().any(|kept| after(lost, kept))).collect();
        assert!(early.is_empty(), "run {run} lost what was not in flight: {early:?}");
        assert!(lost.len() <= IN_FLIGHT, "run {run} lost {}", lost.len());
        lost.len()
    }

    /// URLs captured in a run.
    fn kept_of(&self, run: usize) -> BTreeSet<String> {
        let within = &self.runs[run].unix_ms;
        let kept = self.holdings.pages().filter(|page| page.is_final() && within.contains(&page.fetched_ms));
        kept.map(|page| page.url.clone()).collect()
    }

    /// Requests for pages that were answered for good in a run. The robots.txt of one authority may be asked for on
    /// behalf of others too, which redirect to it: it is not once.
    fn asked_in(&self, run: usize) -> Vec<&Contact> {
        let within = &self.runs[run].server_us;
        let asked = self.log.iter().filter(|contact| within.contains(&contact.start_us));
        asked.filter(|contact| contact.status < 500 && !contact.target.starts_with("/robots")).collect()
    }

    fn url_of(&self, contact: &Contact) -> String {
        let scheme = contact.scheme.as_str();
        let port = if scheme == "http" { self.server.http_port() } else { self.server.https_port() };
        format!("{scheme}://{}:{port}{}", contact.host, contact.target)
    }
}

/// Requests are in flight until what they brought is durable; this many at once.
const IN_FLIGHT: usize = 64;

#[test]
fn twenty_kills_lose_nothing_and_repeat_only_what_was_in_flight() {
    let (pages, kills) = if is_nightly() { (20_000, 100) } else { (2_000, 20) };
    let server = web(21, pages, 50);
    let mut runs = Runs::new(&server);
    let mut rng = Rng::new(4711);
    for kill in 0..kills {
        // Half of the moments by what was asked for, so that they lie all over the crawl; half by time since the start,
        // so that some lie in recovery.
        let requests =
            (kill + 1) * pages as usize / (kills + 1) + rng.below(pages / kills as u64) as usize / 2;
        let time = Duration::from_millis(rng.below(600));
        runs.during(|crawl, server| {
            let mut run = crawl.start();
            let begun = edge::now();
            let by_time = kill % 2 == 1;
            let is_due = || if by_time { begun.elapsed() >= time } else { server.log.len() >= requests };
            assert!(await_until(Duration::from_mins(2), is_due), "the crawl makes no progress");
            assert!(!run.is_over(), "the crawl was over before kill {kill}");
            run.kill();
        });
    }
    runs.finish().check();
}

#[test]
fn death_between_any_two_writes_loses_nothing() {
    let server = web(22, if is_nightly() { 300 } else { 150 }, 8);
    let mut runs = Runs::new(&server);
    let (mut deaths, mut call) = (0, 1);
    loop {
        let ended = runs
            .during(|crawl, _| crawl.start_with(&[("DRUMLIN_ABORT_AT_DISK_CALL", call.to_string())]).wait());
        if ended.signal != Some(ABORTED) {
            assert_eq!(ended.code, Some(0), "at call {call}: {ended:?}");
            break;
        }
        deaths += 1;
        call += if is_nightly() && call < 150 { 1 } else { 1 + call / 12 };
    }
    println!("{deaths} deaths, the last at call {call}");
    assert!(deaths >= 40, "{deaths} deaths are too few to have met every step");
    runs.finish().check();
}

#[test]
fn delays_are_kept_across_kills() {
    let server = web(23, 60, 12);
    let mut runs = Runs::new(&server);
    runs.crawl = runs.crawl.flag("--delay", "0.2").flag("--ip-delay", "0.05");
    let mut rng = Rng::new(815);
    for _ in 0..6 {
        let time = Duration::from_millis(500 + rng.below(800));
        runs.during(|crawl, _| {
            let run = crawl.start();
            edge::pause(time);
            run.kill();
        });
    }
    let judgement = runs.finish();
    judgement.check();
    let limits =
        Limits { host_delay_ms: 200, address_delay_ms: 50, domain_starts_per_second: None, slack_ms: 0 };
    assert_eq!(politeness(&judgement.log, &judgement.server.web, &limits), []);
}
