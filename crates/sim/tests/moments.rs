//! When a host may be contacted next, why not before, and where, as a crawl says it while it runs: against the contacts that
//! servers saw afterwards.

use crawler::{Clock, ClockOf, DelayRule, Doing, HostStanding, RobotsAnswer, WaitingFor};
use disk::MemDisk;
use sim::{Contact, Network, START, Setup, Sim, Site};
use simweb::WebConfig;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Scope, Url};

const SEED: u64 = 13;

/// Times that the crawl is asked, and how long it goes on in between.
const TIMES: u64 = 40;
const EVERY_MS: u64 = 1_700;

/// What was said of a host that waits.
struct Said {
    asked_at: Timestamp,
    host: String,
    next: Clock,
    server_until: Timestamp,
}

fn hosts_of(site: &Site) -> BTreeSet<String> {
    let seeds: Vec<String> = site.seeds.iter().map(ToString::to_string).collect();
    let truth = site.web.truth(&simweb::Plan { seeds: &seeds, scope: simweb::Scope::Any, depth: None });
    let host = |url: &String| Url::parse(url).map(|url| url.host().to_owned()).ok();
    truth.urls.keys().filter_map(host).collect()
}

/// The last contact with a host, as its server saw it.
fn last<'a>(network: &'a Network, host: &str) -> Option<&'a Contact> {
    network.log.contacts.iter().rev().find(|contact| contact.host == host)
}

/// What follows from the last contact is as it is said.
fn check_delay(standing: &HostStanding, network: &Network, site: &Site) {
    let name = &standing.name;
    let asked_for = site.web.host(name).map_or(0, |host| site.web.crawl_delay_ms(host));
    let has_rules = standing.robots.iter().any(|record| matches!(record.answer, RobotsAnswer::Rules(_)));
    match standing.delay.by {
        DelayRule::CrawlDelay => assert_eq!(standing.delay.ms, asked_for, "{name}"),
        _ => assert!(!has_rules || standing.delay.ms >= asked_for, "{name}: {standing:?}"),
    }
    let Some(contact) = last(network, name) else { return };
    let own = standing.clocks.iter().find(|clock| clock.of == ClockOf::Host(WaitingFor::Delay));
    if let Some(own) = own {
        // Rules that lay elsewhere hold from when they came.
        let learned = standing.robots.iter().map(|record| record.fetched_at);
        let mut since = learned.chain([contact.ended]);
        assert!(own.until >= contact.ended + standing.delay.ms, "{name}: {standing:?}");
        assert!(since.any(|since| own.until == since + standing.delay.ms), "{name}: {standing:?}");
    }
}

fn ask(sim: &Sim, network: &Network, site: &Site, host: &str) -> Option<Said> {
    let url = Url::parse(&format!("http://{host}/")).expect("a host of the web");
    let standing = sim.crawler.look_up(&url).expect("a disk without faults")?.host?;
    if !matches!(standing.doing, Doing::Wait | Doing::Sleep) || standing.contacts == 0 {
        return None;
    }
    check_delay(&standing, network, site);
    let server = sim.crawler.server_standing(standing.address.expect("it was contacted"));
    // Others may be gone before: something else of the host is found, or the host that its domain waited for has come.
    let holds = |clock: &&Clock| matches!(clock.of, ClockOf::Host(_) | ClockOf::Domain);
    let next = standing.clocks.iter().filter(holds).max_by_key(|clock| clock.until);
    let next = *next.expect("its own clock");
    Some(Said { asked_at: sim.now, host: host.to_owned(), next, server_until: server.until })
}

#[test]
fn no_contact_comes_before_it_was_said_to() {
    let site = Site::new(WebConfig::small(SEED, 3_000).without_traps(), 3);
    let mut network = Network::new(site.web.clone(), SEED);
    let mut setup = Setup::new(&site, Scope::Any, SEED);
    setup.crawl.frontier.memory.resident_bytes /= 16;
    let mut sim =
        Sim::open(&site, &setup, &(Arc::new(MemDisk::new()) as disk::SharedDisk), START).expect("a disk");
    let hosts = hosts_of(&site);
    let mut said = Vec::new();
    for _ in 0..TIMES {
        let until = sim.now + EVERY_MS;
        sim.run_until(&mut network, until).expect("a disk without faults");
        said.extend(hosts.iter().filter_map(|host| ask(&sim, &network, &site, host)));
    }
    sim.run_until(&mut network, sim.now + 60_000).expect("a disk without faults");
    let (mut by, mut exact) = (BTreeMap::<String, u32>::new(), 0);
    for said in &said {
        let at = said.next.until.max(said.asked_at);
        let mut later = network
            .log
            .contacts
            .iter()
            .filter(|contact| contact.started >= said.asked_at && contact.host == said.host);
        let Some(contact) = later.next() else { continue };
        assert!(contact.started >= at, "{}: {:?} before {at:?}", said.host, contact.started);
        let of = if said.server_until > at { "server".to_owned() } else { format!("{:?}", said.next.of) };
        exact += u32::from(contact.started == at.max(said.server_until));
        *by.entry(of).or_default() += 1;
    }
    let judged: u32 = by.values().sum();
    assert!(judged > 500 && exact * 10 > judged, "{exact} of {judged} began just then: {by:?}");
    for of in ["server", "Host(Delay)", "Domain"] {
        assert!(by.contains_key(of), "some waited for {of}: {by:?}");
    }
}

/// A host is said to be where it was contacted last, also when it lies on disk.
#[test]
fn a_host_is_where_it_was_contacted_last() {
    let site = Site::new(WebConfig::small(SEED, 1_500).without_traps(), 3);
    let mut network = Network::new(site.web.clone(), SEED);
    let mut setup = Setup::new(&site, Scope::Any, SEED);
    setup.crawl.frontier.memory.resident_bytes /= 16;
    let mut sim =
        Sim::open(&site, &setup, &(Arc::new(MemDisk::new()) as disk::SharedDisk), START).expect("a disk");
    sim.run(&mut network, |sim| sim.pages() >= 700).expect("a disk without faults");
    let mut compared = 0;
    for host in hosts_of(&site) {
        let facts = sim.crawler.host_facts(&host).expect("a disk without faults");
        let of_log: Option<IpAddr> = last(&network, &host).map(|contact| contact.address);
        let Some(facts) = facts.filter(|facts| facts.doing != Doing::Contact) else { continue };
        assert_eq!(facts.address, of_log, "{host}");
        compared += u32::from(of_log.is_some());
    }
    assert!(compared > 20, "{compared} hosts were compared");
}
