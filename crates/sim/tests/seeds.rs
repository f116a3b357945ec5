//! Simulations by their seed: whatever the web, the configuration and the faults, a crawl keeps its promises and comes to
//! its end. `cargo xtask sim --seed N` runs one of them.
//!
//! `DRUMLIN_NIGHTLY=1` runs the long form.

use sim::{Campaign, Faults, Kind, Scenario};

/// Scenarios that once showed a bug.
const KEPT: &str = include_str!("seeds.txt");

#[expect(clippy::disallowed_methods, reason = "the nightly run is asked for by the environment")]
fn nightly() -> bool {
    std::env::var("DRUMLIN_NIGHTLY").is_ok()
}

#[track_caller]
fn check(scenario: &Scenario) -> u64 {
    let outcome = scenario.run();
    let wrong = outcome.violations;
    let first = &wrong[..wrong.len().min(8)];
    assert!(wrong.is_empty(), "{scenario}: {} violations, first: {first:#?}", wrong.len());
    outcome.virtual_ms
}

#[test]
fn seeds_by_number() {
    let (seeds, deaths) = if nightly() { (100, 24) } else { (5, 12) };
    let run =
        |seed| check(&Scenario { seed, pages: 150, faults: Faults::Everything, deaths, kind: Kind::Plain });
    let virtual_ms: u64 = (1..=seeds).map(run).sum();
    println!("{seeds} seeds, {:.1} virtual hours", virtual_ms as f64 / 3_600_000.0);
}

/// The first seed is not among those above.
#[test]
fn every_kind_in_its_turn() {
    let (seeds, crashes) = if nightly() { (100, 1_000) } else { (Kind::ALL.len() as u64, 14) };
    let campaign = Campaign { first: 900_000, seeds, crashes, pages: 150, threads: 2 };
    let mut wrong = Vec::new();
    let by_kind = campaign.run(|ran| {
        wrong.extend(ran.violations().first().map(|first| format!("{}: {first}", ran.scenario)));
    });
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(by_kind.len(), Kind::ALL.len());
    assert!(by_kind.values().map(|figures| figures.deaths).sum::<u64>() >= crashes);
}

#[test]
fn faults_one_by_one() {
    for (seed, faults) in [(11, Faults::Nothing), (12, Faults::Network), (13, Faults::Deaths)] {
        check(&Scenario { seed, pages: 150, faults, deaths: 6, kind: Kind::Plain });
    }
}

#[test]
fn seeds_that_once_showed_a_bug() {
    for line in KEPT.lines().filter(|line| !line.starts_with('#')) {
        let scenario = line.split('#').next().unwrap_or_default();
        check(&scenario.parse().expect("a scenario a line"));
    }
}

#[test]
fn a_scenario_is_what_it_is_written_as() {
    let scenario = Scenario { seed: 7, pages: 40, faults: Faults::Deaths, deaths: 2, kind: Kind::Errands };
    assert_eq!(scenario.to_string().parse::<Scenario>().unwrap(), scenario);
    assert!("7 40 nonsense 2".parse::<Scenario>().is_err() && "7 40".parse::<Scenario>().is_err());
}

#[test]
fn the_same_scenario_has_the_same_trace() {
    let run = |seed| {
        let (faults, kind) = (Faults::Everything, Kind::ALL[seed as usize % Kind::ALL.len()]);
        Scenario { seed, pages: 80, faults, deaths: 3, kind }.run().trace
    };
    assert_eq!(run(21), run(21));
    assert_ne!(run(21), run(22));
}
