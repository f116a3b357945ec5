use crate::path::about;
use std::fs;
use std::io;
use std::path::Path;

/// A directory held by this process; see [`OsDisk::lock`](crate::OsDisk::lock) and
/// [`OsDisk::lock_shared`](crate::OsDisk::lock_shared).
#[derive(Debug)]
pub struct Lock {
    #[expect(dead_code, reason = "the operating system releases the lock when the file is closed")]
    file: fs::File,
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
        Ok(Self { file })
    }

    pub(super) fn share(path: &Path) -> io::Result<Option<Self>> {
        let file = match fs::File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(about(path, "open")(error)),
        };
        file.try_lock_shared().map_err(|e| about(path, "lock")(explain(e)))?;
        Ok(Some(Self { file }))
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
