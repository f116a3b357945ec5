use super::Asked;
use super::slices::{Visitor, show_all};
use crawler::ListedHost;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use stdx::Timestamp;
use ui::{Trap, Unanswered};

/// As many as anybody reads.
const TRAPS: usize = 100;

/// The worst of all hosts in memory.
pub(super) fn worst(asked: &Asked) -> Result<Vec<Trap>, Unanswered> {
    Ok(show_all(asked, Suspects::default())?.0.into_values().collect())
}

/// The heaviest penalties first, and of those the most URLs.
#[derive(Default)]
struct Suspects(BTreeMap<(Reverse<u8>, Reverse<u64>, String), Trap>);

impl Visitor for Suspects {
    fn visit(&mut self, host: &ListedHost<'_>, _: Timestamp) {
        let Some(suspicion) = host.suspicion() else { return };
        let queues = suspicion.penalty.get();
        let rank = (Reverse(queues), Reverse(host.pending()), host.name().to_owned());
        let trap = Trap {
            host: host.name().to_owned(),
            reason: suspicion.reason.to_string(),
            queues,
            pending: host.pending(),
            deferred: host.deferred(),
        };
        self.0.insert(rank, trap);
        if self.0.len() > TRAPS {
            self.0.pop_last();
        }
    }
}
