//! Crawls that die, at any moment and at any call to the disk, and are started again until they are done: nothing is lost,
//! nothing fetched again, nobody contacted too early. Judged from the servers' log and the archive.
//!
//! `DRUMLIN_NIGHTLY=1` runs the long form.

use corpus::Row;
use crawler::{Exit, Retention};
use disk::{CrashMode, Fault};
use sim::checks::rows;
use sim::{Life, Loss, Network, Setup, Site, Trial, Until};
use simweb::{End, Media, Sizes, WebConfig};
use stdx::Rng;
use weburl::Scope;

#[expect(clippy::disallowed_methods, reason = "the nightly run is asked for by the environment")]
fn nightly() -> bool {
    std::env::var("DRUMLIN_NIGHTLY").is_ok()
}

/// A small web with everything but endless URL spaces, different in size and in how many servers share it.
fn site(seed: u64) -> Site {
    let mut rng = Rng::new(seed);
    let pages = 60 + rng.below(240);
    let standard_ports = rng.one_in(2);
    let (http_port, https_port) = if standard_ports { (80, 443) } else { (8080, 8443) };
    let config = WebConfig {
        addresses: 1 + rng.below(12) as u32,
        sizes: Sizes { median: 2_000, mean: 3_000 },
        http_port,
        https_port,
        ..WebConfig::small(seed, pages)
    };
    Site::new(config.without_traps(), 1 + rng.below(3) as u32)
}

fn trial(site: &Site, seed: u64) -> Trial<'_> {
    Trial::new(site, Setup::new(site, Scope::Any, seed), Network::new(site.web.clone(), seed), seed)
}

fn nothing_wrong(what: &str, wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{what}: {} violations, first: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(8)]
    );
}

/// The web whose crawls die at chosen calls.
const SCRIPTED: u64 = 4242;

/// Dies once, at this call, and is judged when it is done. Whether the fault struck: a full disk matters to calls that take room, and a
/// crawl may be over before.
fn check_death(seed: u64, call: u64, fault: Fault, loss: Loss) -> bool {
    let site = site(SCRIPTED);
    let mut trial = trial(&site, seed);
    let exit = trial.live(&Life { until: Until::Call(call, fault), loss, downtime_ms: 10 + seed });
    let struck = trial.struck;
    assert!(struck || fault == Fault::Full || trial.calls <= call, "{fault:?} at call {call}");
    assert_eq!(exit.unwrap_or_else(|| trial.finish()), Exit::Done, "call {call}");
    nothing_wrong(&format!("{fault:?} at call {call}, {loss:?}"), &trial.judge_done());
    struck
}

#[test]
fn a_crawl_that_dies_at_its_every_nth_call() {
    let points = if nightly() { 1_000 } else { 50 };
    let faults = [Fault::Io, Fault::TornWrite, Fault::Full];
    let losses = [Loss::Kill, Loss::Power(CrashMode::LoseUnsynced), Loss::Power(CrashMode::KeepSome)];
    let mut struck = 0;
    for point in 0..points {
        let (fault, loss) = (faults[point as usize % 3], losses[point as usize / 3 % 3]);
        struck += u64::from(check_death(point, point * 2000 / points, fault, loss));
    }
    assert!(struck > points * 2 / 3, "{struck} of {points} faults struck");
}

/// Where crawls have broken a promise before.
#[test]
fn deaths_that_once_did_harm() {
    // A record that was cut off came back, in the archive and not in its index.
    check_death(2, 166, Fault::Full, Loss::Kill);
    // Rows were in a closed file before the journal was told, and never counted.
    check_death(147, 735, Fault::Io, Loss::Power(CrashMode::LoseUnsynced));
}

/// With captures deleted once they are parsed, the rows and the servers' log have to do as witnesses.
#[test]
fn a_crawl_that_deletes_its_captures_and_dies() {
    for seed in 200..204 {
        let site = site(seed);
        let mut trial = trial(&site, seed);
        trial.set_up(|setup| {
            setup.crawl.retention = Retention::Expire;
            setup.archive.payload_bytes = 0;
        });
        let mut exit = None;
        while trial.deaths < 6 && exit.is_none() {
            let life = trial.random_life(30_000, 500);
            exit = trial.live(&life);
        }
        assert_eq!(exit.unwrap_or_else(|| trial.finish()), Exit::Done);
        nothing_wrong(&format!("seed {seed}"), &trial.judge());
        let canonical = |row: Row| site.web.canonical(&row.url).expect("a URL of this web");
        let mut urls: Vec<String> = rows(&trial.disk()).unwrap().into_iter().map(canonical).collect();
        urls.sort_unstable();
        let is_text = |end| matches!(end, End::Page(Media::Html | Media::Text) | End::Ruined);
        assert_eq!(urls, trial.truth().ending(is_text).collect::<Vec<_>>(), "seed {seed}");
    }
}
