use crate::captures::warc_files;
use crate::error::{Error, Result};
use crate::index_lines::Lines;
use crate::limits::{EXPORTED_LINE_BYTES, RECORD_BYTES};
use crate::made::made;
use control::{Takedown, Takedowns};
use disk::{Disk, Mode, SequentialReader};
use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use warc::Reader;

/// Something that was taken down and that a file has all the same.
#[derive(Debug, Clone, Copy)]
pub struct Covered<'a> {
    /// The file.
    pub path: &'a Path,
    /// Of what.
    pub url: &'a str,
    /// By which takedown.
    pub takedown: &'a Takedown,
}

/// Shows `see` what the lines of a CDXJ index name although it is taken down.
pub fn covered_by_index(
    disk: &dyn Disk,
    index: &Path,
    taken: &Takedowns,
    see: &mut dyn FnMut(Covered<'_>),
) -> Result<()> {
    let nothing = Takedowns::default();
    let mut lines = Lines::open(disk, index, &nothing)?;
    while let Some(line) = lines.next()? {
        look_at_json(line.fields(), index, taken, see);
    }
    Ok(())
}

/// The same of the records of the WARC files in `dir`.
pub(crate) fn covered_by_archive(
    disk: &dyn Disk,
    dir: &Path,
    taken: &Takedowns,
    see: &mut dyn FnMut(Covered<'_>),
) -> Result<()> {
    warc_files(disk, dir)?.iter().try_for_each(|name| records(disk, &dir.join(name), taken, see))
}

/// The same of what exports have left below `dir`: of files of records, of lines and of rows. A package holds what the archive held when
/// it was made, and is named by its list of pages.
pub fn covered_by_exports(
    disk: &dyn Disk,
    dir: &Path,
    taken: &Takedowns,
    see: &mut dyn FnMut(Covered<'_>),
) -> Result<()> {
    for path in made(disk, dir)? {
        let name = path.to_string_lossy().into_owned();
        let ends = |suffix: &str| name.ends_with(suffix);
        if ends(".wet.gz") || ends(".wat.gz") {
            records(disk, &path, taken, see)?;
        } else if ends(".jsonl.gz") || ends("cdx-00000.gz") {
            let file = BufReader::new(open(disk, &path)?);
            lines(MultiGzDecoder::new(file), &path, taken, see)?;
        } else if ends(".wacz") {
            lines(open(disk, &path)?, &path, taken, see)?;
        } else if ends(".parquet") {
            rows(disk, &path, taken, see)?;
        }
    }
    Ok(())
}

fn open(disk: &dyn Disk, path: &Path) -> Result<SequentialReader> {
    disk.open(path, Mode::Read).and_then(SequentialReader::whole).map_err(Error::disk(path))
}

fn records(disk: &dyn Disk, path: &Path, taken: &Takedowns, see: &mut dyn FnMut(Covered<'_>)) -> Result<()> {
    for record in Reader::new(open(disk, path)?).with_block_limit(RECORD_BYTES) {
        let record = record.map_err(|source| Error::Archive { path: path.to_owned(), source })?;
        look_at(record.target_uri(), path, taken, see);
    }
    Ok(())
}

/// Lines that end with a JSON object, among others.
fn lines(from: impl Read, path: &Path, taken: &Takedowns, see: &mut dyn FnMut(Covered<'_>)) -> Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = (&mut from).take(EXPORTED_LINE_BYTES);
        if bounded.read_until(b'\n', &mut line).map_err(Error::disk(path))? == 0 {
            return Ok(());
        }
        if let Some(start) = line.iter().position(|byte| *byte == b'{') {
            look_at_json(&line[start..], path, taken, see);
        }
    }
}

/// `url` of pages and captures, `source` of links.
fn rows(disk: &dyn Disk, path: &Path, taken: &Takedowns, see: &mut dyn FnMut(Covered<'_>)) -> Result<()> {
    for column in ["url", "source"] {
        corpus::for_each_text(disk, path, column, |text| look_at(Some(text), path, taken, see))?;
    }
    Ok(())
}

/// What a line is of.
#[derive(Deserialize)]
struct Subject {
    url: String,
}

fn look_at_json(json: &[u8], path: &Path, taken: &Takedowns, see: &mut dyn FnMut(Covered<'_>)) {
    if let Ok(Subject { url }) = serde_json::from_slice(json) {
        look_at(Some(&url), path, taken, see);
    }
}

fn look_at(url: Option<&str>, path: &Path, taken: &Takedowns, see: &mut dyn FnMut(Covered<'_>)) {
    let Some(url) = url else { return };
    if let Some(takedown) = taken.covering_text(url) {
        see(Covered { path, url, takedown });
    }
}
