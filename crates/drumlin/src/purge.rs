//! `drumlin purge`: takes what is taken down out of the files of a crawl.

use crate::directory::Directory;
use crate::exit::is_loss;
use crate::export::Sight;
use crate::tools::{audit, print};
use crate::work::Format;
use crate::{absent, crawl, diary, scratch, tripwire, wiring};
use anyhow::bail;
use control::Takedown;
use disk::{Observed, SharedDisk};
use node::{NodeConfig, Purge, Witnessed};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use stdx::count_of;

/// Of which crawl.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The directory of a crawl; it must not be running
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// One JSON object instead of lines for people
    #[arg(long)]
    json: bool,
}

const EXPORTS: &str = "export";

/// Purges, and says what is gone.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = Directory::claim_existing(&args.dir, tripwire::from_environment)?;
    let prepared = crawl::at_rest(directory)?;
    let begun = diary::begin(prepared.directory.path(), prepared.config.log)?;
    let witnessed = Witnessed::default().by(begun.diary.clone());
    let node = NodeConfig { witnessed, ..wiring::node_config(&prepared.config, prepared.scope)? };
    let disk = prepared.directory.disk();
    let sight = Arc::new(Sight::of_captures(&*disk, Format::of(args.json))?);
    let seen: SharedDisk = Arc::new(Observed::new(disk, sight.clone()));
    let done = purge(&node, &seen, &sight);
    sight.clear();
    let done = done.map_err(|error| failed(error, &args.dir))?;
    print(&if args.json { as_json(&done) } else { as_text(&done) })?;
    require_all(&done.purge)
}

/// What is damaged is so the next time, too.
fn failed(error: anyhow::Error, dir: &Path) -> anyhow::Error {
    let again = if is_loss(&error) { "" } else { "; do it again" };
    error.context(format!("the crawl in {} is not purged{again}", dir.display()))
}

/// What is withheld stays that while a file is absent that may hold it.
fn require_all(done: &Purge) -> anyhow::Result<ExitCode> {
    match absent::warc_files(&done.absent).filter(|_| !done.takedowns.is_empty()) {
        None => Ok(ExitCode::SUCCESS),
        Some(absent) => bail!(
            "what is withheld is not purged: absent from archive/ or shorter than they were: {absent}; purge again when they are back"
        ),
    }
}

/// What is gone.
#[derive(Default)]
struct Done {
    /// Whether there was anything to be done.
    was_owed: bool,
    purge: Purge,
    /// Files of exports.
    exports: u64,
}

fn purge(node: &NodeConfig, disk: &SharedDisk, sight: &Sight) -> anyhow::Result<Done> {
    if !is_owed(disk)? {
        return Ok(Done::default());
    }
    // They were made of what goes, and can be made again.
    let exports = export::withdraw_all(&**disk, Path::new(EXPORTS))?;
    scratch::clear(&**disk)?;
    let purge = node::purge(node, disk, &mut |step| sight.work(step))?;
    Ok(Done { was_owed: true, purge, exports })
}

/// Whether something is withheld only, a purge has not ended, or what was purged has come back, from a backup for example.
fn is_owed(disk: &SharedDisk) -> anyhow::Result<bool> {
    Ok(node::taken_down(disk)?.withheld().next().is_some()
        || archive::is_purge_unfinished(&**disk)?
        || audit::finds_what_was_purged(disk)?)
}

fn as_json(Done { purge: done, exports, .. }: &Done) -> String {
    let takedowns: Vec<u64> = done.takedowns.iter().map(|takedown| takedown.entry).collect();
    let answer = json!({
        "takedowns": takedowns,
        "resumed": done.archive.resumed,
        "warc_files": done.archive.files,
        "records": done.archive.records,
        "bytes": done.archive.bytes,
        "made_whole": done.archive.made_whole,
        "corpus_files": done.corpus.files,
        "rows": done.corpus.gone,
        "duplicates_removed": done.corpus.tables > 0,
        "exports_removed": exports,
        "absent": done.absent,
    });
    format!("{answer}\n")
}

fn as_text(Done { was_owed, purge, exports }: &Done) -> String {
    if !was_owed {
        return "nothing is taken down that is not purged\n".to_owned();
    }
    let Purge { archive, corpus, takedowns, .. } = purge;
    let mut lines: Vec<String> = takedowns.iter().map(Takedown::to_string).collect();
    if archive.resumed {
        lines.push("a purge that was interrupted has been brought to its end".to_owned());
    } else if takedowns.is_empty() {
        lines.push("what was purged before had come back".to_owned());
    }
    let bytes = stdx::format_bytes(archive.bytes);
    let (records, files) = (count_of(archive.records, "record"), count_of(archive.files, "file"));
    lines.push(format!("archive: {records} gone from {files}, {bytes}"));
    if archive.made_whole > 0 {
        let captures = count_of(archive.made_whole, "capture");
        lines.push(format!("archive: {captures} with the same payload made whole"));
    }
    let (rows, files) = (count_of(corpus.gone, "row"), count_of(corpus.files, "file"));
    lines.push(format!("corpus: {rows} gone from {files}"));
    if corpus.tables > 0 {
        lines.push("corpus: duplicates.parquet removed; `drumlin duplicates` makes it anew".to_owned());
    }
    if *exports > 0 {
        lines.push(format!(
            "export: {} removed; `drumlin export` makes exports anew",
            count_of(*exports, "file")
        ));
    }
    lines.join("\n") + "\n"
}
