//! Hosts that have been contacted at a server and are not due yet. They stand in no line, and have more to do there all the same.

use crate::servers::HostRef;
use frontier::Chain;
use frontier::limits::HOSTS_COMPARED;
use std::collections::VecDeque;
use stdx::Timestamp;

/// Those of one server, as they were contacted.
#[derive(Debug, Default)]
pub(crate) struct Resting(VecDeque<(HostRef, Chain)>);

impl Resting {
    /// The host has been contacted. Of more than [`HOSTS_COMPARED`] the one that was contacted first is forgotten.
    pub(crate) fn add(&mut self, who: HostRef, chain: Chain) {
        self.remove(who);
        if self.0.len() == HOSTS_COMPARED {
            self.0.pop_front();
        }
        self.0.push_back((who, chain));
    }

    /// The host has come again.
    pub(crate) fn remove(&mut self, who: HostRef) {
        self.0.retain(|(host, _)| *host != who);
    }

    /// URLs of all but one. Who has not come a step after it was due has left memory, or is at another server.
    pub(crate) fn urls_without(&self, who: HostRef, now: Timestamp) -> u64 {
        let others = self.0.iter().filter(|(host, chain)| *host != who && now <= chain.due + chain.step_ms);
        others.map(|(_, chain)| chain.pending).sum()
    }
}
