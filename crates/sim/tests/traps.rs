//! Traps delay and discard nothing: a calendar without end, and a maze that shows the same page under ever new URLs.

use crawler::Exit;
use disk::CrashMode;
use sim::checks::captures;
use sim::{Life, Loss, Network, Setup, Site, Trial, Until};
use simweb::{HostMix, LinkList, Sizes, Web, WebConfig};
use std::collections::BTreeMap;
use weburl::{Scope, Url};

fn site(seed: u64) -> Site {
    let config = WebConfig {
        domains: 4,
        addresses: 12,
        links: 8,
        sizes: Sizes { median: 2_000, mean: 3_000 },
        hosts: HostMix { calendars: 400, mazes: 400, ..HostMix::default() },
        ..WebConfig::small(seed, 240).calm()
    };
    Site::new(config, 1)
}

/// Ordinary pages of the web.
fn pages(web: &Web) -> u64 {
    web.hosts().map(|host| web.pages_of(host)).sum()
}

fn trial(site: &Site, seed: u64) -> Trial<'_> {
    let mut setup = Setup::new(site, Scope::Any, seed);
    setup.crawl.sitemaps = false;
    setup.crawl.limit = Some(pages(&site.web) * 3);
    Trial::new(site, setup, Network::new(site.web.clone(), seed), seed)
}

/// Whatever is fetched is counted once with its pattern, wherever the crawl dies; every link to a trap is known; and the judges
/// find nothing.
fn check(trial: &Trial<'_>, site: &Site) {
    let mut wrong = trial.judge();
    let web = site.web.as_ref();
    let states = trial.last().states().unwrap();
    let mut fetches: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut links = LinkList::default();
    for capture in captures(&trial.disk()).unwrap() {
        let url = Url::parse(&capture.url).unwrap();
        if url.path() == "/robots.txt" {
            continue;
        }
        let pattern = trial.last().crawler.look_up(&url).unwrap().expect("its shard is known").pattern;
        *fetches.entry((url.host().to_owned(), pattern.form.clone())).or_default() += 1;
        web.list_links(url.as_str(), &mut links);
        let lost = |link: &&str| trial.key(link).is_none_or(|key| !states.contains_key(&key));
        wrong.extend(links.iter().filter(lost).map(|link| format!("{link} is forgotten")));
    }
    for capture in captures(&trial.disk()).unwrap() {
        let url = Url::parse(&capture.url).unwrap();
        if url.path() == "/robots.txt" {
            continue;
        }
        let pattern = trial.last().crawler.look_up(&url).unwrap().unwrap().pattern;
        let captured = fetches[&(url.host().to_owned(), pattern.form.clone())];
        if pattern.fetches != captured {
            wrong.push(format!("{url:?}: {captured} captures of {pattern:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} violations, first: {:#?}", wrong.len(), &wrong[..wrong.len().min(4)]);
}

#[test]
fn what_patterns_give_is_known_again_after_any_crash() {
    for seed in 1..=4 {
        let site = site(seed);
        let mut trial = trial(&site, seed);
        let mut exit = None;
        for life in 0..2 * seed {
            let loss = if life % 2 == 0 { Loss::Kill } else { Loss::Power(CrashMode::LoseUnsynced) };
            let until = Until::Ms(15_000 + 7_300 * life);
            exit = exit.or_else(|| trial.live(&Life { until, loss, downtime_ms: 50 }));
        }
        assert_eq!(exit.unwrap_or_else(|| trial.finish()), Exit::LimitReached);
        check(&trial, &site);
    }
}
