//! Whether what waits for a verdict may feed somebody.
//!
//! A hungry crawl merges what it has, since a host that has nothing at hand may get something. Discoveries of a host that
//! does have something feed nobody: its clock is what it waits for. A crawl of one large site would otherwise pass over
//! all its keys after every page. They wait until there are enough to pay for the pass, until their host runs dry, or
//! until anything else of the shard is merged.

use crate::Frontier;
use crate::host::{Host, HostId};
use crate::identity::host_of;
use crate::limits::FREE_PASS_BYTES;

/// What is known of the discoveries that wait. Not durable: whoever does not know must merge.
#[derive(Debug)]
pub(crate) struct Gathering {
    may_feed: bool,
    /// Grows whenever all that waits is taken. Hosts remember in which round something of them began to wait.
    round: u64,
}

/// The host of the last discovery of several, in the round in which something of it began to wait: its neighbours are mostly its
/// own, and need not be noted again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Noted<'a> {
    host: &'a str,
    round: u64,
}

impl Default for Gathering {
    fn default() -> Self {
        Self { may_feed: true, round: 1 }
    }
}

impl Host {
    /// Whether its clock is all that it waits for.
    fn is_fed(&self) -> bool {
        self.record.barred.is_none() && self.has_at_hand()
    }
}

impl Frontier {
    /// Whether to merge what waits might give somebody something to do who has nothing, or costs next to nothing.
    pub(crate) fn waiting_may_feed(&self) -> bool {
        self.disk.seen.waiting() > 0
            && (self.gathering.may_feed || self.passed_over_bytes() < FREE_PASS_BYTES)
    }

    /// A discovery of this URL waits from now on.
    pub(crate) fn note_gathered<'a>(&mut self, url: &'a str, last: &mut Noted<'a>) {
        if self.gathering.may_feed {
            return;
        }
        let noted = Noted { host: host_of(url), round: self.gathering.round };
        if noted == std::mem::replace(last, noted) {
            return;
        }
        let fed = self.resident(noted.host).filter(|id| self.host_ref(*id).is_fed());
        match fed {
            Some(id) => self.host(id).gathers_in = self.gathering.round,
            None => self.gathering.may_feed = true,
        }
    }

    /// The host has changed: it may have run dry.
    pub(crate) fn note_dry(&mut self, id: HostId) {
        let host = self.host_ref(id);
        self.gathering.may_feed |= host.gathers_in == self.gathering.round && !host.is_fed();
    }

    /// The host leaves memory, and what it remembers with it.
    pub(crate) fn forget_gathered(&mut self, id: HostId) {
        self.gathering.may_feed |= self.host_ref(id).gathers_in == self.gathering.round;
    }

    /// Merges have begun; if they took all that waited, nobody waits.
    pub(crate) fn note_taken(&mut self) {
        if self.disk.seen.waiting() == 0 {
            self.gathering = Gathering { may_feed: false, round: self.gathering.round + 1 };
        }
    }

    /// What was taken waits again.
    pub(crate) fn note_given_back(&mut self) {
        self.gathering.may_feed = true;
    }
}
