use super::awaited::Awaited;
use super::covering;
use super::groups::{Group, Groups};
use super::kept::{Kept, is_kept_file};
use super::unfinished::void_id;
use crate::error::{Error, Result};
use crate::layout::{ARCHIVE_DIR, closed_path, temp_path};
use control::Takedowns;
use disk::{Appender, Disk, File, Mode, SequentialReader};
use std::io;
use std::path::Path;
use std::sync::Arc;
use warc::{Record, Removal, Void, write_void};

/// What becomes of the records of an archive.
pub(super) struct Generation<'a> {
    pub(super) taken: &'a Takedowns,
    pub(super) kept: &'a Kept,
    pub(super) awaited: &'a Awaited,
}

/// What is gone from a file.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) records: u64,
    pub(super) bytes: u64,
}

impl Generation<'_> {
    /// What becomes of an answer or of any record by itself; nothing for what stays.
    pub(super) fn removal_of(&self, name: &str, record: &Record) -> Option<Removal> {
        if self.awaited.has(record) {
            return None;
        }
        if let Some(by) = covering(self.taken, record) {
            return Some(Removal::TakenDown { by });
        }
        let place = self.kept.place(record.id()?).filter(|_| !is_kept_file(name))?;
        Some(Removal::Moved(place.clone()))
    }

    /// Of a group that moves or stays, all records do.
    fn removal_in(&self, name: &str, group: &Group, record: &Record) -> Option<Removal> {
        if group.records.iter().any(|record| self.awaited.has(record)) {
            return None;
        }
        let place = || self.kept.place(group.answer()?).filter(|_| !is_kept_file(name));
        self.removal_of(name, record).or_else(|| Some(Removal::Moved(place()?.clone())))
    }

    /// Puts a new generation in the place of a file: as long as it is, and the same but for what goes.
    pub(super) fn rewrite(&self, disk: &dyn Disk, name: &str) -> Result<Rewritten> {
        let path = closed_path(name);
        let temp = temp_path(&path);
        let mut copy = Copy {
            from: disk.open(&path, Mode::Read)?.into(),
            to: Appender::new(disk.open(&temp, Mode::Truncate)?, 0),
        };
        let length = copy.from.len()?;
        let mut rewritten = Rewritten::default();
        for group in Groups::open(disk, name)? {
            let group = group?;
            for record in &group.records {
                let Some(removal) = self.removal_in(name, &group, record) else { continue };
                rewritten.count(&removal, record);
                copy.until(record.offset)?;
                copy.put(record, removal).map_err(|error| unfit(error, &path, record))?;
            }
        }
        copy.until(length)?;
        assert_eq!(copy.to.offset(), length, "a new generation is as long as the one before");
        copy.to.sync()?;
        put_in_place(disk, name)?;
        Ok(rewritten)
    }
}

impl Rewritten {
    fn count(&mut self, removal: &Removal, record: &Record) {
        if matches!(removal, Removal::TakenDown { .. }) {
            self.records += 1;
            self.bytes += record.length.unwrap_or(0);
        }
    }
}

/// A file on its way into its next generation.
struct Copy {
    from: Arc<dyn File>,
    to: Appender,
}

impl Copy {
    /// Copies what lies between what is written and `offset`.
    fn until(&mut self, offset: u64) -> Result<()> {
        let range = self.to.offset()..offset;
        io::copy(&mut SequentialReader::new(Arc::clone(&self.from), range), &mut self.to)?;
        Ok(())
    }

    fn put(&mut self, record: &Record, removal: Removal) -> io::Result<()> {
        let date = record.date().unwrap_or_default();
        let void = Void { id: void_id(record.id().unwrap_or_default()), date, removal };
        write_void(&mut self.to, &void, record.length.unwrap_or(0))
    }
}

/// The file that was written for `name`, synced, in its place.
pub(super) fn put_in_place(disk: &dyn Disk, name: &str) -> Result<()> {
    let path = closed_path(name);
    disk.rename(&temp_path(&path), &path)?;
    Ok(disk.sync_dir(Path::new(ARCHIVE_DIR))?)
}

fn unfit(error: io::Error, path: &Path, record: &Record) -> Error {
    match error.kind() {
        io::ErrorKind::InvalidInput => Error::corrupt(
            path,
            record.offset,
            "a record is too short to be taken out: it is not one of ours",
        ),
        _ => Error::Disk(error),
    }
}
