//! One simulation by its seed, with everything on: `cargo xtask sim --seed N`. Prints its trace, its figures and what the
//! judges found; fails if that is anything.

use clap::Parser;
use sim::{Faults, Scenario};
use std::process::ExitCode;

/// A whole crawl in virtual time, judged.
#[derive(Parser)]
struct Arguments {
    /// Decides everything else.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ordinary pages of the web, roughly.
    #[arg(long, default_value_t = 300)]
    pages: u64,
    /// What goes wrong: nothing, network, deaths or everything.
    #[arg(long, default_value = "everything")]
    faults: Faults,
    /// How often the crawl dies.
    #[arg(long, default_value_t = 12)]
    deaths: u32,
}

/// Violations printed.
const SHOWN: usize = 20;

fn main() -> ExitCode {
    let Arguments { seed, pages, faults, deaths } = Arguments::parse();
    let outcome = Scenario { seed, pages, faults, deaths }.run();
    println!("trace {} of {} actions", outcome.trace, outcome.trace.actions);
    println!(
        "{} contacts, {} pages, {} deaths, {:.1} virtual minutes",
        outcome.contacts,
        outcome.pages,
        outcome.deaths,
        outcome.virtual_ms as f64 / 60_000.0
    );
    println!("{} violations", outcome.violations.len());
    outcome.violations.iter().take(SHOWN).for_each(|violation| println!("  {violation}"));
    if outcome.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
