//! Crawls that look back on others, ask servers only whether their pages have changed, die, and are started again.

use crawler::Exit;
use disk::SharedDisk;
use sim::{Life, Network, Operator, Setup, Site, Trial};
use simweb::{Sizes, WebConfig};
use stdx::Rng;
use weburl::Scope;

const DEATHS: u32 = 6;

fn site(seed: u64) -> Site {
    let config = WebConfig { sizes: Sizes { median: 2_000, mean: 3_000 }, ..WebConfig::small(seed, 150) };
    Site::new(config.without_traps(), 2)
}

fn trial(site: &Site, seed: u64) -> Trial<'_> {
    let setup = Setup::new(site, Scope::Any, seed);
    Trial::new(site, setup, Network::new(site.web.clone(), seed), seed)
}

/// Crawls the site once more, over some deaths: where the crawl is in the end, and how many pages had not changed, as the servers said.
#[track_caller]
fn again(site: &Site, seed: u64, earlier: &SharedDisk) -> (SharedDisk, usize) {
    let mut trial = trial(site, seed).looking_back(earlier);
    let mut rng = Rng::new(seed);
    while trial.deaths < DEATHS && trial.live(&Life::random(&mut rng, 40_000, 900, 5_000)).is_none() {}
    trial.finish();
    assert_eq!(trial.finish(), Exit::Done, "seed {seed}");
    assert_eq!(trial.judge_done(), Vec::<String>::new(), "seed {seed}");
    let log = &trial.network.log;
    (trial.disk(), log.contacts.iter().filter(|contact| contact.status == Some(304)).count())
}

/// The third crawl is told of pages that the second was told of, and finds them in the first.
#[track_caller]
fn check(seed: u64) -> (usize, usize) {
    let site = site(seed);
    let mut first = trial(&site, seed);
    assert_eq!(first.finish(), Exit::Done, "seed {seed}");
    assert_eq!(first.judge_done(), Vec::<String>::new(), "seed {seed}");
    let (second, unchanged) = again(&site, seed + 1_000, &first.disk());
    let (_, still_unchanged) = again(&site, seed + 2_000, &second);
    (unchanged, still_unchanged)
}

#[test]
fn what_has_not_changed_is_as_good_as_new() {
    for seed in 1..=8 {
        let (unchanged, still_unchanged) = check(seed);
        assert!(
            unchanged > 20 && still_unchanged > 20,
            "seed {seed}: {unchanged} and {still_unchanged} pages"
        );
    }
}

/// What is taken down and purged in a crawl is gone, also what it only refers to; what the earlier crawl has is not asked for it.
#[test]
fn a_purge_leaves_the_earlier_crawl_alone() {
    let (mut done, mut died) = (0, 0);
    for seed in 1..=8 {
        let site = site(seed);
        let mut first = trial(&site, seed);
        assert_eq!(first.finish(), Exit::Done, "seed {seed}");
        let mut second = trial(&site, !seed).spoken_to(Operator::new(seed)).looking_back(&first.disk());
        let mut rng = Rng::new(seed);
        for _ in 0..DEATHS {
            second.live(&Life::random(&mut rng, 40_000, 900, 5_000));
            let purge = second.purge(&Life::random(&mut rng, 40_000, 1_200, 5_000));
            assert_eq!(purge.wrong, Vec::<String>::new(), "seed {seed}");
            died += usize::from(!purge.done);
            done += usize::from(purge.done && purge.takedowns.withheld().next().is_some());
        }
        second.finish();
        assert_eq!(second.finish(), Exit::Done, "seed {seed}");
        assert_eq!(first.judge_done(), Vec::<String>::new(), "seed {seed}");
    }
    assert!(done > 3 && died > 10, "{done} purges were done, {died} died");
}
