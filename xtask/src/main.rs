//! The project's chores: `cargo xtask tidy | test | release | counts | fuzz | sim | bench NAME | nightly`. Depends on no crate of Drumlin.

mod bench;
mod counts;
mod example;
mod fuzz;
mod guided;
mod judges;
mod nightly;
mod python;
mod run;
mod sim;
mod suite;
mod tally;
mod tidy;
mod tree;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK
  tidy             layers, sizes, bans: what the compiler does not check (seconds)
  test             everything a change must pass; installs the judges it needs (minutes)
  release          the program at its fastest, optimised for what crawls were seen to do (half an hour to an hour)
  judges           installs the judges only
  rivals           installs the crawlers that `bench crawl` is run beside
  counts [--keep]  instructions of the hot paths, beside those that are kept
  nightly          all of `test` with its long runs, two minutes of fuzzing for each parser, and `release`
  fuzz [NAME] [--minutes N]
                   parsers on what nobody wrote, guided by coverage; --list has the names
  sim [--seed N …]  one simulation with everything on, judged
  sim --seeds N --crashes M
                   many of them, on until the crawls have died M times
  bench [NAME …]   one benchmark with its arguments; without a name, the list
  bench --guided NAME …
                   the same, built as `release` builds";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["tidy"] => tidy::task(),
        ["test"] => suite::task(suite::Length::Ordinary),
        ["release"] => guided::task(),
        ["judges"] => Ok(judges::task()),
        ["rivals"] => Ok(judges::rivals_task()),
        ["nightly"] => nightly::task(),
        ["counts", rest @ ..] => counts::task(rest),
        ["fuzz", rest @ ..] => fuzz::task(rest),
        ["sim", rest @ ..] => Ok(sim::task(rest)),
        ["bench", rest @ ..] => bench::task(rest),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        ExitCode::FAILURE
    })
}
