use crate::limits::TAIL_BYTES;
use disk::{File, Mode, SharedDisk};
use std::io;
use std::path::{Path, PathBuf};

/// Lines in a row of files of bounded size, of which the oldest goes when there are too many: `events.jsonl`, before it
/// `events.1.jsonl`, and so on.
///
/// A line is whole in the file when [`RotatingFile::append`] returns, so that the death of the process loses none; nothing is synced, so
/// that a power loss may take the last ones.
pub struct RotatingFile {
    disk: SharedDisk,
    dir: PathBuf,
    bounds: Bounds,
    file: Box<dyn File>,
    len: u64,
}

/// What all files together may take: `files` times `file_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of a file, unless one line is longer.
    pub file_bytes: u64,
    /// Files, the one that is written counted; at least 1.
    pub files: u32,
}

/// The name of the file that is written.
pub const CURRENT: &str = "events.jsonl";

impl RotatingFile {
    /// Goes on in `dir`, which is made if there is none. A last line without its end, as a crash leaves it, is cut off; files of earlier runs
    /// that are too many now go.
    pub fn open(disk: SharedDisk, dir: &Path, bounds: Bounds) -> io::Result<Self> {
        assert!(bounds.files > 0, "there is a file to write to");
        disk.create_dir(dir)?;
        let mut file = disk.open(&dir.join(CURRENT), Mode::OpenOrCreate)?;
        let len = whole_lines(file.as_ref())?;
        file.set_len(len)?;
        let log = Self { disk, dir: dir.to_owned(), bounds, file, len };
        log.drop_surplus()?;
        Ok(log)
    }

    /// Appends whole lines. After an error some of them may be missing.
    pub fn append(&mut self, lines: &str) -> io::Result<()> {
        let bytes = lines.len() as u64;
        if self.len > 0 && self.len + bytes > self.bounds.file_bytes {
            self.rotate()?;
        }
        let written = self.file.write_at(lines.as_bytes(), self.len);
        if written.is_ok() {
            self.len += bytes;
        } else {
            // Half a line is worse than none; what cannot be cut off is written over.
            let _ = self.file.set_len(self.len);
        }
        written
    }

    /// Every file becomes the one before; a crash in between leaves a number unused, which is none the worse.
    fn rotate(&mut self) -> io::Result<()> {
        for number in (0..self.bounds.files - 1).rev() {
            let path = self.path(number);
            if self.disk.stat(&path)?.is_some() {
                self.disk.rename(&path, &self.path(number + 1))?;
            }
        }
        self.file = self.disk.open(&self.path(0), Mode::Truncate)?;
        self.len = 0;
        Ok(())
    }

    fn drop_surplus(&self) -> io::Result<()> {
        for name in self.disk.list(&self.dir)? {
            if number_of(&name).is_some_and(|number| number >= self.bounds.files) {
                self.disk.remove(&self.dir.join(name))?;
            }
        }
        Ok(())
    }

    fn path(&self, number: u32) -> PathBuf {
        self.dir.join(if number == 0 { CURRENT.to_owned() } else { format!("events.{number}.jsonl") })
    }
}

fn number_of(name: &str) -> Option<u32> {
    name.strip_prefix("events.")?.strip_suffix(".jsonl")?.parse().ok()
}

/// Up to the end of the last line that has one.
fn whole_lines(file: &dyn File) -> io::Result<u64> {
    let len = file.len()?;
    let from = len.saturating_sub(TAIL_BYTES);
    let mut tail = vec![0; (len - from) as usize];
    let read = file.read_at(&mut tail, from)?;
    let end = tail[..read].iter().rposition(|&byte| byte == b'\n');
    Ok(end.map_or(from, |end| from + end as u64 + 1))
}
