//! `drumlin report`: a crawl in numbers and charts, as one page that needs nothing else; or what was done to one host.

mod host;
mod traps;

pub(crate) use host::who;

use crate::crawl::configuration_of;
use crate::directory::open_to_read;
use crate::exit::bad_usage;
use crate::status::{Standing, standing, state_of};
use crate::terminal::tell;
use crate::tools::print;
use crate::wiring;
use crate::work::{Format, Work};
use ledger::{Attention, Judge};
use report::{About, Fact, Figures, page};
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Which crawl, and which host of it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The directory of a crawl, which may be running; with --dir a host, with those below it
    #[arg(value_name = "DIR|HOST")]
    what: String,
    /// The crawl that a host is looked up in
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Where the page goes; the numbers of a crawl go beside it, as .json [default: DIR/report.html; of a host, text on standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The numbers on standard output, and no page
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

/// The page's name in the crawl's directory.
const PAGE: &str = "report.html";

/// Reads the crawl and writes the page.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.dir {
        Some(dir) => host::run(args, dir),
        None => whole(args, Path::new(&args.what)),
    }
}

fn whole(args: &Args, dir: &Path) -> anyhow::Result<ExitCode> {
    if !dir.exists() {
        let name = dir.display();
        return Err(bad_usage(format!("there is no {name}; if it is a host, name its crawl with --dir")));
    }
    let place = args.out.clone().unwrap_or_else(|| dir.join(PAGE));
    let beside = place.with_extension("json");
    if place == beside {
        return Err(bad_usage("--out names the page; its numbers go beside it, as .json"));
    }
    let (about, figures) = read(dir, Format::of(args.json))?;
    let numbers = json!({ "format": 1, "about": about, "figures": figures });
    if args.json {
        return print(&format!("{numbers}\n"));
    }
    write(&place, &page(&about, &figures))?;
    if place.metadata().is_ok_and(|written| !written.is_file()) {
        // Beside a pipe or a terminal nothing is looked for.
        return Ok(ExitCode::SUCCESS);
    }
    write(&beside, &format!("{numbers:#}\n"))?;
    print(&format!("{}\n{}\n", place.display(), beside.display()))
}

fn read(dir: &Path, format: Format) -> anyhow::Result<(About, Figures)> {
    let mut work = Work::new(format);
    let disk = open_to_read(dir)?;
    let promise = wiring::promise(&configuration_of(dir)?);
    let judge = Judge::new(Attention::Delays, Some(promise));
    let takedowns = node::taken_down(&disk)?;
    let figures = Figures::gather(&disk, judge, &takedowns, &mut |step| work.step(step))?;
    drop(work);
    if let Some(why) = &figures.duplicates_unreadable {
        tell(format_args!("the report is made without near-duplicates: {why}"));
    }
    Ok((about(dir, &standing(dir)?)?, figures))
}

/// Writes a file whole, or leaves the one that is there; what is no file (a pipe, a terminal) is written to.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let is_other = path.symlink_metadata().is_ok_and(|there| !there.is_file());
    let written = if is_other { fs::write(path, text) } else { replace(path, text) };
    written.map_err(|error| cannot_write(path, error))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    let beside = Path::new(&beside);
    let written = fs::write(beside, text).and_then(|()| fs::rename(beside, path));
    if written.is_err() {
        let _ = fs::remove_file(beside);
    }
    written
}

/// A file that may not be written is for the user to name otherwise; a full disk is not.
pub(crate) fn cannot_write(path: &Path, error: io::Error) -> anyhow::Error {
    let failed = format!("cannot write {}", path.display());
    if disk::is_full(&error) {
        anyhow::Error::new(error).context(failed)
    } else {
        bad_usage(format!("{failed}: {error}"))
    }
}

fn about(dir: &Path, standing: &Standing) -> anyhow::Result<About> {
    let snapshot = &standing.snapshot;
    let whole = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let facts = |counts: &std::collections::BTreeMap<String, u64>| {
        counts.iter().map(|(name, count)| fact(name, *count)).collect()
    };
    Ok(About {
        traps: traps::found(dir, standing)?,
        unmerged: snapshot.strain.undecided,
        soft_404s: snapshot.soft_404s,
        handed_back: snapshot.resources.handed_back,
        name: whole.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        state: state_of(&standing.state),
        bottleneck: standing.bottleneck().to_string(),
        excluded: facts(&snapshot.excluded),
        out_of_scope: facts(&snapshot.out_of_scope),
        urls: vec![
            fact("fetched", settled(snapshot)),
            fact("waiting or under way", snapshot.queued),
            fact("excluded", snapshot.excluded_total()),
            fact("parked", snapshot.parked),
        ],
    })
}

/// What is in no other state.
fn settled(snapshot: &snapshot::Snapshot) -> u64 {
    let elsewhere = snapshot.queued + snapshot.excluded_total() + snapshot.parked;
    snapshot.discovered.saturating_sub(elsewhere)
}

fn fact(name: &str, count: u64) -> Fact {
    Fact { name: name.to_owned(), count }
}
