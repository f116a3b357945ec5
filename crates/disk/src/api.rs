use crate::path::{about, parent};
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where bytes rest. Paths are relative to the disk's root; `""` is the root. A path that leaves the
/// root is refused as `InvalidInput`. Every error names its path.
pub trait Disk: Send + Sync {
    /// Opens a file for reading and writing. Writes are durable after [`File::sync`], a new name after
    /// [`Disk::sync_dir`] on its directory.
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>>;
    /// Opens a file whose content is not worth caching: too large, and read once. Transfers whose memory, offset
    /// and length are multiples of [`ALIGNMENT`](crate::ALIGNMENT) bypass the operating system's cache, as far
    /// as it lets them; others work too. Otherwise like [`Disk::open`].
    fn open_direct(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        self.open(path, mode)
    }
    /// Names (not paths) of the files and directories in `dir`, sorted; an absent directory is an error.
    fn list(&self, dir: &Path) -> io::Result<Vec<String>>;
    /// Replaces `to` by the file `from`, atomically; durable after `sync_dir`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file; durable after `sync_dir`.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes a directory and its parents, durable on return; one that is there already is no error.
    fn create_dir(&self, dir: &Path) -> io::Result<()>;
    /// [`Disk::create_dir`] for each; there may be thousands of them.
    fn create_dirs(&self, dirs: &[PathBuf]) -> io::Result<()> {
        dirs.iter().try_for_each(|dir| self.create_dir(dir))
    }
    /// Makes names in `dir` durable.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
    /// Makes files durable, content and names; there may be thousands of them.
    fn make_durable(&self, files: &[PathBuf]) -> io::Result<()> {
        sync_each(self, files)
    }
    /// Length of a file, `None` if there is none.
    fn stat(&self, path: &Path) -> io::Result<Option<u64>>;
    /// Bytes that can still be written.
    fn free_bytes(&self) -> io::Result<u64>;
}

/// How [`Disk::open`] opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Must exist; reads only.
    Read,
    /// Must exist; reads and writes.
    Write,
    /// Must not exist.
    CreateNew,
    /// Made, or emptied if it exists.
    Truncate,
    /// Made if absent, kept if present; reads and writes.
    OpenOrCreate,
}

impl Mode {
    /// An error unless a file at `path`, opened like this, may be written.
    pub(crate) fn check_writable(self, path: &Path) -> io::Result<()> {
        if self == Self::Read {
            let error = io::Error::new(io::ErrorKind::PermissionDenied, "opened for reading only");
            return Err(about(path, "write")(error));
        }
        Ok(())
    }
}

/// An open file.
#[expect(
    clippy::len_without_is_empty,
    reason = "a length that can fail; nobody asks a file whether it is empty"
)]
pub trait File: Send + Sync {
    /// Current length in bytes.
    fn len(&self) -> io::Result<u64>;
    /// Fills `buf` from `offset`; returns how much was there (short only at the end of the file).
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize>;
    /// Writes all of `data` at `offset`, extending the file if needed. After an error any part of `data`
    /// may have been written.
    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()>;
    /// Cuts or extends the file (with zeros).
    fn set_len(&mut self, len: u64) -> io::Result<()>;
    /// Makes content and length durable.
    fn sync(&mut self) -> io::Result<()>;
    /// Says that nobody will read the bytes of `range` soon: what of them is durable need not stay in the operating system's
    /// cache. A hint, and nothing about the file changes.
    fn let_go(&self, range: Range<u64>) {
        let _ = range;
    }
}

/// A disk that many owners share.
pub type SharedDisk = Arc<dyn Disk>;

/// Syncs files one after the other, and then the directories they are in.
pub(crate) fn sync_each(disk: &(impl Disk + ?Sized), files: &[PathBuf]) -> io::Result<()> {
    for path in files {
        disk.open(path, Mode::Write)?.sync()?;
    }
    let dirs: BTreeSet<&Path> = files.iter().map(|path| parent(path)).collect();
    dirs.into_iter().try_for_each(|dir| disk.sync_dir(dir))
}
