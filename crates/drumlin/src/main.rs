//! `drumlin`: a polite web crawler.

mod cli;
mod tools;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::Cli::parse().run().unwrap_or_else(|error| {
        eprintln!("drumlin: {error:#}");
        ExitCode::FAILURE
    })
}
