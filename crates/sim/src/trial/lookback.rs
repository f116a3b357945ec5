use crate::Trial;
use archive::{EARLIER_DIR, EarlierCrawl, Notable};
use control::Takedowns;
use disk::{Beside, SharedDisk};
use std::sync::Arc;

/// Memory for sorting what an earlier crawl has.
const NOTING_BYTES: usize = 1 << 20;

impl Trial<'_> {
    /// The crawl, which has not begun, looks back on the one on another disk, which has ended: what that has with validators is asked for
    /// only if it has changed.
    ///
    /// # Panics
    /// If the other cannot be read.
    #[must_use]
    pub fn looking_back(mut self, earlier: &SharedDisk) -> Self {
        self.earlier = Some(earlier.clone());
        let notable = Notable { disk: earlier, taken: &Takedowns::default(), memory_bytes: NOTING_BYTES };
        let disk = self.disk();
        EarlierCrawl::note(&disk, &notable, &mut stdx::nobody).expect("an archive that can be read");
        self.network.earlier = EarlierCrawl::open(&disk).expect("what was noted just now");
        self
    }

    /// A disk of the crawl, with the earlier one beneath it.
    pub(super) fn whole(&self, own: SharedDisk) -> SharedDisk {
        match &self.earlier {
            Some(earlier) => Arc::new(Beside::new(own, EARLIER_DIR, earlier.clone())),
            None => own,
        }
    }
}
