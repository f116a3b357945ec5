//! An archive as one file that opens in a browser (WACZ 1.1.1, Webrecorder).

mod index;
mod pages;
mod zip;

use crate::captures::warc_files;
use crate::covered::covered_by_archive;
use crate::error::{Error, Result};
use crate::new_file::{NewFile, or_withdraw};
use crate::scratch::{Scratch, ScratchFile};
use control::{Takedown, Takedowns};
use disk::{Disk, Mode, SequentialReader};
use pages::MainPage;
use serde_json::{Value, json};
use std::path::Path;
use warc::Reader;
use zip::{Measured, Stored, Zip};

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wacz {
    /// WARC files in it.
    pub files: u64,
    /// Pages in its lists.
    pub pages: u64,
    /// Captures in it that stand for answers of an earlier crawl, which it does not have: whoever replays them needs that archive too.
    pub not_modified: u64,
    /// Bytes of it.
    pub bytes: u64,
}

/// Where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct WaczConfig<'a> {
    /// The directory of the WARC files.
    pub archive: &'a Path,
    /// Their CDXJ index.
    pub index: &'a Path,
    /// The directory of the corpus, which lists the pages.
    pub corpus: &'a Path,
    /// A directory for what is put together, emptied before and after.
    pub scratch: &'a Path,
    /// Who writes it.
    pub software: &'a str,
    /// What was taken down.
    pub taken: &'a Takedowns,
}

/// The version of the format.
const VERSION: &str = "1.1.1";

/// Packs an archive, its index and the list of its pages into the file `path`. WARC files go in as they are, so nothing is packed
/// while they hold what was taken down, or are damaged.
pub fn wacz(disk: &dyn Disk, config: &WaczConfig<'_>, path: &Path) -> Result<Wacz> {
    if let Some(takedown) = not_purged(disk, config)? {
        return Err(Error::NotPurged { takedown });
    }
    let dir = path.parent().unwrap_or(Path::new(""));
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    or_withdraw(write(disk, config, path), disk, dir)
}

/// What is only withheld, or was purged and is in the archive all the same, from a backup for example.
fn not_purged(disk: &dyn Disk, config: &WaczConfig<'_>) -> Result<Option<String>> {
    let mut takedown = config.taken.withheld().next().map(Takedown::to_string);
    if takedown.is_none() && !config.taken.is_empty() {
        covered_by_archive(disk, config.archive, config.taken, &mut |found| {
            takedown.get_or_insert_with(|| found.takedown.to_string());
        })?;
    }
    Ok(takedown)
}

fn write(disk: &dyn Disk, config: &WaczConfig<'_>, path: &Path) -> Result<Wacz> {
    let scratch = Scratch::begin(disk, config.scratch, 0)?;
    let names = warc_files(disk, config.archive)?;
    let archived = names.iter().map(String::as_str).collect();
    let index = index::make(scratch, config.index, config.taken, &archived)?;
    let pages = pages::make(scratch, config.corpus, config.taken, &archived)?;
    let mut package =
        Package { zip: Zip::new(NewFile::create(disk, path.to_owned())?), resources: Vec::new() };
    for name in &names {
        package.add_archived(disk, name, &config.archive.join(name))?;
    }
    package.add("indexes/index.cdx.gz", &index.blocks)?;
    package.add("indexes/index.idx", &index.cluster)?;
    package.add("pages/pages.jsonl", &pages.seeds)?;
    package.add("pages/extraPages.jsonl", &pages.others)?;
    let created = index.newest.unwrap_or_default().iso_seconds();
    let zip = package.finish(&created, config.software, pages.main.as_ref())?;
    let bytes = zip.finish()?.finish(disk)?;
    let (files, pages, not_modified) = (names.len() as u64, pages.count, index.not_modified);
    Ok(Wacz { files, pages, not_modified, bytes })
}

/// Every record of a file can be read: nothing damaged is packed.
fn read_through(path: &Path, file: &mut Measured) -> Result<()> {
    let mut records = Reader::new(file).with_block_limit(0);
    let read = records.try_for_each(|record| record.map(drop));
    read.map_err(|source| Error::Archive { path: path.to_owned(), source })
}

struct Package {
    zip: Zip,
    resources: Vec<Value>,
}

impl Package {
    fn add_archived(&mut self, disk: &dyn Disk, name: &str, from: &Path) -> Result<()> {
        let open =
            || disk.open(from, Mode::Read).and_then(SequentialReader::whole).map_err(Error::disk(from));
        let path = format!("archive/{name}");
        let stored = self.zip.add(&path, open, |file| read_through(from, file), |e| Error::disk(from)(e))?;
        self.list(&path, &stored);
        Ok(())
    }

    fn add(&mut self, path: &str, file: &ScratchFile<'_>) -> Result<()> {
        let stored = self.zip.add(path, || file.read(1 << 16), |_| Ok(()), |error| file.failed()(error))?;
        self.list(path, &stored);
        Ok(())
    }

    fn list(&mut self, path: &str, stored: &Stored) {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        self.resources
            .push(json!({ "name": name, "path": path, "hash": stored.hash, "bytes": stored.bytes }));
    }

    /// Adds what describes the rest, and its digest.
    fn finish(mut self, created: &str, software: &str, main: Option<&MainPage>) -> Result<Zip> {
        let mut package = json!({
            "profile": "data-package",
            "wacz_version": VERSION,
            "software": software,
            "created": created,
            "modified": created,
            "resources": self.resources,
        });
        if let Some(page) = main {
            package["title"] = page.title.as_str().into();
            package["mainPageURL"] = page.url.as_str().into();
            package["mainPageDate"] = page.date.as_str().into();
        }
        let stored = self.zip.add_bytes("datapackage.json", format!("{package:#}\n").as_bytes())?;
        let digest = json!({ "path": "datapackage.json", "hash": stored.hash });
        self.zip.add_bytes("datapackage-digest.json", format!("{digest:#}\n").as_bytes())?;
        Ok(self.zip)
    }
}
