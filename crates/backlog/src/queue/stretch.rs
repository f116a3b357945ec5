use super::QueueId;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// The queues that are not empty.
pub(crate) type Queues = BTreeMap<QueueId, Queue>;

/// What waits in a queue, first to last.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Queue {
    stretches: VecDeque<Stretch>,
}

/// Blocks that stand one behind the other in a file. Files have no queue's number, so that what is in them can change
/// queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// The generation of the file.
    pub(crate) file: u64,
    /// Where the first block begins.
    pub(crate) start: u64,
    /// Where the last block ends.
    pub(crate) end: u64,
    pub(crate) entries: u64,
}

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    pub(crate) fn entries(&self) -> u64 {
        self.stretches.iter().map(|stretch| stretch.entries).sum()
    }

    pub(crate) fn stretches(&self) -> impl ExactSizeIterator<Item = Stretch> {
        self.stretches.iter().copied()
    }

    pub(crate) fn first(&self) -> Option<Stretch> {
        self.stretches.front().copied()
    }

    pub(crate) fn last(&self) -> Option<Stretch> {
        self.stretches.back().copied()
    }

    pub(crate) fn push(&mut self, stretch: Stretch) {
        match self.stretches.back_mut() {
            Some(last) if last.file == stretch.file && last.end == stretch.start => {
                last.end = stretch.end;
                last.entries += stretch.entries;
            }
            _ => self.stretches.push_back(stretch),
        }
    }

    /// Everything in `more` goes behind everything that is here.
    pub(crate) fn extend(&mut self, more: Self) {
        more.stretches.into_iter().for_each(|stretch| self.push(stretch));
    }

    /// The first block, of so many bytes and entries, has been read. `None` if the first stretch has no such block.
    pub(crate) fn take(&mut self, bytes: u64, entries: u64) -> Option<()> {
        let first = self.stretches.front_mut()?;
        first.start += bytes;
        first.entries = first.entries.checked_sub(entries)?;
        if first.start == first.end {
            let stretch = self.stretches.pop_front()?;
            return (stretch.entries == 0).then_some(());
        }
        (first.start < first.end && first.entries > 0).then_some(())
    }

    /// Splits off what is in files of generation `file` and later, which stands behind everything else.
    pub(crate) fn split_off_files_from(&mut self, file: u64) -> Self {
        let newer = self.stretches.iter().position(|stretch| stretch.file >= file);
        Self { stretches: self.stretches.split_off(newer.unwrap_or(self.stretches.len())) }
    }
}

impl Stretch {
    pub(crate) fn range(self) -> Range<u64> {
        self.start..self.end
    }

    pub(crate) fn is_possible(self) -> bool {
        self.start < self.end && self.entries > 0
    }
}
