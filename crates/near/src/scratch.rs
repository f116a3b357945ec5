use crate::error::Result;
use disk::SharedDisk;
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
        let scratch = Self { disk, dir: dir.to_owned() };
        scratch.clear()?;
        Ok(scratch)
    }

    pub(crate) fn file(&self, name: &str, number: usize) -> PathBuf {
        self.dir.join(format!("{name}-{number}{SUFFIX}"))
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Removes all of it.
    pub(crate) fn clear(&self) -> Result<()> {
        let names = self.disk.list(&self.dir)?;
        names.iter().try_for_each(|name| Ok(self.disk.remove(&self.dir.join(name))?))
    }
}
