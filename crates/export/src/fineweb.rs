//! The corpus with everything that is known of its rows, in `FineWeb`'s columns first, less what owners withhold.

mod duplicates;
mod joined;
mod lines;
mod table;

use crate::captures::Dangling;
use crate::error::{Error, Result};
use crate::limits::ROW_GROUP_SHARE;
use crate::new_file::{or_withdraw, withdraw_others};
use crate::owners::{Gate, Owners, OwnersConfig};
use crate::scratch::Scratch;
use corpus::Reader;
use disk::Disk;
use duplicates::Duplicates;
use joined::Joined;
use lines::Lines;
use std::path::{Path, PathBuf};
use table::Rows;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FineWeb {
    /// Files: one for each of the corpus.
    pub files: u64,
    /// Rows in them.
    pub rows: u64,
    /// Rows that are not, because they were taken down or their owners reserve them; listed in `withheld.jsonl`.
    pub withheld: u64,
    /// Rows of the corpus among which near-duplicates were looked for, if they were; of those behind them nobody knows.
    pub compared: Option<u64>,
    /// Captures that stand for what an earlier crawl's archive has no longer: of them nobody knows what their owners say.
    pub dangling: Dangling,
    /// Bytes of the files.
    pub bytes: u64,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `pages-00001.parquet`.
    Parquet,
    /// `pages-00001.jsonl.gz`: a JSON object a line.
    JsonLines,
}

/// Writes the corpus in `from`, joined with the table of its duplicates and with what owners say, into `dir`, a file for each file.
pub fn fineweb(
    disk: &dyn Disk,
    from: &Path,
    config: &OwnersConfig<'_>,
    dir: &Path,
    form: Form,
) -> Result<FineWeb> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    or_withdraw(write(disk, from, config, dir, form), disk, dir)
}

fn write(disk: &dyn Disk, from: &Path, config: &OwnersConfig<'_>, dir: &Path, form: Form) -> Result<FineWeb> {
    let scratch = Scratch::begin(disk, config.scratch, config.memory_bytes)?;
    let owners = Owners::ask(scratch, config, from)?;
    let dangling = owners.dangling.clone();
    let mut gate = Gate::new(disk, Some(owners), config, dir)?;
    let mut duplicates = Duplicates::open(scratch, from)?;
    let compared = corpus::duplicates_footer(disk, from)?.map(|footer| footer.rows);
    let mut written = FineWeb { compared, dangling, ..FineWeb::default() };
    let row_group_bytes = config.memory_bytes / ROW_GROUP_SHARE;
    let mut names = Vec::new();
    for path in corpus::closed_files(disk, from)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned() + form.ending();
        let mut sink = Sink::create(disk, dir.join(&name), form, row_group_bytes)?;
        for row in Reader::open(disk, &path)? {
            let row = row?;
            let duplicate_of = duplicates.of(row.capture)?;
            if let Some(terms) = gate.admit(&row)? {
                sink.push(Joined::new(row, duplicate_of, terms))?;
                written.rows += 1;
            }
        }
        written.files += 1;
        written.bytes += sink.finish(disk)?;
        names.push(name);
    }
    withdraw_others(disk, dir, form.ending(), &names)?;
    duplicates.finish()?;
    Ok(FineWeb { withheld: gate.finish(disk)?, ..written })
}

impl Form {
    fn ending(self) -> &'static str {
        match self {
            Self::Parquet => ".parquet",
            Self::JsonLines => ".jsonl.gz",
        }
    }
}

enum Sink {
    Parquet(Rows),
    JsonLines(Lines),
}

impl Sink {
    fn create(disk: &dyn Disk, path: PathBuf, form: Form, row_group_bytes: usize) -> Result<Self> {
        Ok(match form {
            Form::Parquet => Self::Parquet(Rows::create(disk, path, row_group_bytes)?),
            Form::JsonLines => Self::JsonLines(Lines::create(disk, path)?),
        })
    }

    fn push(&mut self, row: Joined) -> Result<()> {
        match self {
            Self::Parquet(rows) => rows.push(row),
            Self::JsonLines(lines) => lines.push(&row),
        }
    }

    fn finish(self, disk: &dyn Disk) -> Result<u64> {
        match self {
            Self::Parquet(rows) => rows.finish(disk),
            Self::JsonLines(lines) => lines.finish(disk),
        }
    }
}
