use crate::error::Result;
use crate::limits::{ITEM_BYTES, MERGE_BUFFER_BYTES};
use crate::scratch::{Scratch, ScratchFile, ScratchWriter};
use disk::SequentialReader;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{BufRead, Read};
use std::ops::Range;

/// Puts any number of byte strings in order: what is more than memory holds goes to disk in sorted runs, which are merged
/// (Knuth, TAOCP 3, 5.4). Equal ones stay as many as they are.
pub(crate) struct Sorter<'a> {
    scratch: Scratch<'a>,
    name: &'static str,
    held: Held,
    runs: Vec<ScratchFile<'a>>,
    made: usize,
}

/// Byte strings one behind the other.
#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    items: Vec<Range<u32>>,
}

/// Byte strings in ascending order.
pub(crate) struct Sorted<'a> {
    sources: Vec<Source<'a>>,
    heads: BinaryHeap<Reverse<Head>>,
}

impl<'a> Sorter<'a> {
    /// Names of scratch files begin with `name`, which no other sorter alive may have.
    pub(crate) fn new(scratch: Scratch<'a>, name: &'static str) -> Self {
        Self { scratch, name, held: Held::default(), runs: Vec::new(), made: 0 }
    }

    /// Takes in an item of at most [`ITEM_BYTES`].
    pub(crate) fn push(&mut self, item: &[u8]) -> Result<()> {
        assert!(item.len() <= ITEM_BYTES, "what is sorted is URLs and numbers");
        // Vectors double: they may be half full when they take all the memory there is.
        if self.held.bytes_with(item) > (self.scratch.memory_bytes / 2).max(ITEM_BYTES).min(u32::MAX as usize)
        {
            self.spill()?;
        }
        self.held.push(item);
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Sorted<'a>> {
        if self.runs.is_empty() {
            self.held.sort();
            return Sorted::of(vec![Source::Memory { held: self.held, at: 0 }]);
        }
        self.spill()?;
        self.held = Held::default();
        while self.runs.len() > self.width() {
            self.merge_some()?;
        }
        let buffer_bytes = self.buffer_bytes();
        Sorted::of(self.runs.into_iter().map(|run| Source::open(run, buffer_bytes)).collect::<Result<_>>()?)
    }

    fn spill(&mut self) -> Result<()> {
        self.held.sort();
        let run = self.next_run();
        run.write(|out| self.held.iter().try_for_each(|item| put(out, item)))?;
        self.held.clear();
        self.runs.push(run);
        Ok(())
    }

    /// Makes one run of the oldest ones.
    fn merge_some(&mut self) -> Result<()> {
        let some: Vec<_> = self.runs.drain(..self.width()).collect();
        let buffer_bytes = self.buffer_bytes();
        let sources = some.into_iter().map(|run| Source::open(run, buffer_bytes)).collect::<Result<_>>()?;
        let mut merged = Sorted::of(sources)?;
        let run = self.next_run();
        run.write(|out| {
            while let Some(item) = merged.next()? {
                put(out, &item)?;
            }
            Ok(())
        })?;
        self.runs.push(run);
        Ok(())
    }

    fn next_run(&mut self) -> ScratchFile<'a> {
        self.made += 1;
        self.scratch.file(&format!("{}-{}", self.name, self.made))
    }

    /// Runs merged at once: as many as have room for a buffer each.
    fn width(&self) -> usize {
        (self.scratch.memory_bytes / MERGE_BUFFER_BYTES).max(2)
    }

    fn buffer_bytes(&self) -> usize {
        self.scratch.memory_bytes / self.width()
    }
}

impl Held {
    /// What it would take with one more.
    fn bytes_with(&self, item: &[u8]) -> usize {
        self.bytes.len() + item.len() + (self.items.len() + 1) * size_of::<Range<u32>>()
    }

    fn push(&mut self, item: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(item);
        self.items.push(start..self.bytes.len() as u32);
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.items.sort_unstable_by(|a, b| slice(bytes, a).cmp(slice(bytes, b)));
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.items.iter().map(|item| slice(&self.bytes, item))
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
    }
}

fn slice<'a>(bytes: &'a [u8], item: &Range<u32>) -> &'a [u8] {
    &bytes[item.start as usize..item.end as usize]
}

impl<'a> Sorted<'a> {
    fn of(mut sources: Vec<Source<'a>>) -> Result<Self> {
        let mut heads = BinaryHeap::new();
        for (source, from) in sources.iter_mut().enumerate() {
            heads.extend(from.next()?.map(|item| Reverse(Head { item, source })));
        }
        Ok(Self { sources, heads })
    }

    /// The next item.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let Some(Reverse(Head { item, source })) = self.heads.pop() else { return Ok(None) };
        let next = self.sources[source].next()?;
        self.heads.extend(next.map(|item| Reverse(Head { item, source })));
        Ok(Some(item))
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    item: Vec<u8>,
    source: usize,
}

enum Source<'a> {
    Memory { held: Held, at: usize },
    Run { file: ScratchFile<'a>, reader: SequentialReader },
}

impl<'a> Source<'a> {
    fn open(file: ScratchFile<'a>, buffer_bytes: usize) -> Result<Self> {
        let reader = file.read(buffer_bytes)?;
        Ok(Self::Run { file, reader })
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Memory { held, at } => {
                *at += 1;
                Ok(held.items.get(*at - 1).map(|item| slice(&held.bytes, item).to_vec()))
            }
            Self::Run { file, reader } => take(reader).map_err(file.failed()),
        }
    }
}

fn put(out: &mut ScratchWriter, item: &[u8]) -> Result<()> {
    out.put(&(item.len() as u32).to_le_bytes())?;
    out.put(item)
}

fn take(from: &mut SequentialReader) -> std::io::Result<Option<Vec<u8>>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut len = [0; 4];
    from.read_exact(&mut len)?;
    let mut item = vec![0; u32::from_le_bytes(len) as usize];
    from.read_exact(&mut item)?;
    Ok(Some(item))
}
