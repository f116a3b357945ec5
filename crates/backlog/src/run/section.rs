use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A run's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunId(pub u64);

/// Where a stretch of entries is. Whoever keeps the value owns the stretch: its bytes are live until it is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Section {
    /// The run that holds it.
    pub run: RunId,
    /// Where in its file the first block begins.
    pub offset: u64,
    /// Bytes of its blocks.
    pub bytes: u64,
    /// Entries in it; at least one.
    pub count: u64,
}

impl Section {
    /// What has been taken off the front of `self` when `rest` is left; `None` if nothing has.
    #[must_use]
    pub fn before(self, rest: Option<Self>) -> Option<Self> {
        let Some(rest) = rest else { return Some(self) };
        assert!(rest.is_tail_of(self), "{rest:?} is no tail of {self:?}");
        let taken = Self { bytes: self.bytes - rest.bytes, count: self.count - rest.count, ..self };
        (taken.bytes > 0).then_some(taken)
    }

    /// `self`, a tail of `from`, where it stands in the copy `to`.
    pub(crate) fn moved(self, from: Self, to: Self) -> Self {
        assert!(self.is_tail_of(from), "{self:?} is no tail of {from:?}");
        assert_eq!((from.bytes, from.count), (to.bytes, to.count), "not a copy");
        Self { run: to.run, offset: to.offset + (self.offset - from.offset), ..self }
    }

    pub(crate) fn range(self) -> Range<u64> {
        self.offset..self.end()
    }

    fn is_tail_of(self, whole: Self) -> bool {
        self.run == whole.run
            && self.offset >= whole.offset
            && self.end() == whole.end()
            && self.count <= whole.count
    }

    fn end(self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }
}
