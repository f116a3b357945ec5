//! Small tools over the code that the crawler itself runs, for people and for tests.

pub(crate) mod audit;
pub(crate) mod config;
pub(crate) mod manual;
pub(crate) mod parse;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod robots;
#[cfg(test)]
mod tests;
pub(crate) mod warc;

use crate::exit::bad_usage;
use anyhow::Context;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Read, Write};
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
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { Cow::Owned(printable(text)) } else { Cow::Borrowed(text) };
    match out.write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the answer")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// What a server sent, a line of its robots.txt for example, is not to steer the terminal.
fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control() && !matches!(c, '\n' | '\t'), "\u{fffd}")
}
