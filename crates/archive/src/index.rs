//! The CDXJ index: one sorted run a WARC file, merged into `archive/index.cdxj`. Everything here is
//! derived and can be made again from the WARC files.

use crate::error::{Error, Result};
use crate::layout::{INDEX, RUN_DIR, TEMP_SUFFIX, closed_path, run_path};
use crate::limits::HEAD_BYTES;
use crate::merge::merge_runs;
use disk::{Disk, Mode, SequentialReader, replace_file};
use std::path::{Path, PathBuf};
use warc::{IndexEntry, Reader};

/// Sorts the lines of a WARC file bytewise and keeps them as its run.
pub(crate) fn write_run(disk: &dyn Disk, name: &str, mut lines: Vec<String>) -> Result<()> {
    lines.sort_unstable();
    let mut run = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        run.extend_from_slice(line.as_bytes());
        run.push(b'\n');
    }
    disk.create_dir(Path::new(RUN_DIR))?;
    Ok(replace_file(disk, &run_path(name), &run)?)
}

/// Makes the runs that are missing and merges all into the index, which is replaced atomically.
pub(crate) fn build(disk: &dyn Disk, names: &[String], surt: fn(&str) -> String) -> Result<()> {
    let mut runs = Vec::new();
    for name in names {
        let run = run_path(name);
        if disk.stat(&run)?.is_none() {
            write_run(disk, name, lines_of(disk, name, surt)?)?;
        }
        runs.push(run);
    }
    let temp = PathBuf::from(format!("{INDEX}{TEMP_SUFFIX}"));
    merge_runs(disk, &runs, &temp)?;
    disk.rename(&temp, Path::new(INDEX))?;
    Ok(disk.sync_dir(Path::new(crate::layout::ARCHIVE_DIR))?)
}

/// The index lines of a closed WARC file, by reading it.
fn lines_of(disk: &dyn Disk, name: &str, surt: fn(&str) -> String) -> Result<Vec<String>> {
    let path = closed_path(name);
    let stream = SequentialReader::whole(disk.open(&path, Mode::Read)?)?;
    let mut lines = Vec::new();
    for record in Reader::new(stream).with_block_limit(HEAD_BYTES) {
        let record = record.map_err(|e| Error::corrupt(&path, e.offset, "a record cannot be read"))?;
        lines.extend(IndexEntry::of(&record, name).map(|entry| entry.line(&surt(&entry.url))));
    }
    Ok(lines)
}
