//! Crawls whose frontier has room for next to nothing: hosts leave memory as soon as they came, their URLs lie in sections
//! and queues, and hardly a page goes by without a merge. They die at any of their calls to the disk, and are judged.
//!
//! `DRUMLIN_NIGHTLY=1` dies at every call.

use crawler::{BudgetFunction, Exit, FrontierMemory, SeedBudgets, Star};
use disk::{CrashMode, Fault};
use sim::{Life, Loss, Network, Setup, Site, Trial, Until};
use simweb::{Sizes, WebConfig};
use std::collections::BTreeSet;
use std::path::Path;
use weburl::Scope;

/// A few hosts, and the smallest buffers there are.
const TIGHT: FrontierMemory =
    FrontierMemory { resident_bytes: 100, buffer_bytes: 256, bucket_bytes: 2 << 10, recent_keys: 8 };

#[expect(clippy::disallowed_methods, reason = "the nightly run is asked for by the environment")]
fn nightly() -> bool {
    std::env::var("DRUMLIN_NIGHTLY").is_ok()
}

/// Many hosts in few domains: each domain has more than its budget.
fn site() -> Site {
    let config = WebConfig {
        domains: 2,
        addresses: 6,
        sizes: Sizes { median: 1_000, mean: 1_500 },
        ..WebConfig::small(99, 220)
    };
    Site::new(config.without_traps(), 1)
}

fn trial(site: &Site, seed: u64) -> Trial<'_> {
    let mut setup = Setup::new(site, Scope::Any, seed);
    setup.crawl.frontier.memory = TIGHT;
    setup.crawl.frontier.star = Star { function: BudgetFunction::Flat(90), seeds: SeedBudgets::Earned };
    setup.crawl.checkpoint_bytes = 8 << 10;
    Trial::new(site, setup, Network::new(site.web.clone(), seed), seed)
}

#[track_caller]
fn nothing_wrong(what: &str, wrong: &[String]) {
    let first = &wrong[..wrong.len().min(8)];
    assert!(wrong.is_empty(), "{what}: {} violations, first: {first:#?}", wrong.len());
}

#[test]
fn everything_that_has_no_room_in_memory_is_found_again() {
    let site = site();
    // With this seed no file waits in memory until it is to be durable.
    let mut trial = trial(&site, 3);
    let disk = trial.disk();
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    let exit = trial.finish_with(|_| {
        for shard in disk.list(Path::new("state/frontier")).unwrap_or_default() {
            let dir = Path::new("state/frontier").join(shard).join("hosts");
            let names = disk.list(&dir).unwrap_or_default();
            kinds.extend(names.iter().filter_map(|name| Some(name.split_once('-')?.0.to_owned())));
        }
    });
    assert_eq!(exit, Exit::Done);
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), ["directory", "queue", "run"]);
    nothing_wrong("without a fault", &trial.judge_done());
}

/// Calls to the disk of a crawl without a fault.
fn calls(site: &Site) -> u64 {
    let mut trial = trial(site, 0);
    let life = Life { until: Until::Call(u64::MAX, Fault::Io), loss: Loss::Kill, downtime_ms: 0 };
    assert_eq!(trial.live(&life), Some(Exit::Done));
    trial.calls
}

#[test]
fn a_crawl_without_room_is_killed_at_its_every_nth_call() {
    dies_at_its_every_nth_call(0, Loss::Kill);
}

#[test]
fn a_crawl_without_room_loses_power_and_what_is_not_synced_at_its_every_nth_call() {
    dies_at_its_every_nth_call(1, Loss::Power(CrashMode::LoseUnsynced));
}

#[test]
fn a_crawl_without_room_loses_power_and_a_part_of_that_at_its_every_nth_call() {
    dies_at_its_every_nth_call(2, Loss::Power(CrashMode::KeepSome));
}

/// At those of the calls whose turn it is: three for each loss, by each of the faults.
fn dies_at_its_every_nth_call(turn: u64, loss: Loss) {
    const FAULTS: [Fault; 3] = [Fault::Io, Fault::TornWrite, Fault::Full];
    let site = site();
    let calls = calls(&site);
    let points = if nightly() { calls } else { 60 };
    for point in (0..points).filter(|point| point / 3 % 3 == turn) {
        let fault = FAULTS[point as usize % 3];
        let call = point * calls / points;
        let mut trial = trial(&site, point);
        let exit = trial.live(&Life { until: Until::Call(call, fault), loss, downtime_ms: 10 + point });
        assert_eq!(exit.unwrap_or_else(|| trial.finish()), Exit::Done, "call {call}");
        nothing_wrong(&format!("{fault:?} at call {call}, {loss:?}"), &trial.judge_done());
    }
}

#[test]
fn crawls_without_room_that_die_again_and_again() {
    let site = site();
    let calls = calls(&site);
    for seed in 0..if nightly() { 100 } else { 6 } {
        let mut trial = trial(&site, 1000 + seed);
        let mut exit = None;
        while trial.deaths < 10 && exit.is_none() {
            let life = trial.random_life(30_000, calls / 2);
            exit = trial.live(&life);
        }
        assert_eq!(exit.unwrap_or_else(|| trial.finish()), Exit::Done, "seed {seed}");
        nothing_wrong(&format!("seed {seed}"), &trial.judge_done());
    }
}
