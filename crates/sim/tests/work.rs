//! Nothing stands still: whenever a slot is free and a host may be contacted and has a URL, it is.

use crawler::{BudgetFunction, Exit, SeedBudgets, Star};
use disk::MemDisk;
use sim::checks::{Delays, WorkConservation};
use sim::{Before, Contact, Network, START, Setup, Sim, Site, Witness};
use simweb::{Farms, WebConfig};
use std::sync::Arc;
use stdx::{Rng, Timestamp};
use weburl::Scope;

/// What is given a crawl from the moment that a host may be contacted to its contact, while a slot is free.
const LATENCY_MS: u64 = 40;

#[expect(clippy::disallowed_methods, reason = "the nightly run is asked for by the environment")]
fn nightly() -> bool {
    std::env::var("DRUMLIN_NIGHTLY").is_ok()
}

/// Everything that a witness is told, to be told again.
#[derive(Default)]
struct Record {
    told: Vec<Told>,
}

#[derive(Clone)]
enum Told {
    Begin(Timestamp),
    Contact(Contact),
    LooksUp(Timestamp, Timestamp),
    Finds(String, Timestamp),
    Waits(Timestamp, Timestamp),
}

impl Witness for Record {
    fn begin(&mut self, now: Timestamp, _: Before) {
        self.told.push(Told::Begin(now));
    }
    fn end(&mut self, _: Timestamp) {}
    fn contact(&mut self, contact: Contact) {
        self.told.push(Told::Contact(contact));
    }
    fn looks_up(&mut self, now: Timestamp, until: Timestamp) {
        self.told.push(Told::LooksUp(now, until));
    }
    fn finds(&mut self, url: &str, at: Timestamp) {
        self.told.push(Told::Finds(url.to_owned(), at));
    }
    fn waits(&mut self, now: Timestamp, next: Timestamp) {
        self.told.push(Told::Waits(now, next));
    }
}

impl Record {
    fn tell(&self, judge: &mut WorkConservation) {
        for told in self.told.iter().cloned() {
            match told {
                Told::Begin(now) => judge.begin(now, Before::Calm),
                Told::Contact(contact) => judge.contact(contact),
                Told::LooksUp(now, until) => judge.looks_up(now, until),
                Told::Finds(url, at) => judge.finds(&url, at),
                Told::Waits(now, next) => judge.waits(now, next),
            }
        }
    }
}

fn site(seed: u64) -> Site {
    let mut rng = Rng::new(seed);
    let small = WebConfig::small(seed, 100 + rng.below(200));
    let rings = Farms { domains: 8, hosts: 1, pages: 4, linked: 100 };
    let config = WebConfig {
        addresses: 1 + rng.below(12) as u32,
        rings: if rng.one_in(2) { rings } else { Farms::default() },
        hosts: small.hosts.hostile(),
        ..small
    };
    Site::new(config.without_traps(), 1 + rng.below(3) as u32)
}

fn setup(site: &Site, slots: usize, seed: u64) -> Setup {
    let mut setup = Setup::new(site, Scope::Any, seed);
    setup.crawl.concurrency = slots;
    setup.crawl.sitemaps = false;
    setup
}

/// Where nobody is put off for want of a budget, or of a share of the memory (a robots.txt may take all that its domain has): of
/// neither the judge knows.
fn ample(mut setup: Setup) -> Setup {
    setup.crawl.frontier.star = Star { function: BudgetFunction::Flat(10_000), seeds: SeedBudgets::Earned };
    setup.crawl.frontier.memory.resident_bytes = 16 << 20;
    setup
}

/// Crawls a site to its end; gives what the witness saw.
fn crawl(site: &Site, setup: &Setup, seed: u64) -> Record {
    let disk = Arc::new(MemDisk::new());
    let mut network = Network::structural(site.web.clone(), seed, Record::default());
    let mut sim = Sim::open(site, setup, &(disk as disk::SharedDisk), START).unwrap();
    network.begin(sim.now, Before::Calm);
    sim.run(&mut network, |_| false).unwrap();
    assert_eq!(sim.exit, Some(Exit::Done));
    network.log
}

fn judge(site: &Site, slots: usize, record: &Record) -> Vec<String> {
    let mut judge = WorkConservation::new(site.web.clone(), Delays::DEFAULT, slots, LATENCY_MS);
    record.tell(&mut judge);
    judge.findings.into_vec()
}

/// Judges a crawl whose setup is changed by `change`.
fn check(seed: u64, slots: usize, change: fn(Setup) -> Setup) {
    let site = site(seed);
    let wrong = judge(&site, slots, &crawl(&site, &change(setup(&site, slots, seed)), seed));
    assert!(wrong.is_empty(), "seed {seed}, {slots} slots: {:#?}", &wrong[..wrong.len().min(5)]);
}

#[test]
fn nothing_stands_still_where_nobody_is_put_off() {
    for seed in 1..=if nightly() { 100 } else { 20 } {
        for slots in [1, 3, 64] {
            check(seed, slots, ample);
        }
    }
}

/// A server was kept for its longest chain although one of its queue would not have held that up (91), or although one came that would
/// not (104). That one is kept for a host with nothing but a URL that is to be asked for again is no fault (31).
#[test]
fn where_a_host_stood_still_once_none_does() {
    for (seed, slots) in [(31, 64), (91, 1), (104, 3)] {
        check(seed, slots, ample);
    }
}

/// The judge sees a contact that comes later than it might: the mutation that it is there for.
#[test]
fn a_host_that_stands_still_is_found() {
    let site = site(4);
    let mut record = crawl(&site, &ample(setup(&site, 64, 4)), 4);
    let is_page = |told: &Told| matches!(told, Told::Contact(c) if c.purpose == sim::Purpose::Content && c.status == Some(200));
    let nth = record.told.iter().enumerate().filter(|(_, told)| is_page(told)).nth(20).unwrap().0;
    let contact = record.told.remove(nth);
    assert!(!judge(&site, 64, &record).is_empty(), "a page that is never asked for");
    let later = nth
        + record.told[nth..]
            .iter()
            .take_while(|told| !matches!(told, Told::Waits(from, to) if to.since_ms(*from) > 0))
            .count();
    record.told.insert(later + 40, contact);
    assert!(!judge(&site, 64, &record).is_empty(), "a page that is asked for too late");
}
