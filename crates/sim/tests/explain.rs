//! What a crawl says of a URL, against what is known of it elsewhere: the walk through all states, the servers' log, the rules.

use control::{Command, Target};
use crawler::UrlState;
use disk::MemDisk;
use frontier::Exclusion;
use sim::checks::is_forbidden;
use sim::{Network, Purpose, START, Setup, Sim, Site};
use simweb::{Plan, WebConfig};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use stdx::Rng;
use weburl::{KeyHash, Scope, Url};

const SEED: u64 = 11;
const ASKED: usize = 10_000;

/// A crawl of some thousand pages, stopped long before its end.
fn stopped(site: &Site, network: &mut Network) -> Sim {
    let mut setup = Setup::new(site, Scope::Any, SEED);
    setup.crawl.frontier.retry.attempts = 2;
    setup.crawl.frontier.memory.resident_bytes /= 16;
    let mut sim =
        Sim::open(site, &setup, &(Arc::new(MemDisk::new()) as disk::SharedDisk), START).expect("a disk");
    sim.run(network, |sim| sim.pages() >= 2_500).expect("a disk without faults");
    // Let jobs end: while one runs, it has a part of what is asked for.
    sim.order(Command::Pause);
    sim.run_until(network, sim.now + 3_600_000).expect("a disk without faults");
    sim
}

fn name(state: Option<&UrlState>) -> &'static str {
    match state {
        None => "unknown",
        Some(UrlState::Discovered { .. }) => "discovered",
        Some(UrlState::Pending { .. }) => "pending",
        Some(UrlState::Fetched { .. }) => "fetched",
        Some(UrlState::Excluded { .. }) => "excluded",
        Some(UrlState::Parked { .. }) => "parked",
    }
}

/// Of all URLs of the web and as many that it does not have, some by chance.
fn asked(site: &Site, rng: &mut Rng) -> Vec<String> {
    let seeds: Vec<String> = site.seeds.iter().map(ToString::to_string).collect();
    let truth = site.web.truth(&Plan { seeds: &seeds, scope: simweb::Scope::Any, depth: None });
    let mut urls: Vec<String> = truth.urls.into_keys().collect();
    let foreign: Vec<String> = urls.iter().map(|url| format!("{url}/never-linked")).collect();
    urls.extend(foreign);
    (0..ASKED).map(|_| urls[rng.below(urls.len() as u64) as usize].clone()).collect()
}

#[test]
fn what_is_said_of_ten_thousand_urls_is_so() {
    let site = Site::new(WebConfig::small(SEED, 8_000).without_traps(), 3);
    let mut network = Network::new(site.web.clone(), SEED);
    let sim = stopped(&site, &mut network);
    let states = sim.states().expect("a disk without faults");
    let rules = sim.crawler.config().rules.clone();
    let key = |text: &str| rules.key(&Url::parse(text).expect("a URL of the web"));
    let contacts = network.log.contacts.iter().filter(|contact| contact.purpose == Purpose::Content);
    let contacted: BTreeSet<KeyHash> = contacts.map(|contact| key(&contact.url)).collect();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for text in asked(&site, &mut Rng::new(SEED)) {
        let url = Url::parse(&text).expect("a URL of the web");
        let said = sim.crawler.look_up(&url).expect("a disk without faults").and_then(|known| known.state);
        let key = rules.key(&url);
        assert_eq!(name(said.as_ref()), name(states.get(&key)), "{text}: {said:?}");
        match &said {
            Some(UrlState::Fetched { .. }) => {
                assert!(contacted.contains(&key), "{text} was never asked for");
            }
            Some(UrlState::Excluded { rule: Exclusion::Robots { line }, .. }) => {
                assert!(!contacted.contains(&key), "{text} was asked for");
                assert!(*line > 0, "a line of robots.txt decided");
            }
            _ => {}
        }
        *seen.entry(name(said.as_ref())).or_default() += 1;
    }
    for state in ["unknown", "pending", "fetched", "excluded", "parked"] {
        assert!(seen.get(state).is_some_and(|count| *count > 5), "some are {state}: {seen:?}");
    }
    assert!(network.log.contacts.iter().all(|contact| !is_forbidden(contact, &site.web)));
}

#[test]
fn an_exclusion_is_named_with_its_entry() {
    let site = Site::new(WebConfig::small(SEED, 200).without_traps(), 1);
    let mut network = Network::new(site.web.clone(), SEED);
    let setup = Setup::new(&site, Scope::Any, SEED);
    let mut sim =
        Sim::open(&site, &setup, &(Arc::new(MemDisk::new()) as disk::SharedDisk), START).expect("a disk");
    let url = site.seeds[0].clone();
    assert_eq!(sim.crawler.ruling(&url), None);
    sim.order(Command::Exclude(Target::Host(url.host().parse().expect("a host"))));
    sim.run_until(&mut network, START + 1_000).expect("a disk without faults");
    let receipt = sim.answers[0].answer.clone().expect("it is done");
    let ruling = sim.crawler.ruling(&url).expect("it is out").to_string();
    let expected = format!("excluded by the operator: host {}, since ", url.host());
    assert!(ruling.starts_with(&expected), "{ruling}");
    assert!(ruling.ends_with(&format!("(entry {} of the journal)", receipt.entry)), "{ruling}");
}
