use crate::NodeError;
use archive::{Archive, ArchiveConfig, EarlierCrawl, Notable, Opened};
use disk::{Overlay, SharedDisk};
use std::sync::Arc;
use stdx::{WallTime, Watch};

/// Whether a crawl looks back on an earlier one, which then stands beneath [`archive::EARLIER_DIR`] of its disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lookback {
    /// Everything is asked for as it is.
    #[default]
    None,
    /// What the earlier one has is asked for only if it has changed.
    Earlier,
}

impl Lookback {
    /// The table that was [noted](note).
    pub(crate) fn open(self, disk: &SharedDisk) -> Result<Option<Arc<EarlierCrawl>>, NodeError> {
        match self {
            Self::None => Ok(None),
            Self::Earlier => Ok(EarlierCrawl::open(disk)?.map(Arc::new)),
        }
    }
}

/// Whether it was noted on `disk` what the earlier crawl has.
pub fn is_noted(disk: &SharedDisk) -> Result<bool, NodeError> {
    Ok(EarlierCrawl::open(disk)?.is_some())
}

/// Notes on `disk` what the crawl on `earlier`, which must not be running, was answered. Nothing is written to `earlier`: what an opening
/// would mend is mended in memory.
pub fn note(
    disk: &SharedDisk,
    earlier: &SharedDisk,
    memory_bytes: usize,
    watch: &mut Watch<'_>,
) -> Result<(), NodeError> {
    let earlier: SharedDisk = Arc::new(Overlay::new(earlier.clone()));
    let taken = crate::taken_down(&earlier)?;
    let plain = ArchiveConfig { payload_bytes: 0, ..ArchiveConfig::new("earlier", "here", 0, str::to_owned) };
    let Opened { archive, .. } = Archive::open_watched(earlier.clone(), plain, WallTime::default(), watch)?;
    drop(archive);
    let notable = Notable { disk: &earlier, taken: &taken, memory_bytes };
    Ok(EarlierCrawl::note(disk, &notable, watch)?)
}
