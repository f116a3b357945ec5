//! `drumlin duplicates`: which pages of a crawl say nearly the same.

use crate::directory::Directory;
use crate::exit::bad_usage;
use crate::status::tell_of_missing_rows;
use crate::tools::print;
use crate::tripwire;
use crate::work::{Format, Work};
use anyhow::Context;
use corpus::{DUPLICATES_FILE, Duplicates, Search, find_duplicates};
use near::{Config, Similarity};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stdx::{count_of, format_count};

/// Which crawl, and what is called a duplicate.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The crawl's directory; nobody may be crawling there
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: PathBuf,
    /// How much of their word 5-grams two texts have in common, of all that either has: from 0.5 to 1; 19 in 20 of
    /// those just as similar are found, and nearly all that are more
    #[arg(long, value_name = "SHARE", default_value = "0.9", value_parser = similarity)]
    similarity: f64,
    /// What the search may take
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = stdx::parse_bytes)]
    memory: u64,
    /// One JSON object instead of lines for people
    #[arg(long)]
    json: bool,
}

const CORPUS: &str = "corpus";
pub(crate) const SCRATCH: &str = "state/duplicates";

/// Looks for near-duplicates in the corpus and writes the table.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = Directory::claim_existing(&args.dir, tripwire::from_environment)?;
    let disk = directory.disk();
    if disk.list(Path::new(CORPUS)).is_err() {
        return Err(bad_usage(format!("the crawl in {} has no corpus yet", args.dir.display())));
    }
    tell_of_missing_rows(&args.dir, &*disk)?;
    let config = Config { similarity: Similarity(args.similarity), memory_bytes: args.memory as usize };
    let mut work = Work::new(Format::of(args.json));
    let watch = &mut |step| work.step(step);
    let taken = &node::taken_down(&disk)?;
    let is_withheld = &|url: &str| taken.covering_text(url).is_some();
    let search = Search { dir: Path::new(CORPUS), scratch: Path::new(SCRATCH), config, is_withheld };
    let found = find_duplicates(&disk, search, watch)
        .with_context(|| format!("no duplicates were looked for in {}", args.dir.display()))?;
    drop(work);
    print(&answer(args, found))
}

fn answer(args: &Args, Duplicates { rows, duplicates, groups }: Duplicates) -> String {
    let table = args.dir.join(CORPUS).join(DUPLICATES_FILE);
    if args.json {
        let answer = serde_json::json!({"pages": rows, "duplicates": duplicates, "groups": groups, "table": table.display().to_string()});
        return format!("{answer}\n");
    }
    let (of, groups) = (count_of(rows, "page"), count_of(groups, "group"));
    format!("{} of {of} repeat another, in {groups}: {}\n", format_count(duplicates), table.display())
}

fn similarity(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.5..=1.0).contains(share));
    share.ok_or_else(|| "a share from 0.5 to 1".to_owned())
}
