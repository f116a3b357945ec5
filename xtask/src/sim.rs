//! `cargo xtask sim --seed N`: a whole crawl in virtual time, with everything that can go wrong, judged.

use crate::run;
use std::process::ExitCode;

/// Runs the simulator with these arguments; fails if its judges find anything.
pub(crate) fn task(args: &[&str]) -> ExitCode {
    let fixed = ["run", "--release", "--locked", "--quiet", "--package", "sim", "--bin", "sim", "--"];
    if run::succeeds(run::cargo().args(fixed).args(args)) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
