use crate::error::Result;
use crate::layout::{RUN_DIR, RUN_SUFFIX, WARC_SUFFIX, closed_path, run_path};
use disk::Disk;
use std::io::ErrorKind;
use std::path::Path;

/// Closed WARC files that should be there and are not, by name. Each has its lines for the index beside the state, and what expires
/// loses these first; so this may be asked beside a crawl that runs, too.
pub fn absent_files(disk: &dyn Disk) -> Result<Vec<String>> {
    let runs = match disk.list(Path::new(RUN_DIR)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        runs => runs?,
    };
    let mut absent = Vec::new();
    for name in runs.iter().filter_map(|run| run.strip_suffix(RUN_SUFFIX)) {
        let is_absent = name.ends_with(WARC_SUFFIX) && disk.stat(&closed_path(name))?.is_none();
        if is_absent && disk.stat(&run_path(name))?.is_some() {
            absent.push(name.to_owned());
        }
    }
    Ok(absent)
}
