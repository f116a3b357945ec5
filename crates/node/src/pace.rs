use crate::limits::EVENTS_GATHER;
use crate::run::instant;
use std::time::Instant;

/// How often the loop looks whether it has been told something.
pub(crate) struct Pace {
    looked: Instant,
}

impl Pace {
    pub(crate) fn new() -> Self {
        Self { looked: instant() }
    }

    /// Lets what comes in the next moment come together, where nothing has come yet.
    #[expect(
        clippy::disallowed_methods,
        reason = "a waiter is woken by whoever sends, which is what this saves"
    )]
    pub(crate) fn gather(&mut self, nothing_waits: bool) {
        if nothing_waits {
            let since = instant().duration_since(self.looked);
            std::thread::sleep(EVENTS_GATHER.saturating_sub(since));
        }
        self.looked = instant();
    }
}
