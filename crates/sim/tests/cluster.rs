//! Crawls of several nodes: shards and server clocks are spread over them, messages come late, twice, out of order or not at
//! all, nodes die at any moment and are started again. The judges judge what all of them did together.
//!
//! `DRUMLIN_NIGHTLY=1` runs the long form.

use control::Command;
use crawler::Exit;
use sim::{Cluster, Mortality, Setup, Site, Weather};
use simweb::{HostMix, LeafMix, Sizes, WebConfig};
use weburl::Scope;

#[expect(clippy::disallowed_methods, reason = "the nightly run is asked for by the environment")]
fn nightly() -> bool {
    std::env::var("DRUMLIN_NIGHTLY").is_ok()
}

fn small(seed: u64, pages: u64) -> WebConfig {
    let sizes = Sizes { median: 2_000, mean: 3_000 };
    WebConfig { domains: 12, sizes, ..WebConfig::small(seed, pages) }.without_traps()
}

fn cluster(site: &Site, count: u16, weather: Weather, seed: u64) -> Cluster<'_> {
    Cluster::new(site, &Setup::new(site, Scope::Any, seed), count, weather, seed)
}

/// To the end, by as many starts of all nodes as it takes those that waited for others in vain.
#[track_caller]
fn done(cluster: &mut Cluster<'_>) {
    let ends: Vec<Exit> = (0..5).map(|_| cluster.finish()).take_while(|exit| *exit != Exit::Done).collect();
    assert!(ends.len() < 5, "{ends:?}");
    let wrong = cluster.judge_done();
    assert!(wrong.is_empty(), "{} violations, first: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

#[test]
fn several_nodes_crawl_what_one_would() {
    for (seed, count) in [(1, 2), (2, 3), (3, 7)] {
        let site = Site::new(small(seed, 200), 4);
        let mut cluster = cluster(&site, count, Weather::CALM, seed);
        done(&mut cluster);
        let busy = cluster.sims().filter(|sim| sim.snapshot().pages > 0).count();
        assert!(busy > 1, "{busy} of {count} nodes did something");
    }
}

#[test]
fn a_node_that_has_no_other_is_a_crawl() {
    let site = Site::new(small(4, 100), 2);
    let mut cluster = cluster(&site, 1, Weather::CALM, 4);
    done(&mut cluster);
    assert_eq!(cluster.wire.sent, 0);
}

#[test]
fn whatever_the_wire_does_nothing_is_lost_and_nobody_hurried() {
    for seed in 10..14 {
        let site = Site::new(WebConfig { addresses: 3, ..small(seed, 150) }, 4);
        done(&mut cluster(&site, 3, Weather::WILD, seed));
    }
}

#[test]
fn robots_that_redirect_to_hosts_of_other_nodes_are_followed() {
    for seed in 20..23 {
        let hosts = HostMix { robots: 1000, closed: 500, broken: 150, dead_names: 150, ..HostMix::wild() };
        let site = Site::new(WebConfig { hosts, ..small(seed, 120) }.without_traps(), 3);
        done(&mut cluster(&site, 4, Weather::WILD, seed));
    }
}

#[test]
fn redirects_to_shards_of_other_nodes_are_discoveries_there() {
    let leaves = LeafMix { redirects: 1000, ..LeafMix::default() };
    let site = Site::new(WebConfig { leaves, ..small(24, 120) }, 2);
    done(&mut cluster(&site, 3, Weather::WILD, 24));
}

/// A crawl of three nodes that die so often.
fn check_deaths(seed: u64, deaths: u32) {
    let site = Site::new(WebConfig { addresses: 4, ..small(seed, 150) }, 4);
    let mortality = Mortality { deaths, ms: 60_000, calls: 500, downtime_ms: 60_000 };
    done(&mut cluster(&site, 3, Weather::WILD, seed).dying(mortality));
}

#[test]
fn nodes_that_die_at_random() {
    let (seeds, deaths) = if nightly() { (60, 30) } else { (4, 10) };
    for seed in 30..30 + seeds {
        check_deaths(seed, deaths);
    }
}

/// 72: a journal that could not be listed was taken for an empty one. 73: what robots.txt forbids was taken for something to fetch, by the judge. 74: a node
/// that was started anew when the others were leaving had something to say again, and left with them.
#[test]
fn deaths_that_once_did_harm() {
    for seed in [72, 73, 74] {
        check_deaths(seed, 30);
    }
}

/// The others find more for the missing node than they hold in memory, come to rest, wait for it in vain and exit; when all are
/// started again, the journals give it all.
#[test]
fn a_node_that_is_missing_for_long_finds_everything_that_was_found_for_it() {
    for (seed, missing) in [(61, 0), (62, 1)] {
        let site = Site::new(small(seed, 500), 4);
        let mut cluster = cluster(&site, 2, Weather::WILD, seed).without(missing, 20_000_000);
        done(&mut cluster);
        assert!(cluster.journal_reads > 0, "memory held everything");
    }
}

#[test]
fn under_a_depth_limit_the_shortest_path_counts_whoever_finds_it() {
    for (seed, depth) in [(41, 2), (42, 3)] {
        let site = Site::new(small(seed, 200), 1);
        let mut setup = Setup::new(&site, Scope::Any, seed);
        setup.crawl.depth = Some(depth);
        setup.crawl.sitemaps = false;
        let mortality = Mortality { deaths: 6, ms: 30_000, calls: 400, downtime_ms: 5_000 };
        done(&mut Cluster::new(&site, &setup, 3, Weather::WILD, seed).dying(mortality));
    }
}

#[test]
fn nodes_do_what_their_operators_say() {
    for seed in [11, 12] {
        let site = Site::new(small(seed, 200), 3);
        let mut cluster = cluster(&site, 3, Weather::WILD, seed).spoken_to(seed, 300_000);
        done(&mut cluster);
        let obeyed = cluster.said().filter(|said| said.acknowledged.is_some());
        let pauses = obeyed.filter(|said| said.command == Command::Pause).count();
        assert!(pauses > 3, "{pauses}");
    }
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let site = Site::new(small(51, 120), 3);
    let run = |seed| {
        let mortality = Mortality { deaths: 4, ms: 20_000, calls: 400, downtime_ms: 5_000 };
        let mut cluster = cluster(&site, 3, Weather::WILD, seed).dying(mortality);
        cluster.finish();
        cluster.trace
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
