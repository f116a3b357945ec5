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
use std::path::Path;
use warc::{IndexEntry, Reader, Record};

/// Makes the runs that are missing and merges all into the index, which is replaced atomically.
pub(crate) fn build(disk: &dyn Disk, names: &[String], config: &ArchiveConfig) -> Result<()> {
    let mut runs = Vec::new();
    for name in names {
        let run = run_path(name);
        if disk.stat(&run)?.is_none() {
            make_run(disk, name, config)?;
        }
        runs.push(run);
    }
    let temp = temp_path(Path::new(INDEX));
    merge_runs(disk, &runs, &temp, config.index_bytes)?;
    disk.rename(&temp, Path::new(INDEX))?;
    Ok(disk.sync_dir(Path::new(crate::layout::ARCHIVE_DIR))?)
}

/// The run of a closed WARC file, by reading it.
fn make_run(disk: &dyn Disk, name: &str, config: &ArchiveConfig) -> Result<()> {
    make_run_of(disk, name, config, |_| true)
}

/// The same of its records that are listed, in the place of an earlier one.
pub(crate) fn make_run_of(
    disk: &dyn Disk,
    name: &str,
    config: &ArchiveConfig,
    is_listed: impl Fn(&Record) -> bool,
) -> Result<()> {
    let path = closed_path(name);
    let stream = SequentialReader::whole(disk.open(&path, Mode::Read)?)?;
    let mut lines = LineSorter::new(name, config.index_bytes);
    for record in Reader::new(stream).with_block_limit(HEAD_BYTES) {
        let record = record.map_err(|e| Error::corrupt(&path, e.offset, "a record cannot be read"))?;
        if let Some(entry) = IndexEntry::of(&record, name).filter(|_| is_listed(&record)) {
            lines.push(entry.line(&(config.surt)(&entry.url)));
            lines.spill_beyond_bound(disk)?;
        }
    }
    lines.finish(disk)
}
