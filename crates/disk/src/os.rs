mod cache;
mod file;
mod free_space;
mod lock;
mod root;
mod together;

pub use lock::Lock;

use crate::api::sync_each;
use crate::error::is_absence;
use crate::locked::locked;
use crate::path::{about, inside, parent};
use crate::{Disk, File, Mode};
use file::OsFile;
use root::Root;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// From so many files on they are made durable together with whatever else their filesystem has not written yet: a flush of
/// the device for each takes longer than all that is likely to be.
const MANY_FILES: usize = 32;

/// The operating system's filesystem, below one directory. Once that is moved or removed every call fails: what has its name next is
/// somebody else's.
#[derive(Debug, Clone)]
pub struct OsDisk {
    root: Arc<Root>,
    /// Directories that were made durable since the disk was opened. One that is only found may have been made by somebody who
    /// died before it was synced. A lock, since clones of one disk are used from several threads.
    durable_dirs: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl OsDisk {
    /// The disk below `root`, which is made if it is not there, and is durable then.
    pub fn new(root: PathBuf) -> io::Result<Self> {
        let missing = root.ancestors().take_while(|above| !above.is_dir()).count();
        fs::create_dir_all(&root).map_err(about(&root, "make directory"))?;
        match missing {
            0 => sync_found(&root)?,
            _ => root.ancestors().take(missing).try_for_each(|made| sync_dir_at(parent(made)))?,
        }
        Ok(Self { root: Arc::new(Root::open(root)?), durable_dirs: Arc::default() })
    }

    /// The path as the operating system knows it, for messages and for other programs.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        let below_root = self.root.path().join(path);
        std::path::absolute(&below_root).unwrap_or(below_root)
    }

    /// Holds the file `name` in the root (made if absent) against every other process until the lock is
    /// dropped or the process ends. `WouldBlock` if another one has it.
    pub fn lock(&self, name: &str) -> io::Result<Lock> {
        Lock::take(&self.locate(Path::new(name))?)
    }

    /// Holds it against those who would [`OsDisk::lock`] it, beside others who share it; changes nothing. `None` if there
    /// is no such file, so that nobody can have it; `WouldBlock` if another process has locked it.
    pub fn lock_shared(&self, name: &str) -> io::Result<Option<Lock>> {
        Lock::share(&self.locate(Path::new(name))?)
    }

    fn locate(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(self.root.confirmed()?.join(inside(path)?))
    }

    fn locate_all(&self, paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
        paths.iter().map(|path| self.locate(path)).collect()
    }

    /// Makes a directory and those it is in, as far as they are not there; gives those that may not be durable.
    pub(crate) fn make_dir(&self, dir: &Path) -> io::Result<Vec<PathBuf>> {
        let (mut path, mut doubtful) = (self.root.confirmed()?.to_owned(), Vec::new());
        for name in &inside(dir)? {
            path.push(name);
            match fs::create_dir(&path) {
                Ok(()) => doubtful.push(path.clone()),
                Err(_) if path.is_dir() => doubtful.extend((!self.is_durable(&path)).then(|| path.clone())),
                Err(e) => return Err(about(&path, "make directory")(e)),
            }
        }
        Ok(doubtful)
    }

    fn is_durable(&self, dir: &Path) -> bool {
        locked(&self.durable_dirs).contains(dir)
    }
}

impl Disk for OsDisk {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let path = self.locate(path)?;
        let file = open_file(&path, mode).map_err(about(&path, "open"))?;
        Ok(Box::new(OsFile::new(file, path)))
    }

    fn open_direct(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let path = self.locate(path)?;
        let file = open_file(&path, mode).map_err(about(&path, "open"))?;
        let direct = open_past_cache(&path, mode);
        Ok(Box::new(OsFile::new(file, path).with_direct(direct)))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        let dir = self.locate(dir)?;
        let mut names = names_in(&dir).map_err(about(&dir, "list"))?;
        names.sort_unstable();
        Ok(names)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (self.locate(from)?, self.locate(to)?);
        fs::rename(&from, &to).map_err(about(&from, "rename"))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let path = self.locate(path)?;
        fs::remove_file(&path).map_err(about(&path, "remove"))
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        for doubtful in self.make_dir(dir)? {
            sync_dir_at(parent(&doubtful))?;
            locked(&self.durable_dirs).insert(doubtful);
        }
        Ok(())
    }

    fn create_dirs(&self, dirs: &[PathBuf]) -> io::Result<()> {
        if dirs.len() < MANY_FILES || !together::can_sync() {
            return dirs.iter().try_for_each(|dir| self.create_dir(dir));
        }
        let mut doubtful = Vec::new();
        for dir in dirs {
            doubtful.extend(self.make_dir(dir)?);
        }
        together::sync(&doubtful)?;
        locked(&self.durable_dirs).extend(doubtful);
        Ok(())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        sync_dir_at(&self.locate(dir)?)
    }

    fn make_durable(&self, files: &[PathBuf]) -> io::Result<()> {
        if files.len() < MANY_FILES || !together::can_sync() {
            return sync_each(self, files);
        }
        together::sync(&self.locate_all(files)?)
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        let path = self.locate(path)?;
        match fs::metadata(&path) {
            Ok(found) => Ok(found.is_file().then_some(found.len())),
            Err(e) if is_absence(&e) => Ok(None),
            Err(e) => Err(about(&path, "look at")(e)),
        }
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let root = self.root.confirmed()?;
        free_space::free_bytes(root).map_err(about(root, "measure free space of"))
    }
}

fn open_file(path: &Path, mode: Mode) -> io::Result<fs::File> {
    let file = options(mode).open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

/// `None` where the filesystem has no such thing.
#[cfg(target_os = "linux")]
fn open_past_cache(path: &Path, mode: Mode) -> Option<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().read(true).write(mode != Mode::Read).custom_flags(libc::O_DIRECT).open(path).ok()
}

#[cfg(not(target_os = "linux"))]
fn open_past_cache(_: &Path, _: Mode) -> Option<fs::File> {
    None
}

fn options(mode: Mode) -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    match mode {
        Mode::Read => &mut options,
        Mode::Write => options.write(true),
        Mode::CreateNew => options.write(true).create_new(true),
        Mode::Truncate => options.write(true).create(true).truncate(true),
        Mode::OpenOrCreate => options.write(true).create(true).truncate(false),
    };
    options
}

fn names_in(dir: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(dir)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

fn sync_dir_at(path: &Path) -> io::Result<()> {
    let dir = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::File::open(dir).and_then(|dir| dir.sync_all()).map_err(about(dir, "sync directory"))
}

/// Makes the name of a root durable that was there. It may be mounted in a directory that cannot be synced, or lie in one that may
/// not be looked at: no reason to refuse it.
fn sync_found(root: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    match sync_dir_at(parent(root)) {
        Err(e) if matches!(e.kind(), InvalidInput | PermissionDenied | ReadOnlyFilesystem | Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}
