//! `cargo xtask fuzz [NAME] [--minutes N]`: targets of `crates/*/tests/fuzz.rs`, and of `fuzz.rs` within a program, guided by
//! coverage, for so many minutes of a processor each, as many at once as there are processors.

mod programs;
#[cfg(test)]
mod tests;

use self::programs::Programs;
use crate::run;
use crate::tally::Tally;
use crate::tree::Tree;
use anyhow::{Context as _, Result, bail};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// What a nightly run gives each: all of it is to take two hours on two processors.
pub(crate) const NIGHTLY_MINUTES: f64 = 2.0;
const MINUTES: f64 = 1.0;

/// How long each target is fuzzed, and from where.
#[derive(Debug, Clone, Copy)]
struct Campaign {
    minutes: f64,
    /// Without one, where the clock says.
    seed: Option<u64>,
    counted: Counted,
}

/// What is compiled with counters, and so guides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// What ours stand on too.
    Everything,
    /// Only the workspace's own crates: what they stand on is that of the ordinary tests, and not compiled again.
    OwnCrates,
}

/// In CI: thirty seconds each. From the same seed every time, so that who is refused has changed something that matters.
const CI: Campaign = Campaign { minutes: 0.5, seed: Some(1), counted: Counted::OwnCrates };

/// A test of a fuzzing suite.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    krate: String,
    suite: Suite,
    name: String,
}

/// Where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Suite {
    /// In `tests/fuzz.rs`.
    OfCrate,
    /// In this module of a program, which has no library that a suite could use.
    OfProgram(String),
}

/// Runs the target of this name, or all; `--list` lists them.
pub(crate) fn task(words: &[&str]) -> Result<ExitCode> {
    let all = targets(&Tree::read()?);
    let (name, minutes) = match words {
        ["--list"] => {
            for target in &all {
                println!("{} ({})", target.name, target.krate);
            }
            return Ok(ExitCode::SUCCESS);
        }
        [] => (None, MINUTES),
        ["--minutes", minutes] => (None, parsed(minutes)?),
        [name] => (Some(*name), MINUTES),
        [name, "--minutes", minutes] => (Some(*name), parsed(minutes)?),
        _ => bail!("usage: cargo xtask fuzz [NAME | --list] [--minutes N]"),
    };
    let chosen: Vec<&Target> =
        all.iter().filter(|target| name.is_none_or(|name| target.name == name)).collect();
    anyhow::ensure!(!chosen.is_empty(), "no such target; `cargo xtask fuzz --list` has all");
    let tally = run_all(&chosen, Campaign { minutes, seed: None, counted: Counted::Everything })?;
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All of them, for as long as CI gives each.
pub(crate) fn briefly() -> Result<Tally> {
    let all = targets(&Tree::read()?);
    run_all(&all.iter().collect::<Vec<_>>(), CI)
}

/// Every worker takes the next that nobody has.
fn run_all(targets: &[&Target], campaign: Campaign) -> Result<Tally> {
    let programs = Programs::build(targets, campaign.counted)?;
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(targets.len());
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Relaxed)) {
                    let passes = fuzz(target, &programs, campaign);
                    if !passes {
                        eprintln!("xtask: {} failed", target.name);
                    }
                    tally.lock().expect("nobody panics with it").step(passes);
                }
            });
        }
    });
    Ok(tally.into_inner().expect("nobody panics with it"))
}

fn parsed(minutes: &str) -> Result<f64> {
    minutes.parse().with_context(|| format!("minutes: {minutes}"))
}

fn fuzz(target: &Target, programs: &Programs, campaign: Campaign) -> bool {
    println!("xtask: fuzzing {} for {} minutes", target.name, campaign.minutes);
    let path = match &target.suite {
        Suite::OfCrate => target.name.clone(),
        Suite::OfProgram(module) => format!("{module}::{}", target.name),
    };
    let Some(program) = programs.of(target) else {
        eprintln!("error: no program of {}", target.krate);
        return false;
    };
    let mut command = run::program(program);
    command.args([&path, "--exact", "--quiet", "--nocapture", "--test-threads=1"]);
    command.current_dir(run::root().join("crates").join(&target.krate));
    command.env("LLVM_PROFILE_FILE", "/dev/null").env("DRUMLIN_FUZZ_MINUTES", campaign.minutes.to_string());
    if let Some(seed) = campaign.seed {
        command.env("DRUMLIN_FUZZ_SEED", seed.to_string());
    }
    run::succeeds(&mut command)
}

fn targets(tree: &Tree) -> Vec<Target> {
    let suites = tree.files.iter().filter_map(|file| Some((suite_at(&file.path)?, &file.text)));
    suites
        .flat_map(|((krate, suite), text)| {
            names(text).map(move |name| Target { krate: krate.to_owned(), suite: suite.clone(), name })
        })
        .collect()
}

/// The crate and the suite of a path, if it is one.
fn suite_at(path: &str) -> Option<(&str, Suite)> {
    let (krate, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    if rest == "tests/fuzz.rs" {
        return Some((krate, Suite::OfCrate));
    }
    let module = rest.strip_prefix("src/")?.strip_suffix(".rs")?.replace('/', "::");
    module.ends_with("::fuzz").then_some((krate, Suite::OfProgram(module)))
}

/// Of the tests in a source.
fn names(source: &str) -> impl Iterator<Item = String> {
    let tests = source.split("#[test]\n").skip(1);
    tests.filter_map(|rest| Some(rest.trim_start().strip_prefix("fn ")?.split_once('(')?.0.to_owned()))
}
