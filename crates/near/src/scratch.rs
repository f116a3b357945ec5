use crate::error::Result;
use disk::{SharedDisk, clear_dir};
use std::path::{Path, PathBuf};

/// A directory for what is needed while the search runs and worth nothing after it.
#[derive(Clone)]
pub(crate) struct Scratch {
    pub(crate) disk: SharedDisk,
    dir: PathBuf,
}

const SUFFIX: &str = ".tmp";

impl Scratch {
    /// Takes the directory, making it if needed, and removes what an earlier search left.
    pub(crate) fn take(disk: SharedDisk, dir: &Path) -> Result<Self> {
        disk.create_dir(dir)?;
        clear_dir(&*disk, dir)?;
        Ok(Self { disk, dir: dir.to_owned() })
    }

    pub(crate) fn file(&self, name: &str, number: usize) -> PathBuf {
        self.dir.join(format!("{name}-{number}{SUFFIX}"))
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }
}
