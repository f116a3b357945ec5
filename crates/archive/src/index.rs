//! The CDXJ index: one sorted run a WARC file, merged into `archive/index.cdxj`. Everything here is
//! derived and can be made again from the WARC files.

mod sorter;

pub(crate) use sorter::LineSorter;

use crate::config::ArchiveConfig;
use crate::error::{Error, Result};
use crate::layout::{INDEX, closed_path, run_path, temp_path};
use crate::limits::HEAD_BYTES;
use crate::merge::merge_runs;
use disk::{Disk, Mode, SequentialReader};
use std::path::{Path, PathBuf};
use stdx::{Step, Watch};
use warc::{IndexEntry, Reader, Record};

/// Makes the runs that are missing and merges all into the index, which is replaced atomically.
pub(crate) fn build(
    disk: &dyn Disk,
    names: &[String],
    config: &ArchiveConfig,
    watch: &mut Watch<'_>,
) -> Result<()> {
    let mut missing = Vec::new();
    for name in names {
        if disk.stat(&run_path(name))?.is_none() {
            missing.push(name);
        }
    }
    let mut reading = Reading::of(disk, missing.iter().map(|name| closed_path(name)), watch)?;
    missing.iter().try_for_each(|name| make_run(disk, name, config, &mut reading))?;
    let runs: Vec<PathBuf> = names.iter().map(|name| run_path(name)).collect();
    let temp = temp_path(Path::new(INDEX));
    merge_runs(disk, &runs, &temp, config.index_bytes, watch)?;
    disk.rename(&temp, Path::new(INDEX))?;
    Ok(disk.sync_dir(Path::new(crate::layout::ARCHIVE_DIR))?)
}

/// The run of a closed WARC file, by reading it.
fn make_run(
    disk: &dyn Disk,
    name: &str,
    config: &ArchiveConfig,
    reading: &mut Reading<'_, '_>,
) -> Result<()> {
    make_run_of(disk, name, config, |record| {
        reading.has_come_to(record.offset);
        true
    })?;
    reading.is_through(disk, &closed_path(name))
}

/// The same of its records that are listed, in the place of an earlier one; `is_listed` is asked about every record.
pub(crate) fn make_run_of(
    disk: &dyn Disk,
    name: &str,
    config: &ArchiveConfig,
    mut is_listed: impl FnMut(&Record) -> bool,
) -> Result<()> {
    let path = closed_path(name);
    let stream = SequentialReader::whole(disk.open(&path, Mode::Read)?)?;
    let mut lines = LineSorter::new(name, config.index_bytes);
    for record in Reader::new(stream).with_block_limit(HEAD_BYTES) {
        let record = record.map_err(|e| Error::corrupt(&path, e.offset, "a record cannot be read"))?;
        if is_listed(&record)
            && let Some(entry) = IndexEntry::of(&record, name)
        {
            lines.push(entry.line(&(config.surt)(&entry.url)));
            lines.spill_beyond_bound(disk)?;
        }
    }
    lines.finish(disk)
}

/// Shows how far some files have been read.
struct Reading<'a, 'w> {
    watch: &'a mut Watch<'w>,
    /// Bytes of the files that are read …
    behind: u64,
    /// … and of all.
    of: u64,
}

impl<'a, 'w> Reading<'a, 'w> {
    fn of(disk: &dyn Disk, paths: impl Iterator<Item = PathBuf>, watch: &'a mut Watch<'w>) -> Result<Self> {
        let mut of = 0;
        for path in paths {
            of += disk.stat(&path)?.unwrap_or(0);
        }
        Ok(Self { watch, behind: 0, of })
    }

    fn has_come_to(&mut self, offset: u64) {
        (self.watch)(Step::bytes("indexing archive files", self.behind + offset, self.of));
    }

    fn is_through(&mut self, disk: &dyn Disk, path: &Path) -> Result<()> {
        self.behind += disk.stat(path)?.unwrap_or(0);
        Ok(())
    }
}
