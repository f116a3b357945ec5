//! URLs that wait in BEAST's queues, and whose they are.
//!
//! A crawl that is hungry and has nothing to merge, in any shard, reads the queues of a shard only if somebody *starves* there: a host that may be contacted and has nothing else but
//! retries, or one that nobody has met yet. As long as a host has something at hand, its clock is what it waits for: to let
//! more of its URLs pass would feed nobody, and leave budgets and traps without effect wherever slots are free. So a budget
//! orders and never idles a slot (ARCHITECTURE.md, promise 5): what a slot could take is at hand, or somebody starves, and the
//! next job reads. Every URL in the queues is counted with its host or as a stranger's, so none is forgotten there.

use crate::habits::HabitCounts;
use crate::{Acquaintance, Beast, BeastCounters, BeastQueue, Claim, Placement};
use serde::{Deserialize, Serialize};

/// What a shard knows of them; only jobs change it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Deferred {
    pub(crate) beast: Beast,
    /// Read from the last of its queues and not placed again yet: less than a block.
    pub(crate) ahead: Vec<Vec<u8>>,
    /// URLs whose host was not known when they were put off; those of known hosts are counted there.
    pub(crate) strangers: u64,
}

impl Deferred {
    /// Places a new URL.
    pub(crate) fn place(
        &mut self,
        domain: &mut BeastCounters,
        host: &mut HabitCounts,
        claim: Claim,
    ) -> Placement {
        let placement = self.beast.place(domain, claim);
        self.count(placement, claim.host, host)
    }

    /// Places a URL that has been read from a queue.
    pub(crate) fn place_again(
        &mut self,
        from: BeastQueue,
        domain: &mut BeastCounters,
        host: &mut HabitCounts,
        claim: Claim,
    ) -> Placement {
        // Which of the two it was put there as is not known: the sums are right, and at worst a queue is read too early.
        let waiting = if host.deferred > 0 { &mut host.deferred } else { &mut self.strangers };
        *waiting = waiting.checked_sub(1).expect("a URL that waited was counted");
        let placement = self.beast.place_again(from, domain, claim);
        self.count(placement, claim.host, host)
    }

    /// A host is known from now on: strangers beyond those there were `before` its URLs were placed are its own.
    pub(crate) fn introduce(&mut self, host: &mut HabitCounts, before: u64) {
        let own = self.strangers.saturating_sub(before);
        self.strangers -= own;
        host.deferred += own;
    }

    fn count(&mut self, placement: Placement, is: Acquaintance, host: &mut HabitCounts) -> Placement {
        if let Placement::Wait(_) = placement {
            let waiting = if is == Acquaintance::Known { &mut host.deferred } else { &mut self.strangers };
            *waiting += 1;
        }
        placement
    }
}
