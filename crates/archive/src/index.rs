//! The CDXJ index: one sorted run a WARC file, merged into `archive/index.cdxj`. Everything here is
//! derived and can be made again from the WARC files: what is not what was written is.

pub(crate) mod run;
mod sorter;

pub(crate) use sorter::LineSorter;

use crate::absent::whole_files;
use crate::config::ArchiveConfig;
use crate::error::{Error, Result};
use crate::layout::{INDEX, closed_path, temp_path};
use crate::limits::HEAD_BYTES;
use crate::merge::{Sorted, merge_runs};
use disk::{Disk, Mode, SequentialReader};
use std::path::{Path, PathBuf};
use stdx::{Step, Watch};
use warc::{IndexEntry, Reader, Record};

/// Makes the runs that are missing or damaged and merges all into the index, which is replaced atomically. Files that are
/// [shorter than they were](crate::absent_files) are not in it.
pub(crate) fn build(
    disk: &dyn Disk,
    names: &[String],
    config: &ArchiveConfig,
    watch: &mut Watch<'_>,
) -> Result<()> {
    let names = whole_files(disk, names)?;
    let (mut runs, mut unfit) = (Vec::new(), Vec::new());
    for (done, name) in (1..).zip(&names) {
        match run::lines_of(disk, name)? {
            Some(run) => runs.push(run),
            None => unfit.push(*name),
        }
        watch(Step::items("checking the index", done, names.len() as u64));
    }
    let mut reading = Reading::of(disk, unfit.iter().map(|name| closed_path(name)), watch)?;
    for name in unfit {
        runs.push(make_run(disk, name, config, &mut reading)?);
    }
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
) -> Result<Sorted> {
    let run = make_run_of(disk, name, config, |record| {
        reading.has_come_to(record.offset);
        true
    })?;
    reading.is_through(disk, &closed_path(name))?;
    Ok(run)
}

/// The same of its records that are listed, in the place of an earlier one; `is_listed` is asked about every record.
pub(crate) fn make_run_of(
    disk: &dyn Disk,
    name: &str,
    config: &ArchiveConfig,
    mut is_listed: impl FnMut(&Record) -> bool,
) -> Result<Sorted> {
    let path = closed_path(name);
    let file = disk.open(&path, Mode::Read)?;
    let bytes = file.len()?;
    let stream = SequentialReader::new(file, 0..bytes);
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
    lines.finish(disk, bytes)
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
