//! `drumlin`: a polite web crawler.

#![deny(clippy::print_stderr, reason = "it panics where nobody reads any more; `terminal::tell` does not")]
#![allow(
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    reason = "what flags say of themselves is written for a terminal"
)]

mod absent;
mod allocator;
mod args;
mod cli;
mod config;
mod contact_page;
mod crawl;
mod ctl;
mod demo;
mod desk;
mod diary;
mod directory;
mod duplicates;
mod exit;
mod explain;
mod export;
mod installed;
mod keygen;
mod listening;
mod log;
mod look;
mod lookback;
mod open_files;
mod overruled;
mod progress;
mod purge;
mod report;
mod scratch;
mod seeds;
mod settings;
mod shares;
mod signals;
mod status;
mod summary;
mod terminal;
mod tools;
mod tripwire;
mod wiring;
mod work;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    signals::outlive_long_files();
    match cli::Cli::try_parse() {
        Ok(cli) => cli.run().unwrap_or_else(|error| exit::report(&error)),
        Err(error) => exit::report_command_line(&error),
    }
}
