use crate::NodeError;
use crate::limits::SPACE_EVERY;
use crawler::Storage;
use disk::SharedDisk;
use std::time::Instant;

/// Watches the free space of the crawl's disk.
pub(crate) struct Space {
    disk: SharedDisk,
    watermark: u64,
    last: Storage,
    looked: Option<Instant>,
}

impl Space {
    pub(crate) fn new(disk: SharedDisk, watermark: u64) -> Self {
        Self { disk, watermark, last: Storage::Enough, looked: None }
    }

    /// What changed since the last look, if it is time for one.
    pub(crate) fn look(&mut self, now: Instant) -> Result<Option<Storage>, NodeError> {
        if self.looked.is_some_and(|looked| now.duration_since(looked) < SPACE_EVERY) {
            return Ok(None);
        }
        self.looked = Some(now);
        let free = self.disk.free_bytes().map_err(NodeError::system("asking for free disk space"))?;
        let storage = if free < self.watermark { Storage::Low } else { Storage::Enough };
        let changed = storage != self.last;
        self.last = storage.clone();
        Ok(changed.then_some(storage))
    }
}
