//! Operators who speak to a crawl while it runs, dies, rests and is started again.

use crawler::Exit;
use sim::checks::obeyed;
use sim::{Life, Network, Operator, Setup, Site, Trial};
use simweb::{Sizes, WebConfig};
use stdx::Rng;
use weburl::Scope;

/// Deaths, and then an operator who takes everything back.
const DEATHS: u32 = 6;

fn site(seed: u64) -> Site {
    let config = WebConfig { sizes: Sizes { median: 2_000, mean: 3_000 }, ..WebConfig::small(seed, 150) };
    Site::new(config.without_traps(), 2)
}

/// What was said, and what the servers saw of it.
#[track_caller]
fn check(seed: u64) -> usize {
    let site = site(seed);
    let setup = Setup::new(&site, Scope::Any, seed);
    let network = Network::new(site.web.clone(), seed);
    let mut trial = Trial::new(&site, setup, network, seed).spoken_to(Operator::new(seed));
    let mut rng = Rng::new(seed);
    while trial.deaths < DEATHS {
        let life = Life::random(&mut rng, 40_000, 900, 5_000);
        if trial.live(&life).is_some() {
            break;
        }
        trial.order(&Life::random(&mut rng, 40_000, 400, 100));
    }
    trial.finish();
    // What was left aside is found again from the archive when the crawl is started anew.
    assert_eq!(trial.finish(), Exit::Done, "seed {seed}");
    let operator = trial.operator().expect("somebody spoke");
    assert_eq!(operator.forgotten, [], "seed {seed}");
    let said = &operator.said;
    assert_eq!(obeyed(said, &trial.network.log), Vec::<String>::new(), "seed {seed}");
    let done = said.iter().filter(|said| said.acknowledged.is_some()).count();
    assert_eq!(trial.judge_done(), Vec::<String>::new(), "seed {seed}");
    done
}

#[test]
fn a_crawl_does_what_it_is_told_and_loses_nothing_by_it() {
    let done: usize = (1..=20).map(check).sum();
    assert!(done > 200, "{done} commands were acknowledged");
}
