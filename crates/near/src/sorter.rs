use crate::error::Result;
use crate::limits::{KEPT_BYTES, MERGE_WIDTH};
use crate::scratch::Scratch;
use disk::{Appender, Mode, SequentialReader};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{BufRead, Read, Write};
use std::mem::size_of;
use std::path::{Path, PathBuf};

/// Two numbers, ordered by the first.
pub(crate) type Pair = [u64; 2];

const PAIR_BYTES: usize = size_of::<Pair>();

/// Puts any number of pairs in order: what is more than memory holds goes to disk in sorted runs, which are merged
/// (Knuth, TAOCP 3, 5.4).
pub(crate) struct Sorter {
    scratch: Scratch,
    name: &'static str,
    memory_bytes: usize,
    held: Vec<Pair>,
    runs: Runs,
}

/// Pairs in ascending order, each once.
pub(crate) struct Sorted {
    sources: Vec<Source>,
    heads: BinaryHeap<Reverse<Head>>,
    last: Option<Pair>,
    /// Gone when the last pair has been read.
    _runs: Runs,
}

/// Pairs in ascending order, each once, on disk: they can be read as often as is wanted.
pub(crate) struct Kept {
    runs: Runs,
}

impl Sorter {
    /// Names of scratch files begin with `name`, which no other sorter alive may have.
    pub(crate) fn new(scratch: &Scratch, name: &'static str, memory_bytes: usize) -> Self {
        let runs = Runs::none(scratch);
        Self { scratch: scratch.clone(), name, memory_bytes, held: Vec::new(), runs }
    }

    pub(crate) fn push(&mut self, pair: Pair) -> Result<()> {
        // A vector doubles: it may be half full when it takes all the memory there is.
        if (self.held.len() + 1) * PAIR_BYTES > self.memory_bytes / 2 {
            self.spill()?;
        }
        self.held.push(pair);
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Sorted> {
        if self.runs.paths.is_empty() {
            self.sort();
            return Sorted::of(vec![Source::Memory(self.held.into_iter())], self.runs);
        }
        self.spill()?;
        self.held = Vec::new();
        while self.runs.paths.len() > self.width() {
            self.merge_some()?;
        }
        let sources = self.runs.open(self.buffer_bytes())?;
        Sorted::of(sources, self.runs)
    }

    fn sort(&mut self) {
        self.held.sort_unstable();
        self.held.dedup();
    }

    fn spill(&mut self) -> Result<()> {
        self.sort();
        let mut out = self.runs.create(self.name)?;
        self.held.drain(..).try_for_each(|pair| put(&mut out, pair))?;
        Ok(out.flush()?)
    }

    /// Makes one run of the oldest ones.
    fn merge_some(&mut self) -> Result<()> {
        let later = self.runs.paths.split_off(self.width());
        let paths = std::mem::replace(&mut self.runs.paths, later);
        let some = Runs { scratch: self.scratch.clone(), paths, made: 0 };
        let mut merged = Sorted::of(some.open(self.buffer_bytes())?, some)?;
        merged.write(&mut self.runs.create(self.name)?)
    }

    /// Runs merged at once: as many as have room for a buffer each.
    fn width(&self) -> usize {
        (self.memory_bytes / (16 << 10)).clamp(2, MERGE_WIDTH)
    }

    fn buffer_bytes(&self) -> usize {
        self.memory_bytes / self.width()
    }
}

impl Sorted {
    fn of(mut sources: Vec<Source>, runs: Runs) -> Result<Self> {
        let mut heads = BinaryHeap::new();
        for (source, from) in sources.iter_mut().enumerate() {
            heads.extend(from.next()?.map(|pair| Reverse(Head { pair, source })));
        }
        Ok(Self { sources, heads, last: None, _runs: runs })
    }

    /// The next pair that differs from the one before.
    pub(crate) fn next(&mut self) -> Result<Option<Pair>> {
        while let Some(Reverse(Head { pair, source })) = self.heads.pop() {
            let next = self.sources[source].next()?;
            self.heads.extend(next.map(|pair| Reverse(Head { pair, source })));
            if self.last.replace(pair) != Some(pair) {
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }

    /// Puts what is left into a file. No other alive may have its name and number.
    pub(crate) fn keep(mut self, scratch: &Scratch, name: &'static str, number: usize) -> Result<Kept> {
        let mut runs = Runs::none(scratch);
        runs.made = number;
        self.write(&mut runs.create(name)?)?;
        Ok(Kept { runs })
    }

    fn write(&mut self, out: &mut Appender) -> Result<()> {
        while let Some(pair) = self.next()? {
            put(out, pair)?;
        }
        Ok(out.flush()?)
    }
}

impl Kept {
    /// No pairs.
    pub(crate) fn none(scratch: &Scratch) -> Self {
        Self { runs: Runs::none(scratch) }
    }

    /// From the first on.
    pub(crate) fn read(&self) -> Result<Sorted> {
        Sorted::of(self.runs.open(KEPT_BYTES)?, Runs::none(&self.runs.scratch))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    pair: Pair,
    source: usize,
}

enum Source {
    Memory(std::vec::IntoIter<Pair>),
    Run(SequentialReader),
}

impl Source {
    fn next(&mut self) -> Result<Option<Pair>> {
        match self {
            Self::Memory(pairs) => Ok(pairs.next()),
            Self::Run(reader) => take(reader),
        }
    }
}

/// Files that go when this does.
struct Runs {
    scratch: Scratch,
    paths: Vec<PathBuf>,
    made: usize,
}

impl Runs {
    fn none(scratch: &Scratch) -> Self {
        Self { scratch: scratch.clone(), paths: Vec::new(), made: 0 }
    }

    fn create(&mut self, name: &str) -> Result<Appender> {
        let path = self.next(name);
        Ok(Appender::new(self.scratch.disk.open(&path, Mode::Truncate)?, 0))
    }

    fn next(&mut self, name: &str) -> PathBuf {
        let path = self.scratch.file(name, self.made);
        self.made += 1;
        self.paths.push(path.clone());
        path
    }

    fn open(&self, buffer_bytes: usize) -> Result<Vec<Source>> {
        let open = |path: &PathBuf| -> Result<Source> {
            let file = self.scratch.disk.open(Path::new(path), Mode::Read)?;
            let len = file.len()?;
            Ok(Source::Run(SequentialReader::with_buffer(file, 0..len, buffer_bytes)))
        };
        self.paths.iter().map(open).collect()
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        for path in &self.paths {
            // Whoever takes the scratch directory next clears it.
            let _ = self.scratch.disk.remove(path);
        }
    }
}

fn put(out: &mut Appender, [first, second]: Pair) -> Result<()> {
    let mut bytes = [0; PAIR_BYTES];
    bytes[..8].copy_from_slice(&first.to_le_bytes());
    bytes[8..].copy_from_slice(&second.to_le_bytes());
    Ok(out.write_all(&bytes)?)
}

fn take(from: &mut SequentialReader) -> Result<Option<Pair>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut bytes = [0; PAIR_BYTES];
    from.read_exact(&mut bytes)?;
    let words = bytes.as_chunks().0;
    Ok(Some([u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])]))
}
