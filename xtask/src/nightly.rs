//! `cargo xtask nightly`: what takes too long for every change.

use crate::fuzz::{self, NIGHTLY_MINUTES};
use crate::guided;
use crate::suite::{self, Length};
use anyhow::Result;
use std::process::ExitCode;

/// The suites with `DRUMLIN_NIGHTLY=1`, at which the crash suites run long; then every parser fuzzed, and the program built as releases are.
/// Ignored tests stay ignored: they write golden files.
pub(crate) fn task() -> Result<ExitCode> {
    let suites = suite::task(Length::Nightly)?;
    let fuzzing = fuzz::task(&["--minutes", &NIGHTLY_MINUTES.to_string()])?;
    let release = guided::task()?;
    let all = [suites, fuzzing, release];
    Ok(all.into_iter().find(|code| *code != ExitCode::SUCCESS).unwrap_or(ExitCode::SUCCESS))
}
