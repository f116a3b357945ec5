//! The promises that a crawl makes besides surviving: its limits are exact, it waits where it was told to, it stops and
//! goes on cleanly, follows redirects by the rules, and wastes no time.

use crawler::{Event, Exit, Storage};
use sim::checks::captures;
use sim::{Contact, Life, Loss, Network, Purpose, Setup, Site, Trial, Until};
use simweb::{HostMix, LeafMix, Sizes, WebConfig, What};
use std::collections::BTreeMap;
use stdx::{Rng, Timestamp};
use weburl::{Scope, Url};

fn small(seed: u64, pages: u64) -> WebConfig {
    WebConfig { sizes: Sizes { median: 2_000, mean: 3_000 }, ..WebConfig::small(seed, pages) }.without_traps()
}

/// The same web on the ports that URLs don't name, where `http` and `https` are one identity.
fn standard_ports(config: WebConfig) -> WebConfig {
    WebConfig { http_port: 80, https_port: 443, ..config }
}

fn trial(site: &Site, seed: u64) -> Trial<'_> {
    Trial::new(site, Setup::new(site, Scope::Any, seed), Network::new(site.web.clone(), seed), seed)
}

#[track_caller]
fn nothing_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} violations, first: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

/// Crawls a web to its end, and judges.
#[track_caller]
fn check_crawl(config: WebConfig, seeds: u32) {
    let site = Site::new(config, seeds);
    let mut trial = trial(&site, config.seed);
    assert_eq!(trial.finish(), Exit::Done);
    nothing_wrong(&trial.judge_done());
}

/// Pages in the archive that a limit counts: final, no redirect, no robots.txt, no sitemap.
fn counted(trial: &Trial<'_>, site: &Site) -> u64 {
    let aside = |what| matches!(what, What::Robots | What::Policy | What::Sitemap | What::SitemapPart(_));
    let captures = captures(&trial.disk()).unwrap();
    let pages = captures.iter().filter(|c| site.web.place(&c.url).is_none_or(|place| !aside(place.what)));
    pages.filter(|capture| matches!(capture.status, 200..=299 | 400..=499)).count() as u64
}

fn random_deaths(trial: &mut Trial<'_>, deaths: u32) -> Option<Exit> {
    while trial.deaths < deaths {
        let life = trial.random_life(10_000, 300);
        if let Some(exit) = trial.live(&life) {
            return Some(exit);
        }
    }
    None
}

#[test]
fn a_limit_is_exact_at_any_concurrency() {
    let site = Site::new(small(11, 200), 3);
    for (concurrency, limit) in [(1, 5), (3, 30), (64, 1), (64, 17), (64, 100)] {
        let mut trial = trial(&site, limit);
        trial.set_up(|setup| {
            setup.crawl.limit = Some(limit);
            setup.crawl.concurrency = concurrency;
        });
        assert_eq!(trial.finish(), Exit::LimitReached);
        assert_eq!(counted(&trial, &site), limit, "at {concurrency}");
        nothing_wrong(&trial.judge());
    }
}

#[test]
fn a_limit_is_exact_across_crashes_and_can_be_raised() {
    let site = Site::new(small(12, 200), 3);
    for seed in 0..4 {
        let mut trial = trial(&site, seed);
        let limit = 40 + seed;
        trial.set_up(|setup| setup.crawl.limit = Some(limit));
        let exit = random_deaths(&mut trial, 6).unwrap_or_else(|| trial.finish());
        assert_eq!(exit, Exit::LimitReached);
        assert_eq!(counted(&trial, &site), limit);
        trial.set_up(|setup| setup.crawl.limit = None);
        assert_eq!(trial.finish(), Exit::Done);
        nothing_wrong(&trial.judge_done());
    }
}

#[test]
fn a_depth_is_the_shortest_distance() {
    for (seed, depth) in [(21, 1), (22, 2), (23, 3), (24, 4)] {
        let site = Site::new(small(seed, 250), 1);
        for deaths in [0, 5] {
            let mut trial = trial(&site, seed);
            trial.set_up(|setup| {
                setup.crawl.depth = Some(depth);
                setup.crawl.sitemaps = false;
            });
            let exit = random_deaths(&mut trial, deaths).unwrap_or_else(|| trial.finish());
            assert_eq!(exit, Exit::Done);
            nothing_wrong(&trial.judge_done());
        }
    }
}

