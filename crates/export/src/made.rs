use crate::error::{Error, Result};
use disk::Disk;
use std::path::{Path, PathBuf};

/// Where the program's exports go, below the directory of a crawl.
const DIRS: [&str; 8] = ["", "wet", "fineweb", "jsonl", "cdxj", "index", "wat", "graph"];

/// Files that exports have made below `dir`.
pub fn made(disk: &dyn Disk, dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for dir in DIRS.map(|name| dir.join(name)) {
        for path in disk.list(&dir).unwrap_or_default().into_iter().map(|name| dir.join(name)) {
            if disk.stat(&path).is_ok_and(|found| found.is_some()) {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// Removes what exports have made below `dir`: they can be made again. Gives how many files went.
pub fn withdraw_all(disk: &dyn Disk, dir: &Path) -> Result<u64> {
    let files = made(disk, dir)?;
    for path in &files {
        disk.remove(path).map_err(Error::disk(path))?;
    }
    for dir in DIRS.map(|name| dir.join(name)).iter().filter(|dir| disk.list(dir).is_ok()) {
        disk.sync_dir(dir).map_err(Error::disk(dir))?;
    }
    Ok(files.len() as u64)
}
