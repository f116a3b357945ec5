//! Rules that change between runs.

use crawler::{Exit, Rules};
use disk::{MemDisk, SharedDisk};
use sim::checks::{captures, complete};
use sim::{Before, Network, Setup, Sim, Site};
use simweb::{Plan, Truth, WebConfig};
use std::collections::BTreeSet;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Folding, Scope, ScopeRules, Url};

const START: Timestamp = Timestamp::from_ms(1_700_000_000_000);

struct Crawl {
    site: Site,
    disk: SharedDisk,
    network: Network,
    now: Timestamp,
}

impl Crawl {
    fn new() -> Self {
        let site = Site::new(WebConfig::small(4, 300).calm(), 1);
        let network = Network::new(site.web.clone(), 3);
        Self { site, disk: Arc::new(MemDisk::new()), network, now: START }
    }

    fn run(&mut self, change: impl Fn(&mut Setup)) -> Exit {
        self.run_to(u64::MAX, change).expect("it ends")
    }

    /// One that is killed when it has so many pages.
    fn run_to(&mut self, pages: u64, change: impl Fn(&mut Setup)) -> Option<Exit> {
        let mut setup = Setup::new(&self.site, Scope::Any, 7);
        change(&mut setup);
        let mut sim = Sim::open(&self.site, &setup, &self.disk, self.now + 1000).unwrap();
        self.network.begin(sim.now, Before::Calm);
        sim.run(&mut self.network, |sim| sim.pages() >= pages).unwrap();
        sim.crawler.check_invariants();
        self.now = sim.now;
        sim.exit
    }

    fn truth(&self, depth: Option<u32>) -> Truth {
        let seeds: Vec<String> = self.site.seeds.iter().map(ToString::to_string).collect();
        self.site.web.truth(&Plan { seeds: &seeds, scope: simweb::Scope::Any, depth })
    }

    fn assert_complete(&self, depth: Option<u32>) {
        let captures = captures(&self.disk).unwrap();
        let wrong = complete(&captures, &self.site.web, &self.truth(depth));
        assert!(wrong.is_empty(), "{} wrong: {:?}", wrong.len(), &wrong[..wrong.len().min(3)]);
    }
}

#[test]
fn a_deeper_crawl_goes_on_from_a_shallow_one() {
    let mut crawl = Crawl::new();
    assert_eq!(crawl.run(|setup| setup.crawl.depth = Some(1)), Exit::Done);
    crawl.assert_complete(Some(1));
    let shallow = crawl.network.log.contacts.len();
    assert_eq!(crawl.run(|setup| setup.crawl.depth = Some(2)), Exit::Done);
    crawl.assert_complete(Some(2));
    assert!(crawl.network.log.contacts.len() > shallow);
    assert_eq!(crawl.run(|setup| setup.crawl.depth = None), Exit::Done);
    crawl.assert_complete(None);
    let urls: Vec<&str> = crawl.network.log.contacts.iter().map(|contact| contact.url.as_str()).collect();
    let pages: Vec<&&str> = urls.iter().filter(|url| !url.ends_with("/robots.txt")).collect();
    assert_eq!(pages.len(), pages.iter().collect::<BTreeSet<_>>().len(), "nothing is fetched again");
}

#[test]
fn a_wider_scope_finds_what_was_out_of_it() {
    let mut crawl = Crawl::new();
    let host = crawl.site.seeds[0].host().to_owned();
    let seeds = crawl.site.seeds.clone();
    assert_eq!(
        crawl.run(|setup| {
            let mut rules = ScopeRules::new(Scope::Host);
            for seed in &seeds {
                rules.add_seed(seed);
            }
            setup.crawl.rules = Arc::new(Rules { scope: rules, folding: Folding::ALL, seed: 7 });
        }),
        Exit::Done
    );
    assert!(crawl.network.log.contacts.iter().all(|contact| contact.host == host));
    assert_eq!(crawl.run(|_| ()), Exit::Done);
    crawl.assert_complete(None);
}

#[test]
fn a_narrower_scope_forgets_what_waits() {
    let mut crawl = Crawl::new();
    assert_eq!(crawl.run(|setup| setup.crawl.limit = Some(20)), Exit::LimitReached);
    let before = crawl.network.log.contacts.len();
    let nothing = regex::Regex::new(".").unwrap();
    assert_eq!(
        crawl.run(|setup| {
            let rules = ScopeRules::new(Scope::Any).exclude(vec![nothing.clone()]);
            setup.crawl.rules = Arc::new(Rules { scope: rules, folding: Folding::ALL, seed: 7 });
        }),
        Exit::Done
    );
    assert_eq!(crawl.network.log.contacts.len(), before, "nothing that is out of scope is fetched");
    assert_eq!(crawl.run(|_| ()), Exit::Done);
    crawl.assert_complete(None);
}

/// robots.txt may have other rules for another name.
#[test]
fn what_was_read_under_another_name_is_asked_for_anew() {
    let mut crawl = Crawl::new();
    crawl.run(|setup| setup.crawl.limit = Some(40));
    let before = crawl.network.log.contacts.len();
    let renamed = |setup: &mut Setup| setup.crawl.agent = "greedybot".to_owned();
    assert_eq!(crawl.run_to(45, renamed), None);
    let killed = crawl.network.log.contacts.len();
    let limited = |setup: &mut Setup| {
        renamed(setup);
        setup.crawl.limit = Some(60);
    };
    assert_eq!(crawl.run(limited), Exit::LimitReached);
    assert_eq!(crawl.run(renamed), Exit::Done);
    let contacts = &crawl.network.log.contacts;
    let authority = |url: &str| Url::parse(url).unwrap().authority().to_owned();
    let (pages, robots): (Vec<_>, Vec<_>) =
        (before..contacts.len()).partition(|at| !contacts[*at].url.ends_with("/robots.txt"));
    let asked = |at: &usize| authority(&contacts[*at].url);
    for at in pages {
        let url = &contacts[at].url;
        assert!(robots.iter().any(|asked_at| *asked_at < at && asked(asked_at) == authority(url)), "{url}");
    }
    let since: Vec<String> = robots.iter().filter(|at| **at >= killed).map(asked).collect();
    let once: BTreeSet<&String> = since.iter().collect();
    assert_eq!(since.len(), once.len(), "{since:?}");
    let known: BTreeSet<String> = contacts[..before].iter().map(|contact| authority(&contact.url)).collect();
    assert!(once.iter().any(|asked| known.contains(*asked)), "of some nothing was asked before the kill");
}