#[test]
fn a_size_limit_ends_with_what_was_in_flight() {
    let site = Site::new(small(31, 200).calm(), 3);
    let mut trial = trial(&site, 1);
    trial.set_up(|setup| setup.crawl.size_limit = Some(100_000));
    assert_eq!(trial.finish(), Exit::LimitReached);
    let bytes = trial.last().snapshot().bytes;
    assert!((100_000..200_000).contains(&bytes), "{bytes} bytes");
    nothing_wrong(&trial.judge());
}

#[test]
fn a_time_limit_begins_nothing_later() {
    let site = Site::new(small(32, 200), 3);
    let mut trial = trial(&site, 1);
    trial.set_up(|setup| setup.crawl.time_limit_ms = Some(20_000));
    for _ in 0..3 {
        let begun = trial.now();
        assert_eq!(trial.finish(), Exit::LimitReached);
        let last = trial.network.log.contacts.iter().map(|contact| contact.started).max().unwrap();
        assert!(last < begun + 20_000, "a contact after the limit");
    }
    trial.set_up(|setup| setup.crawl.time_limit_ms = None);
    assert_eq!(trial.finish(), Exit::Done);
    nothing_wrong(&trial.judge_done());
}

/// Windows in which what flaps is bad, far longer than anybody's patience.
const LONG_WINDOW_MS: u64 = 4 * 3_600_000;

#[test]
fn a_long_retry_after_does_not_hold_the_crawl_open() {
    let leaves = LeafMix { errors: 1000, ..LeafMix::default() };
    let config = WebConfig { leaves, flap_ms: LONG_WINDOW_MS, ..small(41, 100).calm() };
    let site = Site::new(config, 2);
    let mut trial = trial(&site, 1);
    assert_eq!(trial.finish(), Exit::Waiting);
    let log = &trial.network.log;
    let busy = log.contacts.iter().rfind(|contact| contact.retry_after_ms.is_some()).expect("a busy server");
    let last = log.contacts.iter().map(|contact| contact.ended).max().unwrap();
    assert!(trial.now() < last + 1_000, "it stays {} ms", trial.now().since_ms(last));
    let until = busy.ended + busy.retry_after_ms.unwrap();
    let waiting = trial.last().crawler.waiting(100, trial.now());
    let listed = waiting.iter().find(|host| host.host == busy.host).expect("the host is listed");
    assert_eq!((listed.until_ms, listed.reason.as_str()), (until.as_ms(), "overload"));
    nothing_wrong(&trial.judge());
}

#[test]
fn what_waits_is_fetched_when_its_time_has_come() {
    let leaves = LeafMix { errors: 1000, ..LeafMix::default() };
    let config = WebConfig { leaves, flap_ms: 1_000_000, ..small(42, 40).calm() };
    let site = Site::new(config, 1);
    let mut trial = trial(&site, 1);
    trial.set_up(|setup| setup.crawl.frontier.retry.max_ms = 300_000);
    let (mut waits, mut moments) = (0, Rng::new(1));
    while trial.finish() == Exit::Waiting {
        waits += 1;
        assert!(waits < 50, "it comes to no end");
        // At odd moments, or pages that are bad in turns would be met in the same order for ever.
        trial.rest(500_000 + moments.below(2_000_000));
    }
    assert!(waits > 0, "nothing was waited for");
    nothing_wrong(&trial.judge_done());
}

#[test]
fn retry_after_and_crawl_delay_are_obeyed() {
    let leaves = LeafMix { errors: 1000, ..LeafMix::wild() };
    let hosts = HostMix { robots: 1000, closed: 0, ..HostMix::default() };
    let config = WebConfig { leaves, hosts, crawl_delay_s: 7, flap_ms: 20_000, ..small(43, 250) };
    let site = Site::new(config, 4);
    let mut trial = trial(&site, 1);
    trial.set_up(|setup| setup.crawl.frontier.retry.max_ms = 10_000);
    assert_eq!(trial.finish(), Exit::Done);
    nothing_wrong(&trial.judge_done());
    let log = &trial.network.log.contacts;
    let asks =
        |contact: &Contact| site.web.host(&contact.host).is_some_and(|h| site.web.crawl_delay_ms(h) > 0);
    assert!(log.iter().any(asks), "no host with a crawl-delay");
    assert!(log.iter().any(|contact| contact.retry_after_ms.is_some()), "no Retry-After");
}

