use super::cache;
use crate::path::about;
use crate::{ALIGNMENT, File};
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// A file of the operating system that knows its name.
pub(super) struct OsFile {
    file: fs::File,
    /// The same file past the cache: for what is aligned.
    direct: Option<fs::File>,
    path: PathBuf,
}

impl OsFile {
    pub(super) fn new(file: fs::File, path: PathBuf) -> Self {
        Self { file, direct: None, path }
    }

    pub(super) fn with_direct(self, direct: Option<fs::File>) -> Self {
        Self { direct, ..self }
    }

    /// The handle past the cache, and how many of `len` bytes may go that way. What it refuses or leaves undone
    /// goes through the cache.
    fn aligned(&self, memory: *const u8, offset: u64, len: usize) -> Option<(&fs::File, usize)> {
        let whole = len - len % ALIGNMENT;
        let aligned = memory.addr().is_multiple_of(ALIGNMENT) && offset.is_multiple_of(ALIGNMENT as u64);
        self.direct.as_ref().filter(|_| aligned && whole > 0).map(|file| (file, whole))
    }
}

impl File for OsFile {
    fn len(&self) -> io::Result<u64> {
        self.file.metadata().map(|found| found.len()).map_err(about(&self.path, "look at"))
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let filled = match self.aligned(buf.as_ptr(), offset, buf.len()) {
            Some((direct, whole)) => direct.read_at(&mut buf[..whole], offset).unwrap_or(0),
            None => 0,
        };
        let rest = read_from(&self.file, &mut buf[filled..], offset + filled as u64);
        rest.map(|more| filled + more).map_err(about(&self.path, "read"))
    }

    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        let written = match self.aligned(data.as_ptr(), offset, data.len()) {
            Some((direct, whole)) => direct.write_at(&data[..whole], offset).unwrap_or(0),
            None => 0,
        };
        let rest = self.file.write_all_at(&data[written..], offset + written as u64);
        rest.map_err(about(&self.path, "write"))
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len).map_err(about(&self.path, "cut"))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all().map_err(about(&self.path, "sync"))
    }

    fn let_go(&self, range: Range<u64>) {
        cache::let_go(&self.file, range);
    }
}

/// Fills `buf` from `offset`; less only at the end of the file.
fn read_from(file: &fs::File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buf.len() {
        match file.read_at(&mut buf[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}
