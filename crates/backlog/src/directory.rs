use crate::Result;

/// What records are sorted by: first the group, then the host within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Hash of the group.
    pub group: u64,
    /// Hash of the host; 0 is the group's own header, which stands before its hosts.
    pub host: u64,
}

/// A record, until the next is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its key.
    pub key: Key,
    /// Its payload, at most 1 MiB.
    pub payload: &'a [u8],
}

/// Reads a directory from front to back.
pub struct DirectoryReader {}

/// Writes a directory from front to back.
pub struct DirectoryWriter {}

/// The old directory beside arrivals sorted by key.
pub struct Join {}

impl Key {
    /// The key of a group's header.
    pub fn header(group: u64) -> Self {
        Self { group, host: 0 }
    }

    /// Whether it is that of a group's header.
    pub fn is_header(self) -> bool {
        self.host == 0
    }
}

impl DirectoryReader {
    /// The next record, or `None` after the last.
    #[expect(clippy::should_implement_trait, reason = "it lends, and an iterator cannot")]
    pub fn next(&mut self) -> Result<Option<Record<'_>>> {
        todo!()
    }

    /// The key of the record that [`Self::next`] will give.
    pub fn peek(&mut self) -> Result<Option<Key>> {
        todo!()
    }
}

impl DirectoryWriter {
    /// Appends a record, whose key must be greater than the one before.
    pub fn push(&mut self, _key: Key, _payload: &[u8]) -> Result<()> {
        todo!()
    }

    /// Records pushed so far.
    pub fn records(&self) -> u64 {
        todo!()
    }
}

/// A key of the directory, of the arrivals, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined<'a> {
    /// The key.
    pub key: Key,
    /// What the directory has; `None` if the key is new.
    pub known: Option<&'a [u8]>,
}

impl Join {
    /// The next key that either side has, ascending; `None` when both are at their end. `upcoming` is the key of the
    /// first arrival that has not been dealt with: all arrivals of a key must be before the next call. Every group
    /// begins with its header, even if neither side has it.
    #[expect(clippy::should_implement_trait, reason = "it lends, and an iterator cannot")]
    pub fn next(&mut self, _upcoming: Option<Key>) -> Result<Option<Joined<'_>>> {
        todo!()
    }
}
