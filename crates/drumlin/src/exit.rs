//! How a run ends, as a number.

use crate::directory::CONFIG;
use crate::terminal::tell;
use crawler::{Exit as CrawlExit, RecoveryError};
use node::NodeError;
use std::io;
use std::process::ExitCode;
use thiserror::Error;

#[cfg(test)]
mod tests;

/// What the process tells its parent. The table is in the README and in `drumlin crawl --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Every URL has its final state.
    Done = 0,
    /// The program's or the machine's fault.
    Internal = 1,
    /// The command, a file it names, or the directory is not what it must be.
    Usage = 2,
    /// What is left is not due within the patience, or nobody has been reached for as long.
    Waiting = 3,
    /// A limit was reached.
    LimitReached = 4,
    /// The disk is full, or nearly.
    DiskFull = 5,
    /// An audit found a promise that was not kept.
    BrokenPromise = 6,
    /// Stopped by a signal.
    Interrupted = 130,
}

impl Exit {
    /// The word for it, in JSON and in the summary.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Internal => "internal",
            Self::Usage => "usage",
            Self::Waiting => "waiting",
            Self::LimitReached => "limit",
            Self::DiskFull => "disk-full",
            Self::BrokenPromise => "broken-promise",
            Self::Interrupted => "interrupted",
        }
    }
}

impl From<CrawlExit> for Exit {
    fn from(exit: CrawlExit) -> Self {
        match exit {
            CrawlExit::Done => Self::Done,
            CrawlExit::Waiting => Self::Waiting,
            CrawlExit::Interrupted => Self::Interrupted,
            CrawlExit::LimitReached => Self::LimitReached,
            CrawlExit::DiskFull => Self::DiskFull,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Something that the user can put right; one line that says what.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub(crate) struct BadUsage(pub(crate) String);

/// A [`BadUsage`] as the program's error.
pub(crate) fn bad_usage(line: impl Into<String>) -> anyhow::Error {
    BadUsage(line.into()).into()
}

/// The code for an error: by whose fault it is.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    match error.downcast_ref::<NodeError>() {
        Some(
            NodeError::Archive(archive::Error::Version { .. })
            | NodeError::Corpus(corpus::Error::Version { .. }),
        ) => return Exit::Usage,
        Some(NodeError::Recovery(RecoveryError::OtherCrawl | RecoveryError::OtherFolding)) => {
            return Exit::Usage;
        }
        Some(error) if error.is_disk_full() => return Exit::DiskFull,
        _ => {}
    }
    if let Some(export::Error::NotPurged { .. }) = error.downcast_ref() {
        return Exit::Usage;
    }
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if causes.any(disk::is_full) {
        return Exit::DiskFull;
    }
    if error.is::<BadUsage>() { Exit::Usage } else { Exit::Internal }
}

/// Says on one line what went wrong, and gives the code for it.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let remedy = remedy(error).unwrap_or_default();
    tell(format!("{}{remedy}", whole(error).replace('\n', " ")));
    exit_of(error).into()
}

fn remedy(error: &anyhow::Error) -> Option<String> {
    let of_node = error.downcast_ref::<NodeError>();
    match of_node {
        Some(NodeError::Recovery(RecoveryError::OtherCrawl)) => {
            return Some(format!(
                "; put `seed` in its {CONFIG} back as it was, if that has changed, or its own state/ back"
            ));
        }
        Some(NodeError::Recovery(RecoveryError::OtherFolding)) => {
            return Some(format!("; put [folding] in its {CONFIG} back as it was"));
        }
        _ => {}
    }
    let is_of_checkpoint = archive_error(error).is_some_and(archive::Error::is_of_checkpoint);
    if is_of_checkpoint || of_node.is_some_and(NodeError::is_damage_that_the_journal_mends) {
        return Some(MENDED_BY_THE_JOURNAL.to_owned());
    }
    is_loss(error).then(|| MENDED_BY_A_BACKUP.to_owned())
}

/// Whether the journal or the archive is damaged.
pub(crate) fn is_loss(error: &anyhow::Error) -> bool {
    archive_error(error).is_some_and(archive::Error::is_damage)
}

/// What the archive said, through whomever.
fn archive_error(error: &anyhow::Error) -> Option<&archive::Error> {
    let of_node = error.downcast_ref::<NodeError>().and_then(NodeError::archive);
    of_node.or_else(|| error.chain().find_map(|cause| cause.downcast_ref()))
}

/// What nobody has to put up with.
const MENDED_BY_THE_JOURNAL: &str = "; nothing is lost: move state/checkpoint and state/frontier out of the way, \
                                     and the next run makes both again from the journal";

/// What nothing else tells.
const MENDED_BY_A_BACKUP: &str = "; put it back from a backup";

/// An error and its causes. Some name their cause themselves: it is said once.
pub(crate) fn whole(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if said.is_empty() {
            said = cause;
        } else if !said.ends_with(&cause) {
            said = format!("{said}: {cause}");
        }
    }
    said
}

/// Says on one line what is wrong with the command line; help and version are printed as they are.
pub(crate) fn report_command_line(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return printed(error.print());
    }
    tell(wrong(error.kind(), &error.render().to_string()));
    Exit::Usage.into()
}

/// A closed pipe (`drumlin --help | head`) is no error.
fn printed(result: io::Result<()>) -> ExitCode {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report(&anyhow::Error::from(error).context("cannot write the answer"))
        }
        _ => Exit::Done.into(),
    }
}

/// What is wrong, and where clap has nothing similar to offer, how it is written.
fn wrong(kind: clap::error::ErrorKind, message: &str) -> String {
    use clap::error::ErrorKind::{DisplayHelpOnMissingArgumentOrSubcommand, UnknownArgument};
    let usage = message.lines().find_map(|line| line.strip_prefix("Usage: "));
    match (kind, usage) {
        (DisplayHelpOnMissingArgumentOrSubcommand, Some(usage)) => {
            let command = usage.split(['[', '<']).next().unwrap_or(usage).trim_end();
            format!("which command? {command} --help lists them")
        }
        (UnknownArgument, Some(usage)) if !message.contains("tip: a similar ") => {
            format!("{}; usage: {usage}", one_line(message))
        }
        _ => one_line(message),
    }
}

/// The first paragraphs of clap's message, up to its usage lines.
fn one_line(message: &str) -> String {
    let parts = message
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        // Nobody who types a flag means a value.
        .filter(|line| !line.is_empty() && !line.starts_with("tip: to pass "));
    let mut joined = String::new();
    for part in parts {
        let tip = part.strip_prefix("tip: ");
        joined.push_str(if joined.is_empty() {
            ""
        } else if tip.is_some() {
            "; "
        } else {
            " "
        });
        joined.push_str(tip.unwrap_or(part));
    }
    let said = joined.strip_prefix("error: ").unwrap_or(&joined);
    said.replace("invalid digit found in string", "not a whole number")
        .replace("invalid float literal", "not a number")
}
