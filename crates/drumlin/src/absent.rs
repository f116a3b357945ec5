//! Files that a crawl has closed and that are gone or were cut, though nothing of the program's did that.

use crate::diary::{self, Diary};
use crate::terminal::tell;
use disk::Disk;
use logs::Level;
use std::path::Path;
use stdx::count_of;

/// Names that are said; beyond them it is said how many there are.
const NAMED: usize = 3;

/// Their names.
pub(crate) struct Absent {
    /// WARC files.
    pub(crate) archive: Vec<String>,
    /// Files of rows.
    pub(crate) corpus: Vec<String>,
}

impl Absent {
    pub(crate) fn of(disk: &dyn Disk) -> anyhow::Result<Self> {
        let corpus = corpus::absent_files(disk, Path::new("corpus"))?;
        Ok(Self { archive: archive::absent_files(disk)?, corpus })
    }

    /// How many WARC files, and the first of them by name; nothing of none.
    pub(crate) fn of_archive(&self) -> Option<String> {
        warc_files(&self.archive)
    }

    /// The same of files of rows.
    pub(crate) fn of_corpus(&self) -> Option<String> {
        named(&self.corpus, "corpus file")
    }
}

/// Says so on standard error; gives what it has said.
pub(crate) fn tell_of_absent(disk: &dyn Disk, dir: &Path) -> anyhow::Result<Absent> {
    let absent = Absent::of(disk)?;
    if let Some(files) = absent.of_archive() {
        let dir = dir.join("archive");
        tell(format_args!(
            "absent from {} or shorter than they were: {files}; the index is without them once a run has ended",
            dir.display()
        ));
    }
    if let Some(files) = absent.of_corpus() {
        let dir = dir.join("corpus");
        let dir = dir.display();
        tell(format_args!(
            "absent from {dir}: {files}; the rows are gone, while their captures are in the archive"
        ));
    }
    Ok(absent)
}

/// The same, in the log of events too.
pub(crate) fn note_absent(disk: &dyn Disk, dir: &Path, diary: &Diary) -> anyhow::Result<()> {
    let absent = tell_of_absent(disk, dir)?;
    for (event, files) in [("archive-absent", absent.of_archive()), ("corpus-absent", absent.of_corpus())] {
        if let Some(files) = files {
            diary.say(&diary::event(Level::Warn, event).with("files", files));
        }
    }
    Ok(())
}

/// How many, and the first of them by name; nothing of none.
pub(crate) fn warc_files(names: &[String]) -> Option<String> {
    named(names, "WARC file")
}

fn named(files: &[String], what: &str) -> Option<String> {
    let first = files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if files.len() > NAMED { ", …" } else { "" };
    (!files.is_empty()).then(|| format!("{} ({first}{more})", count_of(files.len() as u64, what)))
}
