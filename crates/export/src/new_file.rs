use crate::error::{Error, Result};
use crate::limits::WRITE_BYTES;
use disk::{Appender, Disk, Mode};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Of files that are not whole.
pub(crate) const UNFINISHED: &str = ".open";

/// Takes away what a failed export has not finished in `dir`: nobody goes on with it. The error stays the one to report.
pub(crate) fn or_withdraw<T>(made: Result<T>, disk: &dyn Disk, dir: &Path) -> Result<T> {
    if made.is_err() {
        let names = disk.list(dir).unwrap_or_default();
        for name in names.iter().filter(|name| name.ends_with(UNFINISHED)) {
            let _ = disk.remove(&dir.join(name));
        }
    }
    made
}

/// Takes away what an earlier export has left in `dir` under a name with this ending that no file of the present one has: whoever reads
/// all files with it would take them for one export.
pub(crate) fn withdraw_others(disk: &dyn Disk, dir: &Path, ending: &str, present: &[String]) -> Result<()> {
    let names = disk.list(dir).map_err(Error::disk(dir))?;
    let others: Vec<&String> =
        names.iter().filter(|name| name.ends_with(ending) && !present.contains(name)).collect();
    for path in others.iter().map(|name| dir.join(name)) {
        disk.remove(&path).map_err(Error::disk(&path))?;
    }
    if others.is_empty() { Ok(()) } else { disk.sync_dir(dir).map_err(Error::disk(dir)) }
}

/// A file under another name until it is whole and durable.
pub(crate) struct NewFile {
    path: PathBuf,
    temp: PathBuf,
    out: Appender,
}

impl NewFile {
    /// Replaces what an earlier attempt left.
    pub(crate) fn create(disk: &dyn Disk, path: PathBuf) -> Result<Self> {
        let mut temp = path.as_os_str().to_owned();
        temp.push(UNFINISHED);
        let temp = PathBuf::from(temp);
        let file = disk.open(&temp, Mode::Truncate).map_err(Error::disk(&temp))?;
        Ok(Self { path, temp, out: Appender::with_buffer(file, 0, WRITE_BYTES) })
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> u64 {
        self.out.offset()
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(Error::disk(&self.temp))
    }

    pub(crate) fn finish(mut self, disk: &dyn Disk) -> Result<u64> {
        let bytes = self.len();
        self.out.sync().map_err(Error::disk(&self.temp))?;
        disk.rename(&self.temp, &self.path).map_err(Error::disk(&self.path))?;
        let dir = self.path.parent().unwrap_or(Path::new(""));
        disk.sync_dir(dir).map_err(Error::disk(dir))?;
        Ok(bytes)
    }
}
