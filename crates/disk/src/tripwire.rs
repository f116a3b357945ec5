use crate::{Disk, File, Mode, SharedDisk};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(test)]
mod tests;

/// Kills the process at a chosen mutating call, as `kill -9` between two system calls would: nothing is flushed, nothing
/// is unwound, nothing is said. For crash tests of whole programs.
///
/// Counted are `write_at`, `set_len`, `sync`, `rename`, `remove` and `sync_dir`, over all files together; call number
/// `at` (the first is 1) is not made.
pub struct Tripwire {
    inner: SharedDisk,
    wire: Wire,
}

#[derive(Clone)]
struct Wire {
    calls: Arc<AtomicU64>,
    at: u64,
    trip: fn(),
}

struct WatchedFile {
    inner: Box<dyn File>,
    wire: Wire,
}

impl Tripwire {
    /// Aborts the process at call number `at`.
    pub fn new(inner: SharedDisk, at: u64) -> Self {
        Self::with_trip(inner, at, || std::process::abort())
    }

    fn with_trip(inner: SharedDisk, at: u64, trip: fn()) -> Self {
        Self { inner, wire: Wire { calls: Arc::default(), at, trip } }
    }
}

impl Wire {
    fn step(&self) {
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            (self.trip)();
        }
    }
}

impl Disk for Tripwire {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let inner = self.inner.open(path, mode)?;
        Ok(Box::new(WatchedFile { inner, wire: self.wire.clone() }))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        self.inner.list(dir)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.wire.step();
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.wire.step();
        self.inner.remove(path)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        self.inner.create_dir(dir)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.wire.step();
        self.inner.sync_dir(dir)
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        self.inner.stat(path)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.inner.free_bytes()
    }
}

impl File for WatchedFile {
    fn len(&self) -> io::Result<u64> {
        self.inner.len()
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        self.inner.read_at(buf, offset)
    }

    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        self.wire.step();
        self.inner.write_at(data, offset)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.wire.step();
        self.inner.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.wire.step();
        self.inner.sync()
    }

    fn let_go(&self, range: Range<u64>) {
        self.inner.let_go(range);
    }
}
