//! Many files made durable by one call for the filesystem they are on.

use crate::path::about;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Syncs every filesystem that one of the files is on; links may lead to several.
pub(super) fn sync(files: &[PathBuf]) -> io::Result<()> {
    let mut filesystems: BTreeMap<u64, &Path> = BTreeMap::new();
    for path in files {
        let found = fs::metadata(path).map_err(about(path, "look at"))?;
        filesystems.entry(found.dev()).or_insert(path);
    }
    filesystems.into_values().try_for_each(|path| {
        File::open(path)
            .and_then(|file| sync_filesystem(&file))
            .map_err(about(path, "sync the filesystem of"))
    })
}

/// Whether the call is there and tells of what could not be written: it does on Linux since 5.8.
#[cfg(target_os = "linux")]
pub(super) fn can_sync() -> bool {
    release().is_some_and(|release| release >= (5, 8))
}

/// The first two numbers of the system's release.
#[cfg(target_os = "linux")]
fn release() -> Option<(u32, u32)> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "the standard library syncs files; syncfs syncs the filesystem that one is on"
)]
fn sync_filesystem(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open as long as `file` is borrowed.
    match unsafe { libc::syncfs(file.as_raw_fd()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn can_sync() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn sync_filesystem(_: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
