use super::{DirectoryReader, Key};
use crate::error::Result;

/// The old directory beside arrivals sorted by key.
pub struct Join {
    old: DirectoryReader,
    last: Option<Key>,
}

/// A key of the directory, of the arrivals, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined<'a> {
    /// The key.
    pub key: Key,
    /// What the directory has; `None` if the key is new to it.
    pub known: Option<&'a [u8]>,
}

impl Join {
    pub(crate) fn new(old: DirectoryReader) -> Self {
        Self { old, last: None }
    }

    /// The next key that either side has, ascending; `None` when both are at their end. `upcoming` is the key of the
    /// first arrival that has not been dealt with: all arrivals of a key must be before the next call. Every group
    /// begins with its header, even if neither side has it.
    #[inline]
    pub fn next(&mut self, upcoming: Option<Key>) -> Result<Option<Joined<'_>>> {
        let old = self.old.peek()?;
        let Some(least) = [old, upcoming].into_iter().flatten().min() else { return Ok(None) };
        let begins = self.last.is_none_or(|last| last.group != least.group);
        let key = if begins { Key::header(least.group) } else { least };
        assert!(self.last < Some(key), "an arrival was not dealt with, or arrivals are out of order");
        self.last = Some(key);
        let known = if old == Some(key) { self.old.next()?.map(|record| record.payload) } else { None };
        Ok(Some(Joined { key, known }))
    }
}
