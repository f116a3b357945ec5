//! Who judges the judges: each is shown to catch what it is there for, in a log or an archive that was tampered with, and to
//! find nothing in one that was not. This is the list of mutations: of what servers saw ([`contacts`]), of what the crawl holds
//! ([`holdings`]), of what an operator said ([`obedience`]).

mod contacts;
mod holdings;
mod obedience;

use crawler::Exit;
use disk::CrashMode;
use sim::{Life, Loss, Network, ServerLog, Setup, Site, Trial, Until};
use simweb::{Sizes, WebConfig};
use weburl::Scope;

const SEED: u64 = 5;

pub(crate) fn site() -> Site {
    let config = WebConfig { sizes: Sizes { median: 2_000, mean: 3_000 }, ..WebConfig::small(SEED, 150) };
    Site::new(config.without_traps(), 2)
}

/// A crawl that died once and is done.
pub(crate) fn crawled(site: &Site) -> Trial<'_> {
    let setup = Setup::new(site, Scope::Any, SEED);
    let mut trial = Trial::new(site, setup, Network::new(site.web.clone(), SEED), SEED);
    let loss = Loss::Power(CrashMode::LoseUnsynced);
    assert_eq!(trial.live(&Life { until: Until::Ms(15_000), loss, downtime_ms: 20 }), None);
    assert_eq!(trial.finish(), Exit::Done);
    assert_eq!(trial.judge_done(), Vec::<String>::new(), "nothing is wrong before it is tampered with");
    trial
}

/// Tampers with the servers' log and asks a judge of it.
#[track_caller]
pub(crate) fn check_log(
    tamper: impl Fn(&mut ServerLog, &Site),
    judge: impl Fn(&ServerLog, &Site) -> Vec<String>,
) {
    let site = site();
    let mut log = crawled(&site).network.log.clone();
    assert_eq!(judge(&log, &site), Vec::<String>::new());
    tamper(&mut log, &site);
    assert!(!judge(&log, &site).is_empty(), "the judge sees nothing wrong");
}
