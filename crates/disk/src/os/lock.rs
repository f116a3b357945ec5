use crate::path::about;
use std::fs;
use std::io;
use std::path::Path;

/// A directory held by this process; see [`OsDisk::lock`](crate::OsDisk::lock) and
/// [`OsDisk::lock_shared`](crate::OsDisk::lock_shared).
#[derive(Debug)]
pub struct Lock {
    #[expect(dead_code, reason = "the operating system releases the locks when the files are closed")]
    files: [Option<fs::File>; 2],
}

impl Lock {
    pub(super) fn take(path: &Path) -> io::Result<Self> {
        let file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(about(path, "open"))?;
        file.try_lock().map_err(|e| about(path, "lock")(explain(e)))?;
        Ok(Self { files: [Some(file), around(path, fs::File::try_lock)?] })
    }

    pub(super) fn share(path: &Path) -> io::Result<Option<Self>> {
        let around = around(path, fs::File::try_lock_shared)?;
        let file = match fs::File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(about(path, "open")(error)),
        };
        file.try_lock_shared().map_err(|e| about(path, "lock")(explain(e)))?;
        Ok(Some(Self { files: [Some(file), around] }))
    }
}

/// The directory that the file is in, locked too, where its filesystem can: somebody who removes the file under a process that holds it
/// lets nobody else in.
fn around(
    path: &Path,
    lock: impl FnOnce(&fs::File) -> Result<(), fs::TryLockError>,
) -> io::Result<Option<fs::File>> {
    let Some(dir) = path.parent().and_then(|dir| fs::File::open(dir).ok()) else { return Ok(None) };
    match lock(&dir) {
        Ok(()) => Ok(Some(dir)),
        Err(busy @ fs::TryLockError::WouldBlock) => Err(about(path, "lock")(explain(busy))),
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}

fn explain(error: fs::TryLockError) -> io::Error {
    match error {
        fs::TryLockError::WouldBlock => {
            io::Error::new(io::ErrorKind::WouldBlock, "another process is using this directory")
        }
        fs::TryLockError::Error(e) => e,
    }
}
