use crate::{Disk, File, Mode, SharedDisk};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Another disk, while somebody sees what is read of it, how far long work has come, and what goes.
pub struct Observed {
    inner: SharedDisk,
    observer: Arc<dyn Observer>,
}

/// Sees what is read, and what goes.
pub trait Observer: Send + Sync {
    /// The file at `path` has been read up to `offset`, or a part of it has that ends there.
    fn read(&self, path: &Path, offset: u64);

    /// The file at `path` is about to be removed, and is still there.
    fn removing(&self, path: &Path) {
        let _ = path;
    }
}

struct ObservedFile {
    inner: Box<dyn File>,
    path: PathBuf,
    observer: Arc<dyn Observer>,
}

impl Observed {
    /// `inner`, seen by `observer`.
    pub fn new(inner: SharedDisk, observer: Arc<dyn Observer>) -> Self {
        Self { inner, observer }
    }

    fn file(&self, path: &Path, inner: Box<dyn File>) -> Box<dyn File> {
        Box::new(ObservedFile { inner, path: path.to_owned(), observer: Arc::clone(&self.observer) })
    }
}

impl Disk for Observed {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        Ok(self.file(path, self.inner.open(path, mode)?))
    }

    fn open_direct(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        Ok(self.file(path, self.inner.open_direct(path, mode)?))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        self.inner.list(dir)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.observer.removing(path);
        self.inner.remove(path)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        self.inner.create_dir(dir)
    }

    fn create_dirs(&self, dirs: &[PathBuf]) -> io::Result<()> {
        self.inner.create_dirs(dirs)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.inner.sync_dir(dir)
    }

    fn make_durable(&self, files: &[PathBuf]) -> io::Result<()> {
        self.inner.make_durable(files)
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        self.inner.stat(path)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.inner.free_bytes()
    }
}

impl File for ObservedFile {
    fn len(&self) -> io::Result<u64> {
        self.inner.len()
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.inner.read_at(buf, offset)?;
        self.observer.read(&self.path, offset + read as u64);
        Ok(read)
    }

    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        self.inner.write_at(data, offset)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.inner.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.inner.sync()
    }

    fn let_go(&self, range: Range<u64>) {
        self.inner.let_go(range);
    }
}
