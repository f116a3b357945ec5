//! Small tools over the code that the crawler itself runs, for people and for tests.

pub(crate) mod audit;
pub(crate) mod config;
pub(crate) mod manual;
pub(crate) mod parse;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod robots;
pub(crate) mod warc;

use crate::exit::bad_usage;
use anyhow::Context;
use std::io::{self, Read, Write};
use std::process::ExitCode;

/// The bytes of a file, or of standard input for `-`.
fn read_input(name: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match name {
        "-" => io::stdin().lock().read_to_end(&mut bytes).map(drop),
        path => std::fs::read(path).map(|content| bytes = content),
    };
    read.map_err(|error| bad_usage(format!("cannot read {name}: {error}")))?;
    Ok(bytes)
}

/// Writes a tool's whole answer. A reader that has seen enough (`| head`) is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<ExitCode> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the answer")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
