use crate::NodeError;
use archive::{Replay, ReplayEntry};
use stdx::{Step, Watch};

/// Entries of the journal, while somebody watches how far it has been read. What is done with each is part of the time that it
/// takes, so that the rate is that of the work and not that of the disk.
pub(crate) struct Watched<'a, 'w> {
    stage: &'static str,
    entries: Replay,
    /// Bytes that there are.
    of: u64,
    watch: &'a mut Watch<'w>,
}

impl<'a, 'w> Watched<'a, 'w> {
    pub(crate) fn over(
        stage: &'static str,
        entries: Replay,
        watch: &'a mut Watch<'w>,
    ) -> Result<Self, NodeError> {
        let of = entries.bytes_left()?;
        Ok(Self { stage, entries, of, watch })
    }
}

impl Iterator for Watched<'_, '_> {
    type Item = archive::Result<ReplayEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.watch)(Step::bytes(self.stage, self.entries.bytes_read(), self.of));
        self.entries.next()
    }
}
