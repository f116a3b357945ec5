use crate::limits::{CENSUS_AGAIN_MS, CENSUS_EVERY_MS, OVER_TRIES};
use crate::{Letter, Message, NodeId, Placement};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use stdx::Timestamp;

/// How a node that is at rest would end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rest {
    /// Every URL of its shards has its final state.
    Done,
    /// What is left is not due for long.
    Waiting,
}

/// What a node says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Whether it is at rest: nothing to do, nothing under way, nothing sent that is not acknowledged, nothing asked for
    /// that is not answered.
    pub rest: Option<Rest>,
    /// Entries of its journal: whatever happens to a node makes them more.
    pub entries: u64,
}

/// Finds out when a crawl of several nodes is over. The least of them asks all, again and again; when two rounds in a row find
/// everybody at rest and no journal any longer, nobody has done anything since the end of the first, and nothing that could make
/// anybody do something is on its way (Mattern 1987, the four-counter method). The others only answer, and know by the
/// question that the crawl goes on.
#[derive(Debug)]
pub struct Census {
    me: NodeId,
    peers: Vec<NodeId>,
    round: u64,
    replies: BTreeMap<NodeId, Standing>,
    /// The round before, if it found everybody at rest.
    previous: Option<BTreeMap<NodeId, Standing>>,
    phase: Phase,
    /// When there is something to say again.
    next_at: Timestamp,
}

#[derive(Debug)]
enum Phase {
    /// Between two rounds.
    Idle,
    /// Some have not answered yet.
    Asking,
    /// Everybody is being told.
    Over { rest: Rest, left: BTreeSet<NodeId>, tries: u32 },
}

/// Rounds of different runs have different numbers.
const ROUNDS_PER_RUN: u64 = 1 << 32;

impl Census {
    /// For a run of a node.
    pub fn new(placement: &Placement, run: u64) -> Self {
        Self {
            me: placement.me(),
            peers: placement.peers().collect(),
            round: run * ROUNDS_PER_RUN,
            replies: BTreeMap::new(),
            previous: None,
            phase: Phase::Idle,
            next_at: Timestamp::ZERO,
        }
    }

    /// Who asks.
    pub fn leader(&self) -> NodeId {
        self.peers.iter().copied().fold(self.me, NodeId::min)
    }

    /// A node says how it stands, in answer to a round.
    pub fn stands(&mut self, node: NodeId, round: u64, standing: Standing) {
        if round == self.round && self.peers.contains(&node) {
            self.replies.insert(node, standing);
        }
    }

    /// A node takes its leave.
    pub fn left(&mut self, node: NodeId) {
        if let Phase::Over { left, .. } = &mut self.phase {
            left.insert(node);
        }
    }

    /// What there is to say; `own` is how this node stands.
    pub fn letters(&mut self, now: Timestamp, own: Standing) -> Vec<Letter> {
        if self.leader() != self.me {
            return Vec::new();
        }
        let mut letters = Vec::new();
        if matches!(self.phase, Phase::Asking) && self.replies.len() == self.peers.len() + 1 {
            self.count(now);
        }
        if now >= self.next_at {
            if matches!(self.phase, Phase::Idle) {
                self.begin_round(own);
            }
            letters = self.say();
            self.next_at = now + CENSUS_AGAIN_MS;
        }
        letters
    }

    /// When [`Census::letters`] may give something.
    pub fn next_due(&self) -> Option<Timestamp> {
        (self.leader() == self.me).then_some(self.next_at)
    }

    /// How the crawl ended, once everybody has left or was told often enough.
    pub fn ended(&self) -> Option<Rest> {
        let Phase::Over { rest, left, tries } = &self.phase else { return None };
        let all_left = self.peers.iter().all(|peer| left.contains(peer));
        (all_left || *tries > OVER_TRIES).then_some(*rest)
    }

    /// A round is complete.
    fn count(&mut self, now: Timestamp) {
        let replies = std::mem::take(&mut self.replies);
        let rests: Option<Vec<Rest>> = replies.values().map(|standing| standing.rest).collect();
        let rest = rests.and_then(|rests| rests.into_iter().max());
        let again = self.previous.as_ref() == Some(&replies);
        self.phase = match rest {
            Some(rest) if again => Phase::Over { rest, left: BTreeSet::new(), tries: 0 },
            _ => Phase::Idle,
        };
        self.next_at = now + if rest.is_some() { 0 } else { CENSUS_EVERY_MS };
        self.previous = rest.map(|_| replies);
    }

    fn begin_round(&mut self, own: Standing) {
        self.phase = Phase::Asking;
        self.round += 1;
        self.replies = BTreeMap::from([(self.me, own)]);
    }

    fn say(&mut self) -> Vec<Letter> {
        let round = self.round;
        if let Phase::Over { rest, left, tries } = &mut self.phase {
            *tries += 1;
            let (stay, rest) = (self.peers.iter().filter(|peer| !left.contains(peer)), *rest);
            return stay.map(|&to| Letter { to, message: Message::Over(rest) }).collect();
        }
        let silent = self.peers.iter().filter(|peer| !self.replies.contains_key(peer));
        silent.map(|&to| Letter { to, message: Message::Census { round } }).collect()
    }
}
