use crate::incoming::Incoming;
use crate::outgoing::{Loaded, Outgoing};
use crate::{Batch, Message, NodeId, Numbers, Offer, Placement};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stdx::Timestamp;

/// Carries batches between this node and the others. Its durable state changes by four calls alone, each for a record of the
/// journal: [`Exchange::sent`], [`Exchange::acknowledged`], [`Exchange::taken`], and none for what is only in memory.
#[derive(Debug, Default)]
pub struct Exchange {
    streams: BTreeMap<NodeId, Stream>,
    /// The last journal entry that is durable.
    durable: u64,
    /// For whom the journal is being read.
    reading_for: Option<NodeId>,
}

/// Both directions between this node and another.
#[derive(Debug, Default)]
struct Stream {
    outgoing: Outgoing,
    incoming: Incoming,
}

/// What a checkpoint keeps of the traffic with one node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedStream {
    /// The node.
    pub peer: NodeId,
    /// The number of the next batch for it.
    pub next: u64,
    /// The numbers it has acknowledged.
    pub acknowledged: Numbers,
    /// The journal entry from which on those that it has not can be read back.
    pub first_entry: u64,
    /// The numbers taken from it.
    pub taken: Numbers,
}

/// A message for a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Whom it is for.
    pub to: NodeId,
    /// What it says.
    pub message: Message,
}

/// A batch as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalled {
    /// The journal entry.
    pub entry: u64,
    /// Whom it is for.
    pub to: NodeId,
    /// The batch.
    pub batch: Batch,
}

impl Exchange {
    /// With all nodes that `placement` names but this.
    pub fn new(placement: &Placement) -> Self {
        Self { streams: placement.peers().map(|peer| (peer, Stream::default())).collect(), ..Self::default() }
    }

    /// Goes on where a checkpoint was made.
    pub fn restore(&mut self, saved: Vec<SavedStream>) {
        for stream in saved {
            let outgoing = Outgoing::restore(&stream);
            self.streams.insert(stream.peer, Stream { outgoing, incoming: Incoming::restore(stream.taken) });
        }
    }

    /// What a checkpoint keeps.
    pub fn save(&self) -> Vec<SavedStream> {
        let save = |(&peer, stream): (&NodeId, &Stream)| SavedStream {
            peer,
            next: stream.outgoing.next(),
            acknowledged: stream.outgoing.acknowledged().clone(),
            first_entry: stream.outgoing.first_entry(),
            taken: stream.incoming.taken().clone(),
        };
        self.streams.iter().map(save).collect()
    }

    /// The journal has been replayed through `durable`.
    pub fn resume(&mut self, durable: u64) {
        self.durable = durable;
        self.streams.values_mut().for_each(|stream| stream.incoming.forget_unconfirmed());
    }

    /// The number of the next batch for a node.
    pub fn next_number(&self, to: NodeId) -> u64 {
        self.streams.get(&to).map_or(0, |stream| stream.outgoing.next())
    }

    /// A batch for a node is in the journal at `entry`.
    pub fn sent(&mut self, to: NodeId, entry: u64, batch: Batch) {
        self.streams.entry(to).or_default().outgoing.push(entry, batch);
    }

    /// A node has these batches, durably.
    pub fn acknowledged(&mut self, by: NodeId, numbers: &[u64]) {
        let Some(stream) = self.streams.get_mut(&by) else { return };
        for number in numbers {
            stream.outgoing.acknowledge(*number);
        }
    }

    /// Those of these numbers that a node had not acknowledged yet.
    pub fn news(&self, by: NodeId, numbers: &[u64]) -> Vec<u64> {
        let Some(stream) = self.streams.get(&by) else { return Vec::new() };
        let is_new = |number: &&u64| !stream.outgoing.acknowledged().contains(**number);
        numbers.iter().filter(is_new).filter(|number| **number < stream.outgoing.next()).copied().collect()
    }

    /// A batch came from a node.
    pub fn offered(&mut self, from: NodeId, number: u64) -> Offer {
        self.streams.get_mut(&from).map_or(Offer::Beyond, |stream| stream.incoming.offered(number))
    }

    /// A batch from a node is in the journal at `entry`.
    pub fn taken(&mut self, from: NodeId, entry: u64, number: u64) {
        self.streams.entry(from).or_default().incoming.take(entry, number);
    }

    /// The journal is durable through `entry`: what is in it may be sent, what was taken is acknowledged.
    pub fn durable(&mut self, entry: u64) {
        self.durable = entry;
        self.streams.values_mut().for_each(|stream| stream.incoming.confirm(entry));
    }

    /// The next thing to say to anybody.
    pub fn next_letter(&mut self, now: Timestamp) -> Option<Letter> {
        let durable = self.durable;
        self.streams.iter_mut().find_map(|(&to, stream)| {
            if stream.incoming.has_to_tell() {
                return Some(Letter { to, message: Message::Acknowledged(stream.incoming.tell()) });
            }
            let batch = stream.outgoing.next_to_send(now, durable)?;
            Some(Letter { to, message: Message::Batch(batch.clone()) })
        })
    }

    /// When [`Exchange::next_letter`] may give something.
    pub fn next_due(&self) -> Option<Timestamp> {
        let due = |stream: &Stream| {
            let at_once = stream.incoming.has_to_tell().then_some(Timestamp::ZERO);
            at_once.or_else(|| stream.outgoing.next_due(self.durable))
        };
        self.streams.values().filter_map(due).min()
    }

    /// The journal entry to read on from, if there is room for batches that only the journal has and it is not being read.
    pub fn next_reading(&mut self) -> Option<u64> {
        if self.reading_for.is_some() {
            return None;
        }
        let wants = |(&peer, stream): (&NodeId, &Stream)| {
            stream.outgoing.wants_from().filter(|entry| *entry <= self.durable).map(|entry| (peer, entry))
        };
        let (peer, entry) = self.streams.iter().find_map(wants)?;
        self.reading_for = Some(peer);
        Some(entry)
    }

    /// The journal was read through `end`, and these batches are in what was read.
    pub fn read(&mut self, batches: impl IntoIterator<Item = Recalled>, end: u64) {
        let Some(peer) = self.reading_for.take() else { return };
        let Some(Stream { outgoing, .. }) = self.streams.get_mut(&peer) else { return };
        for recalled in batches.into_iter().filter(|recalled| recalled.to == peer) {
            if outgoing.load(recalled.entry, recalled.batch) == Loaded::Full {
                return;
            }
        }
        outgoing.read_through(end);
    }

    /// Whether everything has been acknowledged, by others and to others.
    pub fn is_settled(&self) -> bool {
        self.streams.values().all(|stream| stream.outgoing.is_settled() && stream.incoming.is_settled())
    }

    /// Asserts what must hold. For tests and simulation.
    pub fn check_invariants(&self) {
        self.streams.values().for_each(|stream| stream.outgoing.check_invariants());
    }
}
