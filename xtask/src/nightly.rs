//! `cargo xtask nightly`: what takes too long for every change.

use crate::fuzz::{self, NIGHTLY_MINUTES};
use crate::suite::{self, Length};
use anyhow::Result;
use std::process::ExitCode;

/// The suites with `DRUMLIN_NIGHTLY=1`, at which the crash suites run long; then every parser fuzzed. Ignored tests stay ignored: they
/// write golden files.
pub(crate) fn task() -> Result<ExitCode> {
    let suites = suite::task(Length::Nightly)?;
    let fuzzing = fuzz::task(&["--minutes", &NIGHTLY_MINUTES.to_string()])?;
    Ok(if suites == ExitCode::SUCCESS { fuzzing } else { suites })
}
