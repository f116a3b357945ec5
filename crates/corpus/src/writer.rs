use crate::error::Error;
use crate::held::Held;
use crate::limits::{CorpusLimits, ROW_BYTES_MAX};
use crate::open_file::OpenFile;
use crate::ranges::Ranges;
use crate::row::Row;
use disk::{Disk, SharedDisk};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Writes rows into `pages-00001.parquet` and so on, in the order they arrive. A file is called `….open` until it
/// is whole and durable.
pub struct Writer {
    disk: SharedDisk,
    dir: PathBuf,
    limits: CorpusLimits,
    /// Number of the file that is open or comes next. Used again after a failure, so that whatever the failed
    /// attempt left under that name is replaced.
    number: u64,
    open: Option<OpenFile>,
    /// Captures whose rows are in the open file.
    captures: Ranges,
    /// Captures without a row, not yet named by a closed file.
    passed: Ranges,
    abandoned: Ranges,
}

/// A file that is whole, durable and under its final name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// Name in the corpus directory.
    pub file: String,
    /// Captures that the file settles: those of its rows, and those passed over in the meantime.
    pub captures: Ranges,
    /// Rows.
    pub rows: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

const CLOSED_SUFFIX: &str = ".parquet";
const OPEN_SUFFIX: &str = ".parquet.open";

impl Writer {
    /// Opens the corpus in `dir`, making the directory if needed: removes unfinished files, and tells which
    /// captures need no row any more. Other files in the directory are left alone.
    pub fn open(disk: SharedDisk, dir: &Path, limits: CorpusLimits) -> Result<(Self, Held), Error> {
        disk.create_dir(dir).map_err(Error::disk(dir))?;
        let names = disk.list(dir).map_err(Error::disk(dir))?;
        for name in names.iter().filter(|name| number_of(name, OPEN_SUFFIX).is_some()) {
            let path = dir.join(name);
            disk.remove(&path).map_err(Error::disk(&path))?;
        }
        // A kill may have come between a rename and its sync: what is counted as held must stay.
        disk.sync_dir(dir).map_err(Error::disk(dir))?;
        let mut held = Held::default();
        let mut last = 0;
        for name in &names {
            if let Some(number) = number_of(name, CLOSED_SUFFIX) {
                held.add(&*disk, &dir.join(name))?;
                last = last.max(number);
            }
        }
        let (captures, passed, abandoned) = Default::default();
        let dir = dir.to_owned();
        Ok((Self { disk, dir, limits, number: last + 1, open: None, captures, passed, abandoned }, held))
    }

    /// Adds the row of a capture that has none yet, and closes the file if that fills it. On an error other than
    /// [`Error::RowTooLarge`] the unfinished file is gone and its rows, this one too, are
    /// [abandoned](Self::take_abandoned). Panics if the capture is in the unfinished file already.
    pub fn push(&mut self, row: Row) -> Result<Option<Closed>, Error> {
        let (capture, bytes) = (row.capture, row.bytes());
        if bytes > ROW_BYTES_MAX {
            return Err(Error::RowTooLarge { capture, bytes });
        }
        assert!(self.captures.insert(capture), "the row of capture {capture} was pushed twice");
        let pushed = self.append(row);
        self.abandon_on_error(pushed)
    }

    /// Notes that `capture` has no row (not a page, or withheld), so that the next closed file settles it and
    /// recovery need not look at it again. Keeps the list of captures short.
    pub fn pass_over(&mut self, capture: u64) {
        self.passed.insert(capture);
    }

    /// Closes the unfinished file, if there is one; otherwise does nothing. Errors as [`Self::push`].
    pub fn close(&mut self) -> Result<Option<Closed>, Error> {
        let closed = self.finish();
        self.abandon_on_error(closed)
    }

    /// Captures whose rows have been pushed and are in no closed file: what a crash now would lose.
    pub fn pending(&self) -> &Ranges {
        &self.captures
    }

