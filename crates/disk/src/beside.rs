use crate::path::{about, inside};
use crate::{Disk, File, Mode, SharedDisk};
use std::io;
use std::path::{Path, PathBuf};

/// A disk, and beneath one name of it the whole of another that is only read: whatever would change something there is refused as
/// [`io::ErrorKind::PermissionDenied`]. The name is in no listing.
pub struct Beside {
    own: SharedDisk,
    name: PathBuf,
    other: SharedDisk,
}

impl Beside {
    /// `own`, and beneath `name` in its root `other`.
    pub fn new(own: SharedDisk, name: &str, other: SharedDisk) -> Self {
        Self { own, name: PathBuf::from(name), other }
    }

    /// Where `path` is in the other disk, if it is there.
    fn across(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        Ok(inside(path)?.strip_prefix(&self.name).ok().map(Path::to_owned))
    }

    /// Refuses what is not to be changed.
    fn require_own(&self, path: &Path, action: &'static str) -> io::Result<()> {
        match self.across(path)? {
            None => Ok(()),
            Some(_) => Err(about(path, action)(io::ErrorKind::PermissionDenied.into())),
        }
    }
}

impl Disk for Beside {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        match self.across(path)? {
            Some(path) if mode == Mode::Read => self.other.open(&path, mode),
            Some(_) => Err(about(path, "write")(io::ErrorKind::PermissionDenied.into())),
            None => self.own.open(path, mode),
        }
    }

    fn open_direct(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        match self.across(path)? {
            Some(_) => self.open(path, mode),
            None => self.own.open_direct(path, mode),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        match self.across(dir)? {
            Some(dir) => self.other.list(&dir),
            None => self.own.list(dir),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.require_own(from, "rename")?;
        self.require_own(to, "rename")?;
        self.own.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.require_own(path, "remove")?;
        self.own.remove(path)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        self.require_own(dir, "make directory")?;
        self.own.create_dir(dir)
    }

    fn create_dirs(&self, dirs: &[PathBuf]) -> io::Result<()> {
        dirs.iter().try_for_each(|dir| self.require_own(dir, "make directory"))?;
        self.own.create_dirs(dirs)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.require_own(dir, "sync directory")?;
        self.own.sync_dir(dir)
    }

    fn make_durable(&self, files: &[PathBuf]) -> io::Result<()> {
        files.iter().try_for_each(|path| self.require_own(path, "sync"))?;
        self.own.make_durable(files)
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        match self.across(path)? {
            Some(path) => self.other.stat(&path),
            None => self.own.stat(path),
        }
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.own.free_bytes()
    }
}
