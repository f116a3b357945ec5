use crate::NodeId;
use std::collections::BTreeMap;
use stdx::Timestamp;

/// Which run of each other node is the present one, and when it was last heard of.
#[derive(Debug, Default)]
pub struct Runs {
    known: BTreeMap<NodeId, Known>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    run: u64,
    at: Timestamp,
}

/// What hearing of a node means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It goes on.
    Again,
    /// It has been started anew: what its earlier runs claimed and were granted is void.
    Anew,
    /// It has been started anew since this was sent: not to be listened to.
    Stale,
}

impl Runs {
    /// A message of this run of a node came.
    pub fn heard(&mut self, node: NodeId, run: u64, now: Timestamp) -> Heard {
        match self.known.insert(node, Known { run, at: now }) {
            Some(before) if before.run > run => {
                self.known.insert(node, before);
                Heard::Stale
            }
            Some(before) if before.run < run => Heard::Anew,
            _ => Heard::Again,
        }
    }

    /// When a node was last heard of.
    pub fn last_heard(&self, node: NodeId) -> Option<Timestamp> {
        self.known.get(&node).map(|known| known.at)
    }

    /// Whether a node was heard of within the last so many milliseconds.
    pub fn is_alive(&self, node: NodeId, now: Timestamp, within_ms: u64) -> bool {
        self.last_heard(node).is_some_and(|at| now.since_ms(at) <= within_ms)
    }
}
