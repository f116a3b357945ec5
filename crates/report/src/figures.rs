use crate::{Archived, Error, Pages, Requests, TakenDown};
use control::Takedowns;
use corpus::{DuplicatesFooter, duplicates_footer, for_each_traits};
use disk::{Disk, SharedDisk};
use ledger::Judge;
use serde::Serialize;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use stdx::{Step, Watch};

/// A crawl in numbers.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Figures {
    /// What was asked of servers.
    pub requests: Requests,
    /// What pages were like.
    pub pages: Pages,
    /// What the archive holds.
    pub archive: Archived,
    /// What must not leave the crawl.
    pub taken_down: TakenDown,
    /// What repeats what, if that was looked for.
    pub duplicates: Option<Duplicates>,
    /// Why that is not known although it was looked for.
    pub duplicates_unreadable: Option<String>,
}

/// Pages that say nearly what another says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Duplicates {
    /// Pages that were looked at.
    pub rows: u64,
    /// Those that repeat an earlier one.
    pub duplicates: u64,
    /// What was called so: how much of their word 5-grams two texts share, 0 to 1.
    pub similarity: f64,
}

const CORPUS: &str = "corpus";
const INDEX: &str = "archive/index.cdxj";

impl Figures {
    /// Reads a crawl's directory, which may be running: what is whole by now counts. `judge` knows what was promised before
    /// the journal says so; pages that `takedowns` cover are counted as withheld, too. Holds names and stretches of time up to [`crate::limits`], whatever the crawl.
    pub fn gather(
        disk: &SharedDisk,
        judge: Judge,
        takedowns: &Takedowns,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let requests = requests(disk, judge, watch)?;
        let mut taken_down = TakenDown::of(takedowns);
        let pages = pages(disk.as_ref(), watch, |url| {
            taken_down.pages += u64::from(takedowns.covering_text(url).is_some());
        })?;
        let archive = Archived::read(disk.as_ref(), Path::new(INDEX), watch)?;
        // It can be made again, and nothing else is told by it.
        let (duplicates, duplicates_unreadable) = match duplicates_footer(disk.as_ref(), Path::new(CORPUS)) {
            Ok(footer) => (footer.map(Duplicates::from), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Ok(Self { requests, pages, archive, taken_down, duplicates, duplicates_unreadable })
    }
}

fn requests(disk: &SharedDisk, mut judge: Judge, watch: &mut Watch<'_>) -> Result<Requests, Error> {
    let mut found = Requests::default();
    let bytes = archive::ledger_bytes(disk.as_ref())?;
    let mut journal = archive::ledger(Arc::clone(disk))?;
    while let Some(entry) = journal.next() {
        found.take(&entry?, &mut judge)?;
        watch(Step::bytes("reading the journal", journal.bytes_read(), bytes));
    }
    found.gaps.broken = judge.findings.total();
    Ok(found)
}

fn pages(disk: &dyn Disk, watch: &mut Watch<'_>, mut see: impl FnMut(&str)) -> Result<Pages, Error> {
    let mut found = Pages::default();
    match disk.list(Path::new(CORPUS)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
        listed => listed.map_err(Error::disk(Path::new(CORPUS)))?,
    };
    for_each_traits(disk, Path::new(CORPUS), watch, |row| {
        see(row.url);
        found.take(row);
    })?;
    Ok(found)
}

impl From<DuplicatesFooter> for Duplicates {
    fn from(footer: DuplicatesFooter) -> Self {
        let DuplicatesFooter { rows, duplicates, similarity } = footer;
        Self { rows, duplicates, similarity }
    }
}