#[test]
fn robots_that_fail_forbid_and_those_elsewhere_are_followed() {
    for seed in 51..55 {
        let hosts = HostMix { robots: 1000, closed: 500, broken: 150, dead_names: 150, ..HostMix::wild() };
        check_crawl(WebConfig { hosts, ..small(seed, 150) }.without_traps(), 2);
    }
}

#[test]
fn redirects_go_on_or_are_discoveries() {
    let leaves = LeafMix { redirects: 1000, ..LeafMix::default() };
    let hosts = HostMix { https: 500, robots: 1000, closed: 300, ..HostMix::default() };
    for seed in 61..64 {
        let config = WebConfig { leaves, hosts, ..small(seed, 120) };
        check_crawl(config, 2);
        check_crawl(standard_ports(config), 2);
    }
}

#[test]
fn session_identifiers_are_one_url() {
    for seed in 71..75 {
        let hosts = HostMix { sessions: 1000, https: 500, ..HostMix::default() };
        let config = WebConfig { hosts, ..small(seed, 120) };
        check_crawl(config, 2);
        check_crawl(standard_ports(config), 2);
    }
}

#[test]
fn a_drained_crawl_goes_on_exactly_where_it_stopped() {
    let site = Site::new(small(81, 150), 2);
    let mut trial = trial(&site, 1);
    for stop_ms in [300, 4_321, 20_000] {
        let stop_at = trial.now() + stop_ms;
        let exit = trial.finish_with(|sim| {
            if sim.now >= stop_at {
                sim.drain();
            }
        });
        assert_eq!(exit, Exit::Interrupted);
    }
    assert_eq!(trial.finish(), Exit::Done);
    nothing_wrong(&trial.judge_done());
}

/// A clean stop costs the host its delay and not a millisecond more than a look-up.
#[test]
fn a_clean_stop_costs_no_extra_delay() {
    const LOOKUP_MS: u64 = 8;
    let site = Site::new(WebConfig { domains: 1, skew: 0.0, ..small(82, 10).calm() }, 1);
    let mut trial =
        Trial::new(&site, Setup::new(&site, Scope::Host, 1), Network::steady(site.web.clone(), 50), 1);
    let stop_at = trial.now() + 3_300;
    trial.finish_with(|sim| {
        if sim.now >= stop_at {
            sim.drain();
        }
    });
    trial.finish();
    let log = &trial.network.log.contacts;
    let first = log.iter().position(|contact| contact.run == 1).expect("it went on");
    let due = (log[first - 1].ended + 1_000).max(trial.network.log.runs[1].started);
    assert!(log[first].started >= due);
    assert!(log[first].started <= due + LOOKUP_MS, "{} ms late", log[first].started.since_ms(due));
}

#[test]
fn little_space_pauses_cleanly() {
    let site = Site::new(small(83, 150), 2);
    let mut trial = trial(&site, 1);
    let low_at = trial.now() + 10_000;
    let exit = trial.finish_with(|sim| {
        if sim.now >= low_at {
            sim.crawler.handle(sim.now, Event::Storage(Storage::Low));
        }
    });
    assert_eq!(exit, Exit::DiskFull);
    assert!(!trial.last().gave_up);
    assert_eq!(trial.finish(), Exit::Done);
    nothing_wrong(&trial.judge_done());
}

#[test]
fn a_full_disk_loses_nothing() {
    let site = Site::new(small(84, 150), 2);
    for capacity in [40_000, 150_000, 400_000] {
        let mut trial = trial(&site, capacity);
        trial.set_capacity(capacity);
        assert_eq!(trial.finish(), Exit::DiskFull, "{capacity} bytes are enough");
        trial.set_capacity(u64::MAX);
        assert_eq!(trial.finish(), Exit::Done);
        nothing_wrong(&trial.judge_done());
    }
}

