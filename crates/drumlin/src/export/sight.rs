use super::{ARCHIVE, CORPUS, SCRATCH};
use crate::work::{Format, Work};
use disk::{Disk, Observer};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use stdx::Step;

/// How far an export is, by what it has read of the crawl: each pass over archive, index, corpus or journal is a stage of its own, with all
/// that is done with what was read; what is sorted between has no end that is known. Ranking says itself how far it is.
pub(super) struct Sight {
    inputs: Vec<Input>,
    // A lock, since a disk is used from several threads; exports have one.
    seen: Mutex<Seen>,
}

/// Files that are read from the first to the last.
struct Input {
    stage: &'static str,
    files: Vec<InputFile>,
    bytes: u64,
    reading: Reading,
}

struct InputFile {
    path: PathBuf,
    /// Bytes of the files before it.
    before: u64,
}

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// From its beginning to its end.
    Through,
    /// Here and there; where it lies among the files is what tells how far it is.
    HereAndThere,
}

struct Seen {
    work: Work,
    /// An input is being read, or something is ranked: what is merged meanwhile is part of that.
    is_reading: bool,
    sorted: u64,
}

impl Sight {
    /// Of an export of the crawl on this disk.
    pub(super) fn new(disk: &dyn Disk) -> io::Result<Self> {
        let inputs = vec![
            Input::files(disk, "reading the archive", ARCHIVE, ".warc.gz", Reading::Through)?,
            Input::files(disk, "reading the index", ARCHIVE, ".cdxj", Reading::Through)?,
            Input::files(disk, "reading the corpus", CORPUS, ".parquet", Reading::HereAndThere)?,
            Input::files(disk, "reading the journal", "state", ".log", Reading::Through)?,
        ];
        let seen = Seen { work: Work::new(Format::Text), is_reading: false, sorted: 0 };
        Ok(Self { inputs, seen: Mutex::new(seen) })
    }

    /// Takes in how far work is that reads nothing of the crawl; what is sorted meanwhile is part of that.
    pub(super) fn work(&self, step: Step) {
        let mut seen = self.seen();
        seen.is_reading = true;
        seen.work.step(step);
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        self.seen().work.clear();
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the reading is that has come to this place in this file.
    fn step(&self, path: &Path, offset: u64) -> Option<Step> {
        self.inputs.iter().find_map(|input| {
            let file = input.files.iter().find(|file| file.path == path)?;
            let within = if input.reading == Reading::Through { offset } else { 0 };
            Some(Step::bytes(input.stage, file.before + within, input.bytes))
        })
    }
}

impl Observer for Sight {
    fn read(&self, path: &Path, offset: u64) {
        let step = self.step(path, offset);
        let mut seen = self.seen();
        if let Some(step) = step {
            seen.is_reading = step.done < step.of;
            seen.work.step(step);
        } else if path.starts_with(SCRATCH) && !seen.is_reading {
            seen.sorted += 1;
            let step = Step::items("sorting: blocks read", seen.sorted, 0);
            seen.work.step(step);
        }
    }
}

impl Input {
    fn files(
        disk: &dyn Disk,
        stage: &'static str,
        dir: &str,
        ending: &str,
        reading: Reading,
    ) -> io::Result<Self> {
        let names = match disk.list(Path::new(dir)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            names => names?,
        };
        let (mut files, mut bytes) = (Vec::new(), 0);
        for name in names.iter().filter(|name| name.ends_with(ending)) {
            let path = Path::new(dir).join(name);
            let length = disk.stat(&path)?.unwrap_or(0);
            files.push(InputFile { path, before: bytes });
            bytes += length;
        }
        Ok(Self { stage, files, bytes, reading })
    }
}

#[cfg(test)]
mod tests;
