//! The command line: one variant a command.

use crate::args::{CrawlArgs, DemoArgs, ResumeArgs};
use crate::tools::{audit, config, manual, parse, plan, probe, robots, warc};
use crate::{contact_page, duplicates, explain, export, keygen, purge, report, status};
use crate::{crawl, ctl, demo, log, look};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A polite web crawler: seeds in; a WARC archive, a text corpus and a link graph out.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Crawl from these URLs; run again, go on where it stopped.
    #[command(allow_negative_numbers = true)]
    Crawl(Box<CrawlArgs>),
    /// Go on with the crawl in a directory, as its drumlin.toml says.
    Resume(ResumeArgs),
    /// Tell a crawl, running or not, to pause, go on, stop, exclude, take down, change settings, begin elsewhere too, retry.
    Ctl(Box<ctl::Args>),
    /// Give the URLs of a crawl that used up their attempts fresh ones, and ask again for hosts whose addresses were refused: all, or
    /// those of a host, a domain, an expression.
    Retry(ctl::RetryArgs),
    /// Take what was taken down out of the files of a crawl that does not run: archive, index, corpus, exports.
    Purge(purge::Args),
    /// Say what a crawl knows of a URL: where it stands, and why it waits.
    Explain(explain::Args),
    /// Find pages of a crawl that say nearly the same, and list them beside the corpus.
    Duplicates(duplicates::Args),
    /// Show a crawl in a browser, running or not.
    Ui(look::Args),
    /// Say where a crawl stands, and what holds it back.
    Status(status::Args),
    /// Show every attempt of a crawl, also as JSON or in Heritrix's columns, or what its runs said of themselves.
    Log(log::Args),
    /// Make one page of a crawl's numbers and charts, with the numbers beside it; or tell what was fetched from one host.
    Report(report::Args),
    /// Prove from a crawl's journal, and from a server's log, that no promise to servers was broken; or show where.
    Audit(audit::Args),
    /// Make what other tools read from a crawl's archive and corpus: WET, WAT, indexes, tables, link graphs, WACZ.
    Export(export::Args),
    /// Make the page for the address in the user agent: who crawls, what it does, how to stop it.
    ContactPage(contact_page::Args),
    /// Make the key that requests are signed with, and what has to be published so that servers can check it.
    Keygen(keygen::Args),
    /// Check a file of settings, or show what a crawl goes by.
    #[command(subcommand)]
    Config(config::Command),
    /// Crawl a synthetic web that lives in this process: what a crawl looks like, with no network.
    Demo(DemoArgs),
    /// Show what the crawler reads in a page: links, base, title, charset, language, directives, text.
    Parse(parse::Args),
    /// Show what a robots.txt allows, by which rule and line.
    Robots(robots::Args),
    /// Check WARC files, or list their records.
    Warc(warc::Args),
    /// Work out what a crawl takes: rates, disks, memory, nodes.
    #[command(allow_negative_numbers = true)]
    Plan(plan::Args),
    /// Print the manual page of the program, or of a command.
    Man(manual::ManArgs),
    /// Print the completions of a shell.
    Completions(manual::CompletionArgs),
    /// Answer JSON lines with JSON lines, for conformance suites.
    Probe(probe::Args),
}

impl Cli {
    /// Runs the command that was given.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Crawl(args) => crawl::crawl(&args).map(ExitCode::from),
            Command::Resume(args) => crawl::resume(&args).map(ExitCode::from),
            Command::Ctl(args) => ctl::run(*args),
            Command::Retry(args) => ctl::retry(&args),
            Command::Purge(args) => purge::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::Duplicates(args) => duplicates::run(&args),
            Command::Ui(args) => look::run(&args),
            Command::Status(args) => status::run(&args),
            Command::Log(args) => log::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Audit(args) => audit::run(&args),
            Command::Export(args) => export::run(&args),
            Command::ContactPage(args) => contact_page::run(&args),
            Command::Keygen(args) => keygen::run(&args),
            Command::Config(command) => config::run(&command),
            Command::Demo(args) => demo::demo(&args).map(ExitCode::from),
            Command::Parse(args) => parse::run(&args),
            Command::Robots(args) => robots::run(&args),
            Command::Warc(args) => warc::run(&args),
            Command::Plan(args) => plan::run(&args),
            Command::Man(args) => manual::man(&args),
            Command::Completions(args) => manual::completions(&args),
            Command::Probe(args) => probe::run(&args),
        }
    }
}
