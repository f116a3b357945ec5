//! Many sorted files of lines into one, in bounded memory and without holding them open.

use crate::error::Result;
use crate::layout::merged_path;
use crate::limits::{CURSOR_BYTES, MERGE_CURSOR_BYTES};
use disk::{Appender, Disk, Mode, SequentialReader};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::io::Write;
use std::path::{Path, PathBuf};
use stdx::{Step, Watch};

/// A file of lines, sorted bytewise, each ended by LF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sorted {
    pub(crate) path: PathBuf,
    /// That the lines take: the file may have more behind them.
    pub(crate) bytes: u64,
}

impl Sorted {
    /// A file of nothing else.
    pub(crate) fn whole(disk: &dyn Disk, path: PathBuf) -> Result<Self> {
        let bytes = disk.stat(&path)?.unwrap_or(0);
        Ok(Self { path, bytes })
    }

    pub(crate) fn read(&self, disk: &dyn Disk) -> Result<SequentialReader> {
        Ok(SequentialReader::new(disk.open(&self.path, Mode::Read)?, 0..self.bytes))
    }
}

/// Merges `runs` into `out`, durably; equal lines become one. All buffers
/// together take `memory_bytes`: of runs that are too many for it, some are merged first.
pub(crate) fn merge_runs(
    disk: &dyn Disk,
    runs: &[Sorted],
    out: &Path,
    memory_bytes: usize,
    watch: &mut Watch<'_>,
) -> Result<()> {
    let width = (memory_bytes / MERGE_CURSOR_BYTES).max(2);
    let mut runs: VecDeque<Sorted> = runs.iter().cloned().collect();
    let mut merged = Vec::new();
    while runs.len() > width {
        let some: Vec<_> = runs.drain(..width).collect();
        let path = merged_path(merged.len() as u32);
        merge_at_once(disk, &some, &path, memory_bytes, watch)?;
        runs.push_back(Sorted::whole(disk, path.clone())?);
        merged.push(path);
    }
    merge_at_once(disk, runs.make_contiguous(), out, memory_bytes, watch)?;
    merged.iter().try_for_each(|path| Ok(disk.remove(path)?))
}

/// A run is opened for each buffer it fills, so that their number is not limited by open files.
fn merge_at_once(
    disk: &dyn Disk,
    runs: &[Sorted],
    out: &Path,
    memory_bytes: usize,
    watch: &mut Watch<'_>,
) -> Result<()> {
    let of = runs.iter().map(|run| run.bytes).sum();
    let mut done = 0;
    let buffer = (memory_bytes / runs.len().max(1)).clamp(MERGE_CURSOR_BYTES, CURSOR_BYTES);
    let mut cursors: Vec<Cursor> = runs.iter().map(|run| Cursor::new(run.clone(), buffer)).collect();
    let mut heap = BinaryHeap::new();
    for (index, cursor) in cursors.iter_mut().enumerate() {
        heap.extend(cursor.next_line(disk)?.map(|line| Reverse(Head { line, index })));
    }
    let mut merged = Appender::new(disk.open(out, Mode::Truncate)?, 0);
    let mut last = Vec::new();
    while let Some(Reverse(head)) = heap.pop() {
        if head.line != last {
            merged.write_all(&head.line)?;
            merged.write_all(b"\n")?;
        }
        let next = cursors[head.index].next_line(disk)?;
        heap.extend(next.map(|line| Reverse(Head { line, index: head.index })));
        last = head.line;
        done += last.len() as u64 + 1;
        watch(Step::bytes("merging the index", done, of));
    }
    Ok(merged.sync()?)
}

/// The least line of a run not yet merged; lines first, so that the order is theirs.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    line: Vec<u8>,
    index: usize,
}

struct Cursor {
    run: Sorted,
    buffer_bytes: usize,
    buffer: Vec<u8>,
    consumed: usize,
    /// Where in the file the buffer ends.
    read_to: u64,
}

impl Cursor {
    fn new(run: Sorted, buffer_bytes: usize) -> Self {
        Self { run, buffer_bytes, buffer: Vec::new(), consumed: 0, read_to: 0 }
    }

    fn next_line(&mut self, disk: &dyn Disk) -> Result<Option<Vec<u8>>> {
        loop {
            let rest = &self.buffer[self.consumed..];
            if let Some(end) = rest.iter().position(|&b| b == b'\n') {
                let line = rest[..end].to_vec();
                self.consumed += end + 1;
                return Ok(Some(line));
            }
            if !self.refill(disk)? {
                return Ok(None);
            }
        }
    }

    /// Reads on behind what is left; `false` at the end of the lines.
    fn refill(&mut self, disk: &dyn Disk) -> Result<bool> {
        self.buffer.drain(..self.consumed);
        self.consumed = 0;
        let kept = self.buffer.len();
        let wanted = (self.run.bytes - self.read_to).min(self.buffer_bytes as u64);
        self.buffer.resize(kept + wanted as usize, 0);
        let file = disk.open(&self.run.path, Mode::Read)?;
        let there = file.read_at(&mut self.buffer[kept..], self.read_to)?;
        self.buffer.truncate(kept + there);
        self.read_to += there as u64;
        Ok(there > 0)
    }
}
