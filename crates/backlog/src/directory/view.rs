use super::{DirectoryCut, DirectoryReader, Key};
use crate::error::Result;
use crate::store::Store;

/// A directory as it is now, to be read by somebody else in his own time. Taking it reads nothing. Its file goes when a newer
/// one has taken its place for good; then opening it fails, and a new view is to be had.
#[derive(Clone)]
pub struct DirectoryView {
    pub(crate) store: Store,
    pub(crate) cut: Option<DirectoryCut>,
}

impl DirectoryView {
    /// Its records.
    pub fn records(&self) -> u64 {
        self.cut.map_or(0, |cut| cut.records)
    }

    /// Reads it from this key on.
    pub fn read_from(&self, key: Key) -> Result<DirectoryReader> {
        DirectoryReader::open_from(&self.store, self.cut, key)
    }
}
