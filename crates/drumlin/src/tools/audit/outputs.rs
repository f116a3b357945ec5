use anyhow::Context;
use control::{Stage, Takedown, Takedowns};
use disk::SharedDisk;
use ledger::{Breach, Finding, Findings, Place};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What the files of a crawl hold of what was taken down.
#[derive(Debug, Default, Serialize)]
pub(super) struct Outputs {
    /// What they hold although it was purged.
    pub(super) findings: Findings,
    /// Takedowns that are not purged: how much there still is, by their numbers.
    pub(super) withheld: BTreeMap<u64, Withheld>,
    /// Takedowns of which nothing is left.
    pub(super) purged: u64,
    /// Whether a purge has not ended: of what it has begun with a part may be gone, even where the takedown was taken back.
    pub(super) half_purged: bool,
}

/// What is there of one takedown, and leaves the crawl by no export.
#[derive(Debug, Default, Serialize)]
pub(super) struct Withheld {
    /// What of, and since when.
    pub(super) takedown: String,
    /// Records of the archive.
    pub(super) records: u64,
    /// Rows of the corpus.
    pub(super) rows: u64,
    /// What exports have left from before: records, rows and lines.
    pub(super) exported: u64,
}

const CORPUS: &str = "corpus";
const EXPORTS: &str = "export";
const INDEX: &str = "archive/index.cdxj";

/// Where something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Record,
    Row,
    Line,
    Exported,
}

impl Outputs {
    /// Reads archive, index, corpus and exports, if anything was taken down at all.
    pub(super) fn of(disk: &SharedDisk) -> anyhow::Result<Self> {
        let taken = node::taken_down(disk).context("what was taken down can't be read")?;
        let half_purged = archive::is_purge_unfinished(&**disk)?;
        let mut outputs = Self { half_purged, ..Self::default() };
        if taken.is_empty() {
            return Ok(outputs);
        }
        outputs.begin(&taken);
        outputs.archive(disk, &taken)?;
        outputs.corpus(disk, &taken)?;
        let exports = Path::new(EXPORTS);
        export::covered_by_exports(&**disk, exports, &taken, &mut |found| {
            outputs.note(Kind::Exported, found.path, found.url, found.takedown);
        })?;
        Ok(outputs)
    }

    fn begin(&mut self, taken: &Takedowns) {
        for takedown in taken.withheld() {
            let withheld = Withheld { takedown: takedown.to_string(), ..Withheld::default() };
            self.withheld.insert(takedown.entry, withheld);
        }
        self.purged = taken.iter().filter(|takedown| takedown.stage == Stage::Purged).count() as u64;
    }

    fn archive(&mut self, disk: &SharedDisk, taken: &Takedowns) -> anyhow::Result<()> {
        archive::for_each_covered(&**disk, taken, |name, record| {
            let url = record.target_uri().unwrap_or_default();
            if let Some(takedown) = taken.covering_text(url) {
                self.note(Kind::Record, &Path::new("archive").join(name), url, takedown);
            }
        })?;
        let index = Path::new(INDEX);
        if disk.stat(index)?.is_some() {
            export::covered_by_index(&**disk, index, taken, &mut |found| {
                self.note(Kind::Line, found.path, found.url, found.takedown);
            })?;
        }
        Ok(())
    }

    fn corpus(&mut self, disk: &SharedDisk, taken: &Takedowns) -> anyhow::Result<()> {
        let dir = Path::new(CORPUS);
        if disk.list(dir).is_err() {
            return Ok(());
        }
        for path in corpus::closed_files(&**disk, dir)? {
            corpus::for_each_text(&**disk, &path, "url", |url| {
                if let Some(takedown) = taken.covering_text(url) {
                    self.note(Kind::Row, &path, url, takedown);
                }
            })?;
        }
        Ok(())
    }

    fn note(&mut self, kind: Kind, path: &Path, url: &str, takedown: &Takedown) {
        let Some(withheld) = self.withheld.get_mut(&takedown.entry) else {
            return self.findings.add(Finding {
                breach: Breach::NotPurged,
                place: Place::Entry(takedown.entry),
                at_ms: takedown.at.as_ms(),
                url: url.to_owned(),
                detail: format!("{} has it, although {} is purged", path.display(), takedown.rule()),
            });
        };
        match kind {
            Kind::Record => withheld.records += 1,
            Kind::Row => withheld.rows += 1,
            Kind::Exported => withheld.exported += 1,
            Kind::Line => {}
        }
    }
}
