//! What commands write while they run, and nobody reads after them.

use crate::{duplicates, export as exporting};
use disk::Disk;
use std::path::Path;

/// Removes what an export or a search for duplicates has left that was killed. Both hold the lock of the crawl's directory while
/// they run: whoever has it now is alone there.
pub(crate) fn clear(disk: &dyn Disk) -> anyhow::Result<()> {
    export::clear_scratch(disk, Path::new(exporting::SCRATCH))?;
    Ok(near::clear_scratch(disk, Path::new(duplicates::SCRATCH))?)
}

#[cfg(test)]
mod tests;
