//! What an earlier crawl was answered: a table of its pages that say by what they are known to be the same, made once, and looked up
//! before a page is asked for. Drawn in `docs/formats/earlier.md`.

mod making;
mod table;

#[cfg(test)]
mod tests;

use crate::error::Result;
use crate::layout::EARLIER;
use crate::original::Original;
use control::Takedowns;
use disk::{Mode, SharedDisk};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use stdx::Watch;
use table::Table;

/// The crawl that stands beneath [`crate::EARLIER_DIR`] of a disk. Looked up by any number of threads.
pub struct EarlierCrawl {
    disk: SharedDisk,
    table: Table,
}

impl std::fmt::Debug for EarlierCrawl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EarlierCrawl").field("pages", &self.pages()).finish_non_exhaustive()
    }
}

/// What of an earlier crawl is noted.
pub struct Notable<'a> {
    /// Its disk, as an opening of its archive has left it: every file ends where it is committed.
    pub disk: &'a SharedDisk,
    /// What may not come back.
    pub taken: &'a Takedowns,
    /// Memory for sorting, in bytes.
    pub memory_bytes: usize,
}

impl EarlierCrawl {
    /// Makes the table of an earlier crawl on `disk`, which replaces the last one whole. Reads all its archive.
    pub fn note(disk: &SharedDisk, earlier: &Notable<'_>, watch: &mut Watch<'_>) -> Result<()> {
        making::make(disk.as_ref(), earlier, watch)
    }

    /// The table that was made on `disk`; `None` if none was. [`crate::Error::Version`] and [`crate::Error::Corrupt`] where it is not to be read.
    pub fn open(disk: &SharedDisk) -> Result<Option<Self>> {
        let path = Path::new(EARLIER);
        let file = match disk.open(path, Mode::Read) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        Ok(Some(Self { disk: disk.clone(), table: Table::open(file, path)? }))
    }

    /// Pages in the table.
    pub fn pages(&self) -> u64 {
        self.table.len()
    }

    /// What the earlier crawl was answered under this very URL: an answer with status 200, whole, with a validator, whose bytes are there. What
    /// cannot be read is not known: then nothing is asked about it. A body of more than [`crate::limits::ARRIVING_BYTES`] stays where it is.
    pub fn find(&self, url: &str) -> Option<Arc<Original>> {
        let places = self.table.places(url).ok()?;
        let found = places.iter().rev().find_map(|place| {
            let name = self.table.file_name(place.file)?;
            let original = Original::of_earlier(self.disk.as_ref(), name, place.offset).ok()?;
            (original.url == url && has_validator(&original)).then_some(original)
        });
        found.map(Arc::new)
    }
}

fn has_validator(original: &Original) -> bool {
    original.etag().or(original.last_modified()).is_some()
}
