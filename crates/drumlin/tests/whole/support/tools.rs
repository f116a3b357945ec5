//! Other people's programs.

use super::edge::{skip, variable};
use std::path::PathBuf;
use std::process::Command;

/// A program of the Python environment that `cargo xtask judges` makes; says so and gives nothing where it is absent.
pub(crate) fn judge(name: &str) -> Option<Command> {
    let path = PathBuf::from(variable("DRUMLIN_TOOLS").unwrap_or_default()).join("venv/bin").join(name);
    if !path.is_file() {
        skip(name);
        return None;
    }
    Some(Command::new(path))
}

/// Runs a program to its end, which must be a good one; its standard output.
pub(crate) fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {}\n{text}\n{said}", output.status);
    text
}

/// A program of the system, if it is there.
pub(crate) fn system(name: &str) -> Option<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    let found = path
        .split(':')
        .chain(["/usr/sbin"])
        .map(|dir| PathBuf::from(dir).join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        skip(name);
    }
    found
}
