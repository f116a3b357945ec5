//! `drumlin log`: the attempts of a crawl, out of its journal, or what its runs said of themselves.

mod events;

use crate::directory::open_to_read;
use anyhow::Context;
use clap::ValueEnum;
use crawler::{Record, log_line};
use disk::SharedDisk;
use logs::{Level, attempt_as_heritrix, attempt_as_json};
use std::io::{self, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Which log, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The directory of a crawl; it may be running
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// What runs said of themselves (log/events.jsonl), instead of their attempts
    #[arg(long)]
    events: bool,
    /// Of events, those up to this level: error, warn, info or debug
    #[arg(long, value_name = "LEVEL", default_value = "debug", requires = "events")]
    level: Level,
    /// What a line looks like [default: plain; of events, json where standard output is no terminal]
    #[arg(long, value_name = "FORM")]
    format: Option<Form>,
    /// Go on with what comes, until interrupted
    #[arg(long, short)]
    follow: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people; of attempts, as crawl.log has them
    Plain,
    /// One object a line
    Json,
    /// The columns of Heritrix's crawl.log; only of attempts
    Heritrix,
}

/// How often a log that is followed is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Shows it, as far as it goes or for as long as somebody reads.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let disk = open_to_read(&args.dir)?;
    let mut out = Out(io::BufWriter::new(io::stdout().lock()));
    let shown = if args.events { events::show(args, &mut out) } else { attempts(args, disk, &mut out) };
    match shown {
        Err(error) if is_closed_pipe(&error) => Ok(ExitCode::SUCCESS),
        shown => shown.map(|()| ExitCode::SUCCESS),
    }
}

/// A view of the journal: every attempt from the first on, whatever became of `crawl.log`.
fn attempts(args: &Args, disk: SharedDisk, out: &mut Out<'_>) -> anyhow::Result<()> {
    let form = args.format.unwrap_or(Form::Plain);
    let mut journal = archive::ledger(disk)?;
    loop {
        for entry in journal.by_ref() {
            let entry = entry?;
            if Record::is_attempt(&entry.record) {
                let record = Record::decode(entry.seq, &entry.record)?;
                out.line(&form.attempt(entry.seq, &record).unwrap_or_default())?;
            }
        }
        out.0.flush()?;
        if !args.follow {
            return Ok(());
        }
        wait();
        journal.follow()?;
    }
}

impl Form {
    fn attempt(self, seq: u64, record: &Record) -> Option<String> {
        match self {
            Self::Plain => log_line(seq, record),
            Self::Json => attempt_as_json(seq, record).map(|line| line.to_string()),
            Self::Heritrix => attempt_as_heritrix(record),
        }
    }
}

/// Where lines go.
struct Out<'a>(io::BufWriter<StdoutLock<'a>>);

impl Out<'_> {
    fn line(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.0, "{line}").context("cannot write the answer")
    }
}

/// A reader that has seen enough is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}

fn is_watched() -> bool {
    io::stdout().is_terminal()
}

fn wait() {
    let _ = crossbeam_channel::after(LOOK_EVERY).recv();
}
