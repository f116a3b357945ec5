//! Simulations by their seed, with everything on: one, `cargo xtask sim --seed N`, which prints its trace, its figures and what the
//! judges found; or many, `cargo xtask sim --seeds 100 --crashes 1000`, which prints what is wrong as it is found, and the figures.
//! Fails if anything is.

use clap::Parser;
use sim::{Campaign, Faults, Figures, Kind, Ran, Scenario};
use std::process::ExitCode;

/// Whole crawls in virtual time, judged.
#[derive(Parser)]
struct Arguments {
    /// Decides everything else; of many, the first.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ordinary pages of a web, roughly.
    #[arg(long, default_value_t = 300)]
    pages: u64,
    /// What goes wrong: nothing, network, deaths or everything.
    #[arg(long, default_value = "everything", conflicts_with = "seeds")]
    faults: Faults,
    /// How often the crawl dies.
    #[arg(long, default_value_t = 12, conflicts_with = "seeds")]
    deaths: u32,
    /// What it is about: plain, tight, errands, deep, steered, set, dual, retold, moving, nodes or mixed.
    #[arg(long, default_value = "plain", conflicts_with = "seeds")]
    kind: Kind,
    /// Many: so many seeds at least, every kind in its turn.
    #[arg(long)]
    seeds: Option<u64>,
    /// Of many: on until the crawls have died so often.
    #[arg(long, default_value_t = 0, requires = "seeds")]
    crashes: u64,
    /// Of many: so many at once.
    #[arg(long, default_value_t = 2, requires = "seeds")]
    threads: usize,
}

/// Violations printed of one simulation.
const SHOWN: usize = 20;

fn main() -> ExitCode {
    let Arguments { seed, pages, faults, deaths, kind, seeds, crashes, threads } = Arguments::parse();
    let is_right = match seeds {
        Some(seeds) => many(&Campaign { first: seed, seeds, crashes, pages, threads }),
        None => one(&Scenario { seed, pages, faults, deaths, kind }),
    };
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn one(scenario: &Scenario) -> bool {
    let outcome = scenario.run();
    println!("trace {} of {} actions", outcome.trace, outcome.trace.actions);
    println!(
        "{} contacts with {} hosts, {} pages, {} deaths, {:.1} virtual minutes",
        outcome.contacts,
        outcome.hosts,
        outcome.pages,
        outcome.deaths,
        outcome.virtual_ms as f64 / 60_000.0
    );
    show(&outcome.violations);
    outcome.violations.is_empty()
}

fn many(campaign: &Campaign) -> bool {
    let by_kind = campaign.run(show_wrong);
    let mut all = Figures::default();
    println!("kind      simulations  crashes  contacts   hosts    pages  virtual hours  violated");
    for (kind, figures) in by_kind {
        print(&kind.to_string(), &figures);
        all += figures;
    }
    print("all", &all);
    all.violated == 0
}

fn print(name: &str, figures: &Figures) {
    let Figures { simulations, deaths, contacts, hosts, pages, virtual_ms, violated } = figures;
    let hours = *virtual_ms as f64 / 3_600_000.0;
    println!(
        "{name:<10} {simulations:>10} {deaths:>8} {contacts:>9} {hosts:>7} {pages:>8} {hours:>14.1} {violated:>9}"
    );
}

fn show_wrong(ran: &Ran) {
    if !ran.violations().is_empty() {
        println!("scenario {}", ran.scenario);
        show(ran.violations());
    }
}

fn show(violations: &[String]) {
    println!("{} violations", violations.len());
    violations.iter().take(SHOWN).for_each(|violation| println!("  {violation}"));
}