    /// Bytes that rows not yet on disk take in memory: at most a row group's, a batch's and a row's.
    pub fn memory_bytes(&self) -> u64 {
        self.open.as_ref().map_or(0, OpenFile::memory_bytes)
    }

    /// Hands over the captures whose rows were lost to errors since the last call: they can be pushed again.
    pub fn take_abandoned(&mut self) -> Ranges {
        std::mem::take(&mut self.abandoned)
    }

    fn append(&mut self, row: Row) -> Result<Option<Closed>, Error> {
        let path = self.dir.join(name_of(self.number, OPEN_SUFFIX));
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(OpenFile::create(&*self.disk, path, &self.limits)?),
        };
        open.push(row, &self.limits)?;
        if open.is_full(&self.limits) { self.finish() } else { Ok(None) }
    }

    /// Write all, sync, rename, sync the directory.
    fn finish(&mut self) -> Result<Option<Closed>, Error> {
        let Some(open) = self.open.take() else { return Ok(None) };
        let mut settled = self.captures.clone();
        settled.extend(&self.passed);
        let (from, rows) = (open.path().to_owned(), open.rows());
        let bytes = open.finish(&settled)?;
        let file = name_of(self.number, CLOSED_SUFFIX);
        self.disk.rename(&from, &self.dir.join(&file)).map_err(Error::disk(&from))?;
        self.disk.sync_dir(&self.dir).map_err(Error::disk(&self.dir))?;
        self.number += 1;
        self.captures = Ranges::new();
        self.passed = Ranges::new();
        Ok(Some(Closed { file, captures: settled, rows, bytes }))
    }

    fn abandon_on_error<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            self.open = None;
            self.abandoned.extend(&std::mem::take(&mut self.captures));
            self.remove_leftovers();
        }
        result
    }

    /// Gives the space back at once if the disk lets us; if not, the next file replaces these names, or the next
    /// start removes or counts them.
    fn remove_leftovers(&self) {
        for suffix in [OPEN_SUFFIX, CLOSED_SUFFIX] {
            let _ = self.disk.remove(&self.dir.join(name_of(self.number, suffix)));
        }
    }
}

fn name_of(number: u64, suffix: &str) -> String {
    format!("pages-{number:05}{suffix}")
}

/// Paths of the closed files in `dir`, in the order of their numbers.
pub fn closed_files(disk: &dyn Disk, dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let names = disk.list(dir).map_err(Error::disk(dir))?;
    let mut numbered: Vec<(u64, &String)> =
        names.iter().filter_map(|name| Some((number_of(name, CLOSED_SUFFIX)?, name))).collect();
    numbered.sort_unstable();
    Ok(numbered.into_iter().map(|(_, name)| dir.join(name)).collect())
}

/// Names of closed files that should be in `dir` and are not: files are numbered without gaps from 1 on, so that each is missed but those
/// behind the last that is there. 1,000 at most.
pub fn absent_files(disk: &dyn Disk, dir: &Path) -> Result<Vec<String>, Error> {
    let names = match disk.list(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        names => names.map_err(Error::disk(dir))?,
    };
    let there: BTreeSet<u64> = names.iter().filter_map(|name| number_of(name, CLOSED_SUFFIX)).collect();
    let all = 1..there.last().copied().unwrap_or(1);
    let absent = all.filter(|number| !there.contains(number)).take(ABSENT_NAMED);
    Ok(absent.map(|number| name_of(number, CLOSED_SUFFIX)).collect())
}

/// Absent files that are named.
const ABSENT_NAMED: usize = 1_000;

/// The number in a name that [`name_of`] made.
fn number_of(name: &str, suffix: &str) -> Option<u64> {
    let number = name.strip_prefix("pages-")?.strip_suffix(suffix)?.parse().ok()?;
    (name == name_of(number, suffix)).then_some(number)
}
