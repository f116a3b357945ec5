//! `drumlin export`: what other tools read, made from what a crawl left.

use crate::directory::Directory;
use crate::exit::bad_usage;
use crate::tools::print;
use crate::tripwire;
use anyhow::Context;
use clap::ValueEnum;
use disk::Disk;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is made, and of which crawl.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to make
    #[arg(value_name = "WHAT")]
    what: What,
    /// The crawl's directory; nobody may be crawling there
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// The texts as WARC conversion records: export/wet/*.warc.wet.gz
    Wet,
    /// The CDXJ index in compressed blocks, for pywb and others: export/cdxj/cluster.idx
    Cdxj,
}

const INDEX: &str = "archive/index.cdxj";
const CORPUS: &str = "corpus";
const SOFTWARE: &str = concat!("drumlin/", env!("CARGO_PKG_VERSION"));

/// Makes it, in the place of what an earlier export made.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = Directory::claim_existing(&args.dir, tripwire::from_environment)?;
    let disk = directory.disk();
    let said = match args.what {
        What::Wet => wet(&*disk, args),
        What::Cdxj => cdxj(&*disk, args),
    };
    print(&said.with_context(|| format!("nothing was exported of {}", args.dir.display()))?)
}

fn wet(disk: &dyn Disk, args: &Args) -> anyhow::Result<String> {
    require(disk, CORPUS, args)?;
    let made = export::wet(disk, Path::new(CORPUS), Path::new("export/wet"), SOFTWARE)?;
    let bytes = stdx::format_bytes(made.bytes);
    let place = args.dir.join("export/wet");
    Ok(format!("{} texts in {} files, {bytes}: {}\n", made.records, made.files, place.display()))
}

fn cdxj(disk: &dyn Disk, args: &Args) -> anyhow::Result<String> {
    require(disk, INDEX, args)?;
    let made = export::zipnum(disk, Path::new(INDEX), Path::new("export/cdxj"))?;
    let bytes = stdx::format_bytes(made.bytes);
    let place = args.dir.join("export/cdxj/cluster.idx");
    Ok(format!("{} captures in {} blocks, {bytes}: {}\n", made.lines, made.blocks, place.display()))
}

fn require(disk: &dyn Disk, what: &str, args: &Args) -> anyhow::Result<()> {
    if disk.stat(Path::new(what)).is_ok_and(|found| found.is_some()) || disk.list(Path::new(what)).is_ok() {
        return Ok(());
    }
    Err(bad_usage(format!("the crawl in {} has no {what} yet", args.dir.display())))
}
