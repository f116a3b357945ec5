mod content;
mod names;

use crate::locked::locked;
use crate::path::{about, inside};
use crate::{Disk, File, Mode, SharedDisk};
use content::Content;
use names::Names;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// Another disk, whose bytes and names stay as they are whatever is done to this one: changes are kept in memory, above
/// it, and forgotten with it. For those who look at what only a program that also writes can read. Nobody else may
/// change the disk below meanwhile. In memory are the pages that were written, so whoever uses it writes little.
pub struct Overlay {
    below: SharedDisk,
    // A lock, since one disk is used from several threads.
    names: Mutex<Names>,
}

/// What became of one file, behind a lock since several handles lead to it.
type Node = Arc<Mutex<Content>>;

/// A handle. The file below is opened with it and closed with it.
struct OverlaidFile {
    node: Node,
    below: Option<Box<dyn File>>,
    path: PathBuf,
    mode: Mode,
}

impl Overlay {
    /// Above `below`, with nothing changed yet.
    pub fn new(below: SharedDisk) -> Self {
        Self { names: Mutex::new(Names::new(Arc::clone(&below))), below }
    }

    fn find_or_create(&self, path: &Path, mode: Mode) -> io::Result<Node> {
        let mut names = locked(&self.names);
        match (names.find(path)?, mode) {
            (Some(_), Mode::CreateNew) => Err(io::ErrorKind::AlreadyExists.into()),
            (Some(node), _) => Ok(node),
            (None, Mode::Read | Mode::Write) => Err(names.absence(path).into()),
            (None, _) => names.create(path),
        }
    }
}

impl Disk for Overlay {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let clean = inside(path)?;
        let node = self.find_or_create(&clean, mode).map_err(about(path, "open"))?;
        if mode == Mode::Truncate {
            locked(&node).resize(0);
        }
        let origin = locked(&node).origin().map(Path::to_owned);
        let below = origin.map(|origin| self.below.open(&origin, Mode::Read)).transpose()?;
        Ok(Box::new(OverlaidFile { node, below, path: clean, mode }))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        locked(&self.names).list(&inside(dir)?).map_err(about(dir, "list"))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        locked(&self.names).rename(&inside(from)?, &inside(to)?).map_err(about(from, "rename"))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        locked(&self.names).remove(&inside(path)?).map_err(about(path, "remove"))
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        locked(&self.names).create_dir(&inside(dir)?).map_err(about(dir, "make directory"))
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        locked(&self.names).check_dir(&inside(dir)?).map_err(about(dir, "sync directory"))
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        locked(&self.names).stat(&inside(path)?)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.below.free_bytes()
    }
}

impl OverlaidFile {
    fn writable(&self) -> io::Result<MutexGuard<'_, Content>> {
        self.mode.check_writable(&self.path)?;
        Ok(locked(&self.node))
    }
}

impl File for OverlaidFile {
    fn len(&self) -> io::Result<u64> {
        Ok(locked(&self.node).len())
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        locked(&self.node).read(self.below.as_deref(), buf, offset)
    }

    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        self.writable()?.write(self.below.as_deref(), data, offset)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.writable()?.resize(len);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
