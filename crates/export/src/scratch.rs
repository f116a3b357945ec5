use crate::error::{Error, Result};
use disk::{Appender, Disk, Mode, SequentialReader, clear_dir};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A directory for what an export writes and forgets, and the memory it may take.
#[derive(Clone, Copy)]
pub(crate) struct Scratch<'a> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) dir: &'a Path,
    /// Of each thing that sorts or gathers; no two do at once.
    pub(crate) memory_bytes: usize,
}

/// A file that goes when this does.
pub(crate) struct ScratchFile<'a> {
    disk: &'a dyn Disk,
    path: PathBuf,
}

impl<'a> Scratch<'a> {
    /// Takes the directory, and clears what an earlier export left there.
    pub(crate) fn begin(disk: &'a dyn Disk, dir: &'a Path, memory_bytes: usize) -> Result<Self> {
        disk.create_dir(dir).map_err(Error::disk(dir))?;
        clear_dir(disk, dir).map_err(Error::disk(dir))?;
        Ok(Self { disk, dir, memory_bytes })
    }

    /// A new file; no other alive may have its name.
    pub(crate) fn file(&self, name: &str) -> ScratchFile<'a> {
        ScratchFile { disk: self.disk, path: self.dir.join(name) }
    }
}

impl ScratchFile<'_> {
    pub(crate) fn write(&self, fill: impl FnOnce(&mut ScratchWriter) -> Result<()>) -> Result<()> {
        let file = self.disk.open(&self.path, Mode::Truncate).map_err(self.failed())?;
        let mut out = ScratchWriter { path: self.path.clone(), out: Appender::new(file, 0) };
        fill(&mut out)?;
        out.out.flush().map_err(self.failed())
    }

    pub(crate) fn read(&self, buffer_bytes: usize) -> Result<SequentialReader> {
        let file = self.disk.open(&self.path, Mode::Read).map_err(self.failed())?;
        let len = file.len().map_err(self.failed())?;
        Ok(SequentialReader::with_buffer(file, 0..len, buffer_bytes))
    }

    pub(crate) fn failed(&self) -> impl FnOnce(std::io::Error) -> Error {
        Error::disk(&self.path)
    }
}

impl Drop for ScratchFile<'_> {
    fn drop(&mut self) {
        // Whoever takes the directory next clears it.
        let _ = self.disk.remove(&self.path);
    }
}

/// Bytes on their way into a scratch file.
pub(crate) struct ScratchWriter {
    path: PathBuf,
    out: Appender,
}

impl ScratchWriter {
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(Error::disk(&self.path))
    }
}
