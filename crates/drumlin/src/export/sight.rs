use super::{ARCHIVE, CORPUS, SCRATCH};
use crate::work::{Format, Work};
use disk::{Disk, Observer};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use stdx::Step;

/// How far an export is, by what it has read of the crawl: each pass over archive, index, corpus or journal is a stage of its own, with all
/// that is done with what was read; what is sorted between has no end that is known. Ranking says itself how far it is.
pub(crate) struct Sight {
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
    /// Reads of what is sorted since an input was read, or something ranked: what is merged now and then is part of that.
    sorted_since: u64,
    sorted: u64,
    reading: Cursor,
}

/// Reads of what is sorted that are no part of reading an input any more.
const SORTED_APART: u64 = 256;

impl Sight {
    /// Of the crawl on this disk, for a command whose answer has this form.
    pub(crate) fn new(disk: &dyn Disk, format: Format) -> io::Result<Self> {
        let mut sight = Self::of_captures(disk, format)?;
        sight.inputs.extend([
            Input::files(disk, "reading the index", ARCHIVE, ".cdxj", Reading::Through)?,
            Input::files(disk, "reading the journal", "state", ".log", Reading::Through)?,
        ]);
        Ok(sight)
    }

    /// The same of archive and corpus alone, where whoever reads the rest says himself how far that is.
    pub(crate) fn of_captures(disk: &dyn Disk, format: Format) -> io::Result<Self> {
        let inputs = vec![
            Input::files(disk, "reading the archive", ARCHIVE, ".warc.gz", Reading::Through)?,
            Input::files(disk, "reading the corpus", CORPUS, ".parquet", Reading::HereAndThere)?,
        ];
        let work = Work::new(format);
        let seen = Seen { work, sorted_since: SORTED_APART, sorted: 0, reading: Cursor::default() };
        Ok(Self { inputs, seen: Mutex::new(seen) })
    }

    /// Takes in how far work is that reads nothing of the crawl; what is sorted meanwhile is part of that.
    pub(crate) fn work(&self, step: Step) {
        let mut seen = self.seen();
        seen.sorted_since = 0;
        seen.work.step(step);
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
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

/// Where a reading from the first file to the last is. Now and then something is looked up before or behind it, such as the original of
/// a revisit: it is not there that the reading goes on.
#[derive(Debug, Default)]
struct Cursor {
    stage: &'static str,
    at: u64,
    /// The last reads elsewhere, from where to where they follow each other.
    elsewhere: (u64, u64),
}

/// A read that ends this close behind another follows it; …
const NEXT_BYTES: u64 = 4 << 20;
/// … and who follows so far elsewhere, with nothing read here meanwhile, reads from there on.
const ANOTHER_PASS_BYTES: u64 = 8 << 20;

impl Cursor {
    /// Takes in a read that ends there; how far the reading is.
    fn follow(&mut self, step: Step) -> u64 {
        let follows = |at: u64| (at..=at + NEXT_BYTES).contains(&step.done);
        let (from, to) = self.elsewhere;
        if self.stage != step.stage || follows(self.at) {
            *self = Self { stage: step.stage, at: step.done, elsewhere: (step.done, step.done) };
        } else if !follows(to) {
            self.elsewhere = (step.done, step.done);
        } else {
            self.elsewhere = (from, step.done);
            if step.done - from >= ANOTHER_PASS_BYTES {
                self.at = step.done;
            }
        }
        self.at
    }
}

impl Observer for Sight {
    fn read(&self, path: &Path, offset: u64) {
        let step = self.step(path, offset);
        let mut seen = self.seen();
        if let Some(step) = step {
            seen.sorted_since = 0;
            let done = seen.reading.follow(step);
            seen.work.step(Step { done, ..step });
        } else if path.starts_with(SCRATCH) {
            seen.sorted += 1;
            seen.sorted_since += 1;
            if seen.sorted_since < SORTED_APART {
                return;
            }
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
