//! `cargo xtask test`: everything a change must pass.

use crate::counts;
use crate::fuzz;
use crate::judges::{self, Judges};
use crate::run;
use crate::tally::{Reader, Tally};
use crate::tidy;
use anyhow::{Context as _, Result};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// How much of the suites to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// What every change runs.
    Ordinary,
    /// The long runs too.
    Nightly,
}

/// Tidy, format, lints, what documents refer to, the hot paths counted, then all tests with the judges at hand, and in CI every parser fuzzed; ends with one line that
/// sums up.
pub(crate) fn task(length: Length) -> Result<ExitCode> {
    let mut tally = Tally::default();
    tally += tidy::run()?;
    tally.step(step("format", run::cargo().args(["fmt", "--all", "--check"])));
    let clippy = ["clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings"];
    tally.step(step("lints", run::cargo().args(clippy)));
    let documents = ["doc", "--workspace", "--no-deps", "--document-private-items", "--locked", "--quiet"];
    tally.step(step("documents", run::cargo().args(documents).env("RUSTDOCFLAGS", "-D warnings")));
    let judges = told("judges", judges::provide);
    report(&judges, &mut tally);
    told("instructions of the hot paths", || count(&judges, &mut tally))?;
    tally += told("tests", || tests(length, &judges))?;
    if length == Length::Ordinary && in_ci() {
        tally += told("fuzzing", fuzz::briefly)?;
    }
    println!("{tally}");
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn step(name: &str, command: &mut Command) -> bool {
    told(name, || run::succeeds(command))
}

/// Says what begins, and what it took.
#[expect(clippy::disallowed_methods, reason = "whoever waits is told what for")]
fn told<T>(name: &str, work: impl FnOnce() -> T) -> T {
    println!("xtask: {name}");
    let began = Instant::now();
    let done = work();
    println!("xtask: {name}: {} s", began.elapsed().as_secs());
    done
}

/// On the project's own machines a missing judge is a failure; elsewhere its suites skip themselves and are counted.
fn report(judges: &Judges, tally: &mut Tally) {
    if judges.missing.is_empty() {
        return;
    }
    let missing = judges.missing.join(", ");
    if in_ci() {
        eprintln!("error: {} judges are missing: {missing}", judges.missing.len());
        tally.failed += judges.missing.len();
    } else {
        println!("judges: {} are missing and their suites will be skipped: {missing}", judges.missing.len());
    }
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|ci| ci == "true")
}

/// Where callgrind is missing the hot paths are not counted, and that is counted.
fn count(judges: &Judges, tally: &mut Tally) -> Result<()> {
    if judges.missing.contains(&"valgrind") {
        tally.skipped += 1;
    } else {
        tally.step(counts::hold()?);
    }
    Ok(())
}

/// Examples are left to the lints, and to the counts of those that are counted.
const TARGETS: [&[&str]; 2] = [&["--lib", "--bins", "--tests"], &["--doc"]];

fn tests(length: Length, judges: &Judges) -> Result<Tally> {
    let mut tally = Tally::default();
    for targets in TARGETS {
        tally += tests_of(targets, length, judges)?;
    }
    Ok(tally)
}

fn tests_of(targets: &[&str], length: Length, judges: &Judges) -> Result<Tally> {
    let mut command = run::cargo();
    command.args(["test", "--workspace", "--locked", "--no-fail-fast"]).args(targets);
    command.args(["--", "--show-output"]);
    if length == Length::Nightly {
        command.env("DRUMLIN_NIGHTLY", "1");
    }
    judges.lend(&mut command);
    let mut child = command.stdout(Stdio::piped()).spawn().context("starting cargo test")?;
    let mut reader = Reader::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            reader.take(&line);
        }
    }
    let succeeded = child.wait()?.success();
    // Something that did not compile, or died, has no result line.
    reader.tally.failed += usize::from(!succeeded && reader.tally.failed == 0);
    Ok(reader.tally)
}
