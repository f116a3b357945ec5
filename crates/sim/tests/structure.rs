//! Crawls of a web without bodies: the same machine, archive and judges, at a fraction of the price.

use crawler::Exit;
use disk::{MemDisk, SharedDisk};
use sim::{Before, Network, START, ServerLog, Setup, Sim, Site, Trial};
use simweb::{LinkList, WebConfig};
use std::sync::Arc;
use weburl::{Folding, Key, KeyHash, Scope, Url};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Identities are made without a parser: they must be the ones that the parser makes.
#[test]
fn keys_and_names_are_those_of_the_urls() {
    for ports in [(80, 443), (8080, 8443)] {
        let (http_port, https_port) = ports;
        let config = WebConfig { http_port, https_port, ..WebConfig::small(3, 2_000) };
        let site = Site::new(config, 1);
        let mut list = LinkList::default();
        for host in site.web.hosts() {
            site.web.list_links(&site.web.root_of(host), &mut list);
            for link in list.outlinks() {
                let url = Url::parse(link.url).unwrap();
                assert_eq!(url.as_str(), link.url);
                assert_eq!(url.host(), link.name);
                let key = KeyHash(xxh3_64_with_seed(link.key.as_bytes(), 9));
                assert_eq!(key, Key::of(&url, &Folding::ALL).hash(9), "{} {}", link.url, link.key);
            }
        }
    }
}

#[test]
fn a_crawl_without_bodies_is_judged_like_any_other() {
    for seed in 1..4 {
        let site = Site::new(WebConfig::small(seed, 400).without_traps(), 2);
        let network = Network::structural(site.web.clone(), seed, ServerLog::default());
        let mut trial = Trial::new(&site, Setup::new(&site, Scope::Any, seed), network, seed);
        assert_eq!(trial.finish(), Exit::Done);
        let wrong = trial.judge_done();
        assert!(wrong.is_empty(), "{} violations, first: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
        assert!(trial.last().links > 5_000, "{} links", trial.last().links);
    }
}

#[test]
fn threads_change_nothing_but_the_time_it_takes() {
    let site = Site::new(WebConfig::small(5, 400).without_traps(), 2);
    let crawl = |begin: fn(Sim) -> Sim| {
        let disk: SharedDisk = Arc::new(MemDisk::new());
        let mut network = Network::structural(site.web.clone(), 5, ServerLog::default());
        let setup = Setup::new(&site, Scope::Any, 5);
        let mut sim = begin(Sim::open(&site, &setup, &disk, START).unwrap());
        network.begin(sim.now, Before::Calm);
        sim.run(&mut network, |_| false).unwrap();
        (sim.exit, sim.now, sim.links, sim.trace.to_string())
    };
    assert_eq!(crawl(Sim::with_threads), crawl(|sim| sim));
}