/// All URLs known at the start, so that nothing but politeness takes time. Where one clock rules, the crawl takes as long as
/// that asks for; where a host has to fit its turns into those of a busy domain or server, up to one of them is lost a turn.
fn check_time(config: WebConfig, domain_ms: u64, most_percent: u64) {
    const LATENCY_MS: u64 = 50;
    const SERVER_MS: u64 = 250;
    let web = Site::new(config, config.domains);
    let roots: Vec<String> = web.seeds.iter().map(ToString::to_string).collect();
    let truth = web.web.truth(&simweb::Plan { seeds: &roots, scope: simweb::Scope::Any, depth: None });
    let seeds: Vec<Url> = truth.pages().map(|url| Url::parse(url).unwrap()).collect();
    let site = Site { web: web.web.clone(), seeds };
    let mut setup = Setup::new(&site, Scope::Any, 5);
    setup.crawl.frontier.delay.group_ms = domain_ms;
    let mut trial = Trial::new(&site, setup, Network::steady(site.web.clone(), LATENCY_MS), 5);
    assert_eq!(trial.finish(), Exit::Done);
    let log = &trial.network.log.contacts;
    let bound = [
        longest(log, 1_000 + LATENCY_MS, |contact| contact.host.clone()),
        longest(log, SERVER_MS + LATENCY_MS, |contact| contact.address.to_string()),
        longest(log, domain_ms, |contact| contact.host.rsplitn(3, '.').take(2).collect::<Vec<_>>().join(".")),
    ];
    let optimum = *bound.iter().max().unwrap();
    let (first, last) = (log[0].started, log.iter().map(|contact| contact.started).max().unwrap());
    let took = last.since_ms(first);
    println!("{} contacts in {took} ms; hosts, servers, domains need {bound:?} ms", log.len());
    assert!(took * 100 <= optimum * most_percent, "{took} ms where {optimum} ms are enough: {bound:?}");
}

/// The time that the busiest of them needs: n − 1 distances between n starts.
fn longest(log: &[Contact], distance_ms: u64, key: impl Fn(&Contact) -> String) -> u64 {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for contact in log {
        *counts.entry(key(contact)).or_default() += 1;
    }
    counts.values().map(|count| (count - 1) * distance_ms).max().unwrap_or(0)
}

#[test]
fn a_crawl_takes_as_long_as_its_busiest_host() {
    check_time(WebConfig { addresses: 1000, domains: 30, skew: 0.3, ..small(91, 600).calm() }, 250, 102);
}

#[test]
fn a_crawl_takes_as_long_as_its_busiest_server() {
    check_time(WebConfig { addresses: 2, domains: 40, skew: 0.1, ..small(92, 600).calm() }, 250, 102);
}

#[test]
fn a_crawl_takes_as_long_as_its_busiest_domain() {
    check_time(WebConfig { addresses: 1000, domains: 2, skew: 0.0, ..small(93, 600).calm() }, 1_000, 102);
}

/// Half of all pages on one host among many of its domain, all on one server: the crowd waits for it.
#[test]
fn a_crowd_of_small_hosts_does_not_hold_up_a_large_one() {
    check_time(WebConfig { addresses: 1, domains: 1, skew: 0.0, ..small(93, 500).calm() }, 250, 102);
}

/// The same on a server with many domains, and in a domain with many servers.
#[test]
fn a_crowded_server_or_domain_waits_for_its_longest_chain() {
    check_time(WebConfig { addresses: 1, domains: 4, skew: 4.0, ..small(94, 500).calm() }, 250, 102);
    check_time(WebConfig { addresses: 1000, domains: 1, skew: 0.0, ..small(95, 500).calm() }, 250, 102);
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let site = Site::new(small(94, 150), 2);
    let run = |seed: u64| {
        let mut trial = trial(&site, seed);
        let life = Life { until: Until::Ms(9_999), loss: Loss::Kill, downtime_ms: 77 };
        assert_eq!(trial.live(&life), None);
        trial.finish();
        trial.last().trace
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

/// robots.txt is asked for again when it is a day old, however long the crawl lasts.
#[test]
fn rules_do_not_outlive_a_day() {
    const DAY_MS: u64 = 24 * 3_600_000;
    let site = Site::new(small(95, 60), 1);
    let mut trial = trial(&site, 1);
    trial.set_up(|setup| setup.crawl.limit = Some(20));
    assert_eq!(trial.finish(), Exit::LimitReached);
    trial.rest(DAY_MS);
    trial.set_up(|setup| setup.crawl.limit = None);
    assert_eq!(trial.finish(), Exit::Done);
    nothing_wrong(&trial.judge_done());
    let began: Timestamp = trial.network.log.runs[1].started;
    let contacts = trial.network.log.contacts.iter().filter(|contact| contact.started >= began);
    assert!(contacts.clone().any(|contact| contact.purpose == Purpose::Robots));
}
