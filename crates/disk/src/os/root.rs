use crate::error::is_absence;
use crate::path::about;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The directory that a disk is below, by its name and as itself.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    /// Its filesystem's and its own.
    number: (u64, u64),
    /// As long as it is open no other one gets its number.
    #[expect(dead_code, reason = "held, not used")]
    held: fs::File,
}

impl Root {
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        let held = fs::File::open(&path).map_err(about(&path, "open"))?;
        let number = held.metadata().map(|found| number_of(&found)).map_err(about(&path, "look at"))?;
        Ok(Self { path, number, held })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path, if it leads where it did: whoever holds a lock within the directory holds none in another of that name.
    pub(super) fn confirmed(&self) -> io::Result<&Path> {
        match fs::metadata(&self.path) {
            Ok(found) if number_of(&found) == self.number => Ok(&self.path),
            Err(error) if !is_absence(&error) => Err(about(&self.path, "look at")(error)),
            _ => {
                let gone = io::Error::other("it is gone, or another directory has its name");
                Err(about(&self.path, "go on in")(gone))
            }
        }
    }
}

fn number_of(found: &fs::Metadata) -> (u64, u64) {
    (found.dev(), found.ino())
}
