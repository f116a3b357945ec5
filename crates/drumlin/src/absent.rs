//! WARC files that a crawl has closed and that are gone or were cut, though nothing of the program's did that.

use crate::diary::{self, Diary};
use crate::terminal::tell;
use disk::Disk;
use logs::Level;
use std::path::Path;
use stdx::count_of;

/// Names that are said; beyond them it is said how many there are.
const NAMED: usize = 3;

/// Says so on standard error; gives what it has said.
pub(crate) fn tell_of_absent(disk: &dyn Disk, dir: &Path) -> anyhow::Result<Option<String>> {
    let absent = named(&archive::absent_files(disk)?);
    if let Some(absent) = &absent {
        let dir = dir.join("archive");
        tell(format_args!(
            "absent from {} or shorter than they were: {absent}; the index is without them once a run has ended",
            dir.display()
        ));
    }
    Ok(absent)
}

/// The same, in the log of events too.
pub(crate) fn note_absent(disk: &dyn Disk, dir: &Path, diary: &Diary) -> anyhow::Result<()> {
    if let Some(absent) = tell_of_absent(disk, dir)? {
        diary.say(&diary::event(Level::Warn, "archive-absent").with("files", absent));
    }
    Ok(())
}

/// How many files, and the first of them by name; nothing of none.
pub(crate) fn named(files: &[String]) -> Option<String> {
    let first = files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if files.len() > NAMED { ", …" } else { "" };
    (!files.is_empty()).then(|| format!("{} ({first}{more})", count_of(files.len() as u64, "WARC file")))
}
