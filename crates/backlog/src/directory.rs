//! One immutable file of records, sorted by key.

mod format;
mod join;
mod look_up;
mod reader;
mod view;
mod writer;

pub use join::{Join, Joined};
pub(crate) use look_up::look_up;
pub use reader::DirectoryReader;
pub use view::DirectoryView;
pub use writer::DirectoryWriter;

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

/// A finished directory. Without records there is no file and no cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DirectoryCut {
    pub(crate) generation: u64,
    pub(crate) len: u64,
    pub(crate) records: u64,
}

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
