//! `drumlin ctl`: what an operator says to a crawl, running or not.

mod client;
mod said;

#[cfg(test)]
mod tests;

pub(crate) use client::Client;

use crate::directory::{Directory, in_use, is_taken, open_to_read};
use crate::exit::{Exit, bad_usage, exit_of, whole};
use crate::terminal;
use crate::tools::print;
use crate::work::{Format, Work};
use crate::{crawl, diary, look, lookback, tripwire, wiring};
use anyhow::{Context, anyhow};
use control::limits::COMMAND_BYTES;
use control::{Command, Receipt, Refusal};
use node::{NodeConfig, Witnessed};
use said::{Said, TargetArgs};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is said to which crawl.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The directory of a crawl; it may be running
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Answer with one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    said: Said,
}

/// `drumlin retry`.
#[derive(Debug, clap::Args)]
pub(crate) struct RetryArgs {
    /// The directory of a crawl; it may be running
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: PathBuf,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Says it, and shows what came of it.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    say(&args.dir, args.said.into_command(), args.json)
}

/// Gives parked URLs fresh attempts.
pub(crate) fn retry(args: &RetryArgs) -> anyhow::Result<ExitCode> {
    let selection = args.target.selection();
    say(&args.dir, selection.map(Command::Retry).map_err(Into::into), args.json)
}

fn say(dir: &Path, command: anyhow::Result<Command>, as_json: bool) -> anyhow::Result<ExitCode> {
    if as_json {
        let (answer, exit) = as_object(command.and_then(|command| tell(dir, &command)));
        print(&format!("{answer}\n"))?;
        return Ok(exit.into());
    }
    let command = command?;
    match tell(dir, &command)? {
        Ok(receipt) => print(&format!("{}: {receipt}\n", command.name())),
        Err(refusal) if refusal.is_open() => Err(anyhow!("{}: {refusal}", command.name())),
        Err(refusal) => Err(bad_usage(format!("{} is refused: {refusal}", command.name()))),
    }
}

/// One object, whatever came of it. What could not be said to this directory is refused as what is not understood.
fn as_object(answer: anyhow::Result<Result<Receipt, Refusal>>) -> (Value, Exit) {
    let refused = |refusal: Refusal| {
        let because = refusal.to_string();
        (json!({ "refusal": refusal, "because": because }), exit_of_refusal(&refusal))
    };
    match answer {
        Ok(Ok(receipt)) => (json!({ "receipt": receipt }), Exit::Done),
        Ok(Err(refusal)) => refused(refusal),
        Err(error) => match exit_of(&error) {
            Exit::Usage => refused(Refusal::Malformed { reason: whole(&error) }),
            exit => (json!({ "error": whole(&error) }), exit),
        },
    }
}

/// Bad usage is what has changed nothing.
fn exit_of_refusal(refusal: &Refusal) -> Exit {
    if refusal.is_open() { Exit::Internal } else { Exit::Usage }
}

/// Tells a crawl that runs through its socket; one that does not is opened for it.
fn tell(dir: &Path, command: &Command) -> anyhow::Result<Result<Receipt, Refusal>> {
    let bytes = serde_json::to_vec(command)?.len();
    if bytes > COMMAND_BYTES {
        let (asked, most) = (bytes as u64, COMMAND_BYTES as u64);
        return Ok(Err(Refusal::TooMuch { what: "bytes of a command".to_owned(), asked, most }));
    }
    for _ in 0..TRIES {
        if let Some(client) = Client::connect(dir)? {
            return client.command(command);
        }
        match command {
            Command::Stop if is_taken(dir) => look::wait(),
            Command::Stop => {
                open_to_read(dir)?;
                return Ok(Err(Refusal::NotRunning));
            }
            _ => match Directory::claim_existing(dir, tripwire::from_environment) {
                Err(_) if is_taken(dir) => look::wait(),
                claimed => return tell_at_rest(dir, claimed?, command),
            },
        }
    }
    Err(in_use(dir))
}

/// Times that it is tried, twice a second: who has a crawl and does not listen is just beginning or ending, or gives it an order too.
const TRIES: u32 = 40;

fn tell_at_rest(
    dir: &Path,
    directory: Directory,
    command: &Command,
) -> anyhow::Result<Result<Receipt, Refusal>> {
    let prepared = crawl::at_rest(directory)?;
    lookback::require(dir, prepared.config.earlier.as_deref())?;
    let begun = diary::begin(prepared.directory.path(), prepared.config.log)?;
    let witnessed = Witnessed::default().by(begun.diary.clone());
    let node = NodeConfig { witnessed, ..wiring::node_config(&prepared.config, prepared.scope)? };
    let mut work = Work::new(Format::Text);
    let disk = prepared.directory.disk();
    let (answer, left) = node::order(&node, disk, command.clone(), &mut |step| work.step(step));
    match left {
        Err(error) if answer.is_ok() => {
            work.clear();
            let dir = dir.display();
            terminal::tell(format_args!(
                "{} holds, but the crawl in {dir} can't be left in order: {error}",
                command.name()
            ));
            Ok(answer)
        }
        left => {
            left.with_context(|| format!("the crawl in {} can't be opened", dir.display()))?;
            Ok(answer)
        }
    }
}
