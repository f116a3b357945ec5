mod content;
mod crash;
mod handle;
mod names;
mod space;

pub use crash::CrashMode;

use crate::locked::locked;
use crate::path::{about, inside};
use crate::{Disk, File, Mode};
use content::Content;
use handle::MemFile;
use names::Names;
use space::Space;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A disk in memory that many owners share by cloning. It forgets what a real disk would forget: content
/// and length are durable after [`File::sync`], names after [`Disk::sync_dir`].
#[derive(Clone)]
pub struct MemDisk {
    // A lock, since clones of one disk are used from several threads, as a real disk is.
    names: Arc<Mutex<Names>>,
    space: Arc<Space>,
}

/// One file's content. Behind a lock, since names and handles of several threads lead to it.
type Node = Arc<Mutex<Content>>;

impl MemDisk {
    /// An empty disk without a limit.
    pub fn new() -> Self {
        Self::with_capacity(u64::MAX)
    }

    /// An empty disk that holds `bytes` of content; beyond that writes fail with `StorageFull`.
    pub fn with_capacity(bytes: u64) -> Self {
        Self::from_names(Names::default(), bytes)
    }

    /// Changes how much the disk holds; less than it holds already means that nothing more fits.
    pub fn set_capacity(&self, bytes: u64) {
        self.space.set_capacity(bytes);
    }

    /// Makes a directory as a [`Disk::create_dir`] does that dies before it returns: a power loss may take it, until a
    /// call returns that finds it.
    pub(crate) fn begin_dir(&self, dir: &Path) -> io::Result<()> {
        locked(&self.names).begin_dir(&inside(dir)?).map_err(about(dir, "make directory"))
    }

    fn from_names(names: Names, capacity: u64) -> Self {
        let used = names.live_nodes().map(|node| locked(node).len()).sum();
        let space = Arc::new(Space::new(used, capacity));
        Self { names: Arc::new(Mutex::new(names)), space }
    }

    fn unlinked(&self, node: Option<Node>) {
        if let Some(node) = node {
            self.space.release(locked(&node).unlink());
        }
    }

    fn find_or_create(&self, path: &Path, mode: Mode) -> io::Result<Node> {
        let mut names = locked(&self.names);
        match (names.find(path)?, mode) {
            (Some(_), Mode::CreateNew) => Err(io::ErrorKind::AlreadyExists.into()),
            (Some(node), _) => Ok(node),
            (None, Mode::Read | Mode::Write) => Err(io::ErrorKind::NotFound.into()),
            (None, _) => Ok(names.create(path)),
        }
    }

    fn open_clean(&self, path: PathBuf, mode: Mode) -> io::Result<MemFile> {
        let node = self.find_or_create(&path, mode)?;
        let mut file = MemFile::new(node, Arc::clone(&self.space), path, mode);
        if mode == Mode::Truncate && file.len()? > 0 {
            file.set_len(0)?;
        }
        Ok(file)
    }
}

impl Default for MemDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl Disk for MemDisk {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let file = self.open_clean(inside(path)?, mode).map_err(about(path, "open"))?;
        Ok(Box::new(file))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        locked(&self.names).list(&inside(dir)?).map_err(about(dir, "list"))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let replaced =
            locked(&self.names).rename(&inside(from)?, &inside(to)?).map_err(about(from, "rename"))?;
        self.unlinked(replaced);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let removed = locked(&self.names).remove(&inside(path)?).map_err(about(path, "remove"))?;
        self.unlinked(Some(removed));
        Ok(())
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        locked(&self.names).create_dir(&inside(dir)?).map_err(about(dir, "make directory"))
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        locked(&self.names).sync_dir(&inside(dir)?).map_err(about(dir, "sync directory"))
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        let node = locked(&self.names).file(&inside(path)?);
        Ok(node.map(|node| locked(&node).len()))
    }

    fn free_bytes(&self) -> io::Result<u64> {
        Ok(self.space.free())
    }
}
