//! A purge that was interrupted, and what the next one finds of it. Takedowns may have been taken back in between: then what is gone
//! stays gone, and what is not comes back whole, into the index and with its rows.

use crate::error::Result;
use crate::layout::{PURGING, STATE_DIR};
use disk::{Disk, replace_file};
use std::path::Path;
use stdx::Set;
use warc::{Record, RecordId, Removal};
use xxhash_rust::xxh3::{xxh3_128, xxh3_128_with_seed};

/// Seeds the ids of voids: each is made of the id of the record that it stands for.
const OF_VOID: u64 = 1;

/// Records of which nothing is left but a void, by a hash of the void's id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gone(Set<u128>);

/// Whether a purge has begun and [`end_purge`] was never called.
pub fn is_purge_unfinished(disk: &dyn Disk) -> Result<bool> {
    Ok(disk.stat(Path::new(PURGING))?.is_some())
}

/// Notes durably that a purge is at its end: whatever is made of the archive has been brought up to it.
pub fn end_purge(disk: &dyn Disk) -> Result<()> {
    if is_purge_unfinished(disk)? {
        disk.remove(Path::new(PURGING))?;
        disk.sync_dir(Path::new(STATE_DIR))?;
    }
    Ok(())
}

/// Notes durably that a purge begins; gives whether another has not ended.
pub(super) fn begin_purge(disk: &dyn Disk) -> Result<bool> {
    let is_unfinished = is_purge_unfinished(disk)?;
    if !is_unfinished {
        disk.create_dir(Path::new(STATE_DIR))?;
        replace_file(disk, Path::new(PURGING), b"")?;
    }
    Ok(is_unfinished)
}

/// The id of what stands in the place of the record with this id, which is without its brackets.
pub(super) fn void_id(id: &str) -> RecordId {
    RecordId::from_value(xxh3_128_with_seed(id.as_bytes(), OF_VOID))
}

impl Gone {
    /// Whether nothing is left of the record with this id.
    pub fn has(&self, id: &str) -> bool {
        let void = || void_id(id.trim_matches(['<', '>'])).to_string();
        !self.0.is_empty() && self.0.contains(&xxh3_128(void().as_bytes()))
    }

    /// Looks at a record: is it a void?
    pub(super) fn see(&mut self, record: &Record) {
        if matches!(Removal::of(record), Some(Removal::TakenDown { .. })) {
            self.0.insert(xxh3_128(record.id().unwrap_or_default().as_bytes()));
        }
    }
}
