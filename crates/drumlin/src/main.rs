//! `drumlin`: a polite web crawler.
//!
//! What is in which file. Each command has its own under its name, and `cli` has them all; those that only read (`parse`, `robots`, `warc`, `plan`, `probe` and such) are in `tools`, and `look` is `drumlin ui`:
//! `crawl`, `ctl`, `purge`, `explain`, `duplicates`, `status`, `log`, `report`, `export`, `contact_page`, `keygen`, `demo`.
//!
//! * from what is typed to a crawl: `args` and `settings` are read, `overruled` by what operators said before, and become one valid `config`; `wiring` makes of it what the crates need, `shares` divides
//!   the memory; `seeds`, `lookback`, `directory` and what of it is `absent`
//! * of the process: `signals`, `open_files`, `allocator`, `installed` (what the machine has), `terminal`, `scratch`, `exit`, and for crash tests `tripwire`
//! * what people see: `progress` while it runs and `summary` after, `work` beside crawling, the `diary`; `listening` for the dashboard and the control API, answered by the `desk`

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
