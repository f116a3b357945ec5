use crate::directory::LOG;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Follows `crawl.log`: the attempts of this run, as `-v` shows them.
pub(super) struct Attempts {
    path: PathBuf,
    /// What was at the path when last looked; a file that is full keeps its lines under another name.
    file: Option<File>,
    offset: u64,
    /// An unfinished last line.
    rest: String,
    choice: Choice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Failed,
    All,
}

/// Read at once; what is more comes with the next look.
const READ_BYTES: u64 = 1 << 20;

impl Attempts {
    /// From the log's end on; `None` when nobody asked.
    pub(super) fn follow(dir: &Path, verbose: u8) -> Option<Self> {
        let choice = match verbose {
            0 => return None,
            1 => Choice::Failed,
            _ => Choice::All,
        };
        let path = dir.join(LOG);
        let file = File::open(&path).ok();
        let offset = file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len());
        Some(Self { path, file, offset, rest: String::new(), choice })
    }

    /// The lines that have come since the last look.
    pub(super) fn new_lines(&mut self) -> String {
        // A log that is not there yet, or cannot be read, has nothing to show.
        let _ = self.read_on();
        let end = self.rest.rfind('\n').map_or(0, |newline| newline + 1);
        let lines: String = self.rest.drain(..end).collect();
        lines.split_inclusive('\n').filter(|line| self.choice == Choice::All || is_failure(line)).collect()
    }

    fn read_on(&mut self) -> io::Result<()> {
        let is_last = self.is_current();
        if self.read()? == 0 && !is_last {
            (self.file, self.offset) = (Some(File::open(&self.path)?), 0);
            self.read()?;
        }
        Ok(())
    }

    /// Whether the file at the path is the one that is read.
    fn is_current(&self) -> bool {
        let opened = self.file.as_ref().and_then(|file| file.metadata().ok());
        let there = fs::metadata(&self.path).ok();
        opened.is_some() && opened.map(|file| file.ino()) == there.map(|file| file.ino())
    }

    fn read(&mut self) -> io::Result<u64> {
        let Some(mut file) = self.file.as_ref() else { return Ok(0) };
        // What a crash tore off the end is cut away and written again.
        self.offset = self.offset.min(file.metadata()?.len());
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        let read = file.take(READ_BYTES).read_to_end(&mut bytes)? as u64;
        self.offset += read;
        self.rest.push_str(&String::from_utf8_lossy(&bytes));
        Ok(read)
    }
}

/// Number, time, then a status below 400 or something worse.
fn is_failure(line: &str) -> bool {
    let outcome = line.split(' ').nth(2).unwrap_or_default();
    outcome.parse::<u16>().map_or(true, |status| status >= 400)
}
