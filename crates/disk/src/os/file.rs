use crate::File;
use crate::path::about;
use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// A file of the operating system that knows its name.
pub(super) struct OsFile {
    file: fs::File,
    path: PathBuf,
}

impl OsFile {
    pub(super) fn new(file: fs::File, path: PathBuf) -> Self {
        Self { file, path }
    }
}

impl File for OsFile {
    fn len(&self) -> io::Result<u64> {
        self.file.metadata().map(|found| found.len()).map_err(about(&self.path, "look at"))
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buf.len() {
            match self.file.read_at(&mut buf[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(about(&self.path, "read")(e)),
            }
        }
        Ok(filled)
    }

    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(data, offset).map_err(about(&self.path, "write"))
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len).map_err(about(&self.path, "cut"))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all().map_err(about(&self.path, "sync"))
    }
}
