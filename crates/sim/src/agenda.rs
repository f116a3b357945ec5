use crate::Failed;
use crate::hands::Promise;
use crawler::Event;
use std::collections::BTreeMap;
use stdx::Timestamp;

/// What has been begun, by the moment at which it ends.
#[derive(Default)]
pub(crate) struct Agenda {
    coming: BTreeMap<Due, Coming>,
    begun: u64,
}

/// What an action ends with: events, in their order; none if nobody waits for it.
pub(crate) type Coming = Promise<Result<Vec<Event>, Failed>>;

/// The moment, and among those of one moment the order in which they were begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    at: Timestamp,
    order: u64,
}

impl Agenda {
    /// Enters what has been begun and ends at that moment. What has failed by now fails now, as a crawl without
    /// threads does.
    pub(crate) fn enter(&mut self, at: Timestamp, coming: Coming) -> Result<(), Failed> {
        let coming = match coming {
            Promise::Kept(done) => Promise::Kept(Ok(done?)),
            made @ Promise::Made(_) => made,
        };
        self.begun += 1;
        self.coming.insert(Due { at, order: self.begun }, coming);
        Ok(())
    }

    /// When the next thing ends.
    pub(crate) fn next(&self) -> Option<Timestamp> {
        self.coming.first_key_value().map(|(due, _)| due.at)
    }

    /// What ends next, if that is by now.
    pub(crate) fn take(&mut self, now: Timestamp) -> Option<Coming> {
        let entry = self.coming.first_entry().filter(|entry| entry.key().at <= now)?;
        Some(entry.remove())
    }
}
