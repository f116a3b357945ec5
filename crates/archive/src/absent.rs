use crate::error::Result;
use crate::index::run;
use crate::layout::{INDEX, RUN_DIR, RUN_SUFFIX, WARC_SUFFIX, closed_path, run_path};
use disk::Disk;
use std::io::ErrorKind;
use std::path::Path;

/// Closed WARC files that should be there and are not, or not whole, by name. Each has its lines for the index beside the state, with the
/// length that it had when it was closed, and what expires loses these first; so this may be asked beside a crawl that runs, too.
pub fn absent_files(disk: &dyn Disk) -> Result<Vec<String>> {
    let mut absent = Vec::new();
    for name in names_of_runs(disk)? {
        if !is_whole(disk, &name)? && disk.stat(&run_path(&name))?.is_some() {
            absent.push(name);
        }
    }
    Ok(absent)
}

/// Whether the index is as long as the lines that it is made of; so it is where that cannot be told, since files are absent or a run does
/// not say.
pub fn is_index_whole(disk: &dyn Disk) -> Result<bool> {
    if !absent_files(disk)?.is_empty() {
        return Ok(true);
    }
    let mut lines_bytes = 0;
    for name in names_of_runs(disk)? {
        let Some(bytes) = run::lines_bytes(disk, &name)? else { return Ok(true) };
        lines_bytes += bytes;
    }
    Ok(disk.stat(Path::new(INDEX))? == Some(lines_bytes))
}

/// The closed WARC files that have one.
fn names_of_runs(disk: &dyn Disk) -> Result<Vec<String>> {
    let runs = match disk.list(Path::new(RUN_DIR)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        runs => runs?,
    };
    let names = runs.iter().filter_map(|run| run.strip_suffix(RUN_SUFFIX));
    Ok(names.filter(|name| name.ends_with(WARC_SUFFIX)).map(str::to_owned).collect())
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
