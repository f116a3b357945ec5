//! Two nodes, a wire that loses, doubles and reorders, and crashes: everything arrives, and is taken once.

use crate::{Batch, Exchange, Letter, Message, NodeId, Offer, Placement, Recalled, SavedStream};
use proptest::prelude::*;
use std::collections::BTreeMap;
use stdx::{Rng, Timestamp};

#[derive(Debug, Clone)]
enum Record {
    Sent(Batch),
    Taken(Batch),
    Acknowledged(Vec<u64>),
}

/// A node, with its journal; entries are numbered from 1.
struct Node {
    me: NodeId,
    peer: NodeId,
    exchange: Exchange,
    journal: Vec<Record>,
    durable: usize,
    checkpoint: Option<Checkpoint>,
}

struct Checkpoint {
    covers: usize,
    saved: Vec<SavedStream>,
}

impl Node {
    fn new(me: NodeId, peer: NodeId) -> Self {
        let placement = Placement::new(me, &[me, peer]).unwrap();
        let exchange = Exchange::new(&placement);
        Self { me, peer, exchange, journal: Vec::new(), durable: 0, checkpoint: None }
    }

    fn journal(&mut self, record: Record) {
        self.journal.push(record);
        let entry = self.journal.len();
        self.apply(entry);
    }

    fn apply(&mut self, entry: usize) {
        match self.journal[entry - 1].clone() {
            Record::Sent(batch) => self.exchange.sent(self.peer, entry as u64, batch),
            Record::Taken(batch) => self.exchange.taken(self.peer, entry as u64, batch.number),
            Record::Acknowledged(numbers) => self.exchange.acknowledged(self.peer, &numbers),
        }
    }

    fn send(&mut self, content: u64) {
        let number = self.exchange.next_number(self.peer);
        self.journal(Record::Sent(Batch { number, shard: 0, body: content.to_le_bytes().to_vec() }));
    }

    fn commit(&mut self) {
        self.durable = self.journal.len();
        self.exchange.durable(self.durable as u64);
    }

    fn save(&mut self) {
        self.commit();
        self.checkpoint = Some(Checkpoint { covers: self.durable, saved: self.exchange.save() });
    }

    fn crash(&mut self) {
        self.journal.truncate(self.durable);
        let placement = Placement::new(self.me, &[self.me, self.peer]).unwrap();
        self.exchange = Exchange::new(&placement);
        let covered = self.checkpoint.as_ref().map_or(0, |checkpoint| {
            self.exchange.restore(checkpoint.saved.clone());
            checkpoint.covers
        });
        (covered + 1..=self.durable).for_each(|entry| self.apply(entry));
        self.exchange.resume(self.durable as u64);
    }

    fn read_back(&mut self, at_once: usize) {
        let Some(entry) = self.exchange.next_reading() else { return };
        let end = (entry as usize + at_once).min(self.durable);
        let (peer, journal) = (self.peer, &self.journal);
        let recalled = (entry as usize..=end).filter_map(|entry| match &journal[entry - 1] {
            Record::Sent(batch) => Some(Recalled { entry: entry as u64, to: peer, batch: batch.clone() }),
            _ => None,
        });
        self.exchange.read(recalled.collect::<Vec<_>>(), end as u64);
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Batch(batch) => {
                if self.exchange.offered(self.peer, batch.number) == Offer::New {
                    self.journal(Record::Taken(batch));
                }
            }
            Message::Acknowledged(numbers) => {
                let news = self.exchange.news(self.peer, &numbers);
                if !news.is_empty() {
                    self.journal(Record::Acknowledged(news));
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

struct Wire {
    nodes: [Node; 2],
    letters: Vec<Letter>,
    rng: Rng,
    now: Timestamp,
    sent: Vec<u64>,
}

impl Wire {
    fn new(seed: u64) -> Self {
        let (a, b) = (NodeId(0), NodeId(1));
        Self {
            nodes: [Node::new(a, b), Node::new(b, a)],
            letters: Vec::new(),
            rng: Rng::new(seed),
            now: Timestamp::from_ms(1),
            sent: Vec::new(),
        }
    }

    /// Something happens; node 0 sends, both do everything else.
    fn step(&mut self) {
        let node = self.rng.below(2) as usize;
        self.now = self.now + self.rng.below(300);
        match self.rng.below(40) {
            0 => self.nodes[node].crash(),
            1 => self.nodes[node].save(),
            2..8 => self.nodes[node].commit(),
            8..12 => self.nodes[node].read_back(10),
            12..22 => self.nodes[0].send(self.sent.len() as u64),
            22..30 => self.pick_up(node),
            _ => self.deliver(),
        }
        self.nodes.iter().for_each(|node| node.exchange.check_invariants());
    }

    fn pick_up(&mut self, node: usize) {
        while let Some(letter) = self.nodes[node].exchange.next_letter(self.now) {
            let copies = [0, 1, 1, 1, 2][self.rng.below(5) as usize];
            self.letters.extend((0..copies).map(|_| letter.clone()));
        }
    }

    fn deliver(&mut self) {
        if !self.letters.is_empty() {
            let index = self.rng.below(self.letters.len() as u64) as usize;
            let Letter { to, message } = self.letters.swap_remove(index);
            self.nodes[usize::from(to.0)].receive(message);
        }
    }

    /// No faults any more.
    fn heal(&mut self) {
        for _ in 0..400 {
            self.now = self.now + 1_000;
            for node in 0..2 {
                self.nodes[node].commit();
                self.nodes[node].read_back(1_000);
                while let Some(letter) = self.nodes[node].exchange.next_letter(self.now) {
                    self.letters.push(letter);
                }
            }
            self.letters.reverse();
            while let Some(Letter { to, message }) = self.letters.pop() {
                self.nodes[usize::from(to.0)].receive(message);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_wire_does_and_whoever_crashes(seed in any::<u64>(), steps in 1..3_000_usize) {
        let mut wire = Wire::new(seed);
        (0..steps).for_each(|_| wire.step());
        wire.heal();
        let [sender, receiver] = &wire.nodes;
        prop_assert!(sender.exchange.is_settled() && receiver.exchange.is_settled());
        let sent = sender.journal.iter().filter_map(|record| match record {
            Record::Sent(batch) => Some((batch.number, batch.body.clone())),
            _ => None,
        });
        let mut taken = BTreeMap::new();
        for record in &receiver.journal {
            if let Record::Taken(batch) = record {
                prop_assert_eq!(taken.insert(batch.number, batch.body.clone()), None, "taken twice");
            }
        }
        prop_assert_eq!(taken, sent.collect::<BTreeMap<_, _>>());
    }
}
