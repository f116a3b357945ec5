//! `cargo xtask nightly`: what takes too long for every change.

use crate::suite::{self, Length};
use anyhow::Result;
use std::process::ExitCode;

/// The suites with `DRUMLIN_NIGHTLY=1`, at which the crash suites run long, and with the ignored tests.
pub(crate) fn task() -> Result<ExitCode> {
    suite::task(Length::Nightly)
}
