//! What commands write while they run, and nobody reads after them.

use crate::{duplicates, export};
use disk::{Disk, clear_dir};
use std::io;
use std::path::Path;

/// Removes what an export or a search for duplicates has left that was killed. Both hold the lock of the crawl's directory while
/// they run: whoever has it now is alone there.
pub(crate) fn clear(disk: &dyn Disk) -> io::Result<()> {
    [export::SCRATCH, duplicates::SCRATCH].into_iter().try_for_each(|dir| clear_dir(disk, Path::new(dir)))
}

#[cfg(test)]
mod tests;
