use crate::error::Result;
use crate::index::run;
use crate::layout::{RUN_DIR, RUN_SUFFIX, WARC_SUFFIX, closed_path, run_path};
use disk::Disk;
use std::io::ErrorKind;
use std::path::Path;

/// Closed WARC files that should be there and are not, or not whole, by name. Each has its lines for the index beside the state, with the
/// length that it had when it was closed, and what expires loses these first; so this may be asked beside a crawl that runs, too.
pub fn absent_files(disk: &dyn Disk) -> Result<Vec<String>> {
    let runs = match disk.list(Path::new(RUN_DIR)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        runs => runs?,
    };
    let mut absent = Vec::new();
    for name in runs.iter().filter_map(|run| run.strip_suffix(RUN_SUFFIX)) {
        let is_absent = name.ends_with(WARC_SUFFIX) && !is_whole(disk, name)?;
        if is_absent && disk.stat(&run_path(name))?.is_some() {
            absent.push(name.to_owned());
        }
    }
    Ok(absent)
}

/// Those of some closed WARC files that are not shorter than they were.
pub(crate) fn whole_files<'a>(disk: &dyn Disk, names: &'a [String]) -> Result<Vec<&'a str>> {
    let mut whole = Vec::new();
    for name in names {
        if is_whole(disk, name)? {
            whole.push(name.as_str());
        }
    }
    Ok(whole)
}

fn is_whole(disk: &dyn Disk, name: &str) -> Result<bool> {
    let Some(there) = disk.stat(&closed_path(name))? else { return Ok(false) };
    Ok(run::warc_bytes(disk, name)?.is_none_or(|bytes| there >= bytes))
}
