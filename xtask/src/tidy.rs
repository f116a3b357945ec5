//! What the compiler does not check: each check is a function from the tree to its findings.

mod bans;
mod layers;
mod pages;
mod ring;
mod sizes;
#[cfg(test)]
mod tests;

use crate::tally::Tally;
use crate::tree::{File, Tree};
use anyhow::Result;
use std::fmt;
use std::process::ExitCode;

/// Runs all checks and prints what they find.
pub(crate) fn task() -> Result<ExitCode> {
    let tally = run()?;
    println!("tidy: {} checks passed, {} failed", tally.passed, tally.failed);
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs all checks; findings go to standard error.
pub(crate) fn run() -> Result<Tally> {
    let tree = Tree::read()?;
    for finding in sizes::warnings(&tree) {
        eprintln!("warning: {finding}");
    }
    let mut results: Vec<Result<Vec<Finding>>> = CHECKS.iter().map(|check| Ok(check(&tree))).collect();
    results.push(ring::activated());
    let mut tally = Tally::default();
    for result in results {
        let findings = result?;
        for finding in &findings {
            eprintln!("error: {finding}");
        }
        tally.step(findings.is_empty());
    }
    Ok(tally)
}

type Check = fn(&Tree) -> Vec<Finding>;

const CHECKS: [Check; 14] = [
    layers::arrows,
    layers::runtimes,
    sizes::too_long,
    bans::file_system,
    bans::ambient,
    bans::environment,
    bans::unfinished,
    bans::machine_paths,
    pages::formats,
    pages::links,
    pages::book,
    pages::crate_docs,
    pages::maps,
    pages::features,
];

/// One thing that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl Finding {
    fn new(file: &File, line: usize, what: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}
