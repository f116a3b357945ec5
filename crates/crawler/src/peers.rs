use crate::errands::Errands;
use crate::leases::Waiter;
use crate::limits::{JOURNAL_READ_BYTES, SHARDS, UNCOMMITTED_ENTRIES};
use crate::line::Lines;
use crate::saved::SavedPeers;
use crate::wire;
use crate::{Action, CrawlConfig, Crawler, Record, RecoveryError};
use archive::ReplayEntry;
use cluster::{
    Asks, Batch, Census, Envelope, Exchange, Grant, Heard, Lending, Letter, Message, NodeId, Offer, Recalled,
    Runs, Standing,
};
use drum::Clock;
use frontier::{Discovery, Origin};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stdx::Timestamp;
use weburl::{KeyHash, Url};

/// What this node has to do with the other nodes of its crawl; nothing, when it is alone.
#[derive(Debug)]
pub(crate) struct Peers {
    pub(crate) exchange: Exchange,
    /// What is in the journal and need not be sent again, though page after page links to it.
    sent_lately: Clock,
    pub(crate) asks: Asks<Waiter>,
    /// Of clocks on which as many claims stand as may.
    pub(crate) appointments: Lines,
    pub(crate) lending: Lending,
    pub(crate) errands: Errands,
    pub(crate) runs: Runs,
    pub(crate) census: Census,
    /// Clocks lent since the last mail.
    pub(crate) grants: BTreeMap<NodeId, Vec<Grant>>,
    /// Counts the runs of this node.
    pub(crate) run: u64,
    introduction: Introduction,
}

/// Nobody hears of a run before the journal has it durably: a crash must not take back what others believe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Introduction {
    /// The run has not begun.
    ToBeMade,
    /// It is in this entry of the journal.
    Journaled(u64),
    /// It is durable.
    Made,
    /// There is nobody to tell.
    NotNeeded,
}

impl Peers {
    pub(crate) fn new(config: &CrawlConfig) -> Self {
        let placement = &config.placement;
        let shards_abroad = SHARDS - placement.shards_owned();
        Self {
            exchange: Exchange::new(placement),
            sent_lately: Clock::new(config.frontier.memory.recent_keys * shards_abroad),
            asks: Asks::new(0),
            appointments: Lines::default(),
            lending: Lending::new(config.fetch_ms),
            errands: Errands::default(),
            runs: Runs::default(),
            census: Census::new(placement, 0),
            grants: BTreeMap::new(),
            run: 0,
            introduction: Introduction::ToBeMade,
        }
    }

    /// Whether the others may hear of this run.
    pub(crate) fn are_introduced(&self) -> bool {
        matches!(self.introduction, Introduction::Made | Introduction::NotNeeded)
    }

    /// These are in the journal, on their way to another node.
    pub(crate) fn note_sent(&mut self, discoveries: &[Discovery]) {
        for path in discoveries.iter().map(|found| path_hash(found.key, found.depth)) {
            if !self.sent_lately.contains(path) {
                self.sent_lately.insert(path);
            }
        }
    }

    /// Whether another node need not be told.
    pub(crate) fn sent_lately(&mut self, key: KeyHash, depth: u32) -> bool {
        self.sent_lately.contains(path_hash(key, depth))
    }

    /// When [`Crawler::mail`] may have something to say.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        if self.introduction != Introduction::Made {
            return None;
        }
        let due = [
            self.exchange.next_due(),
            self.asks.next_due(),
            self.lending.next_due(),
            self.errands.next_due(),
            self.census.next_due(),
        ];
        due.into_iter().flatten().min()
    }

    /// Whether this node waits for no other, and no other for a word of it.
    pub(crate) fn are_settled(&self) -> bool {
        self.are_introduced() && self.exchange.is_settled() && self.asks.is_empty() && self.errands.is_idle()
    }
}

impl Crawler {
    /// What a checkpoint keeps of the other nodes.
    pub(crate) fn save_peers(&self) -> Option<SavedPeers> {
        let placement = &self.config.placement;
        let saved = || SavedPeers {
            nodes: placement.nodes().to_vec(),
            run: self.peers.run,
            streams: self.peers.exchange.save(),
        };
        (!placement.is_alone()).then(saved)
    }

    /// Goes on among the nodes that a checkpoint names, which must be those of today.
    pub(crate) fn load_peers(&mut self, saved: Option<SavedPeers>) -> Result<(), RecoveryError> {
        let placement = &self.config.placement;
        let nodes = (!placement.is_alone()).then(|| placement.nodes());
        if saved.as_ref().map(|saved| saved.nodes.as_slice()) != nodes {
            return Err(RecoveryError::OtherNodes);
        }
        if let Some(SavedPeers { run, streams, .. }) = saved {
            self.peers.run = run;
            self.peers.exchange.restore(streams);
        }
        Ok(())
    }

    /// The run begins: the journal counts it.
    pub(crate) fn introduce(&mut self) -> frontier::Result<()> {
        self.peers.exchange.resume(self.outbox.last_seq().unwrap_or(0));
        if self.config.placement.is_alone() {
            self.peers.introduction = Introduction::NotNeeded;
            return Ok(());
        }
        self.journal(Record::Began { run: self.peers.run + 1 }, None)?;
        self.peers.asks = Asks::new(self.peers.run);
        self.peers.census = Census::new(&self.config.placement, self.peers.run);
        self.peers.introduction = Introduction::Journaled(self.outbox.next_seq - 1);
        Ok(())
    }

    /// The journal is durable through this entry.
    pub(crate) fn durable(&mut self, entry: u64) {
        self.peers.exchange.durable(entry);
        if matches!(self.peers.introduction, Introduction::Journaled(began) if began <= entry) {
            self.peers.introduction = Introduction::Made;
        }
    }

    /// Another node says something.
    pub(crate) fn arrived(&mut self, now: Timestamp, envelope: Envelope) -> frontier::Result<()> {
        let Envelope { from, run, to, message } = envelope;
        let placement = &self.config.placement;
        let is_for_us = to == placement.me() && placement.peers().any(|peer| peer == from);
        if !is_for_us || !self.peers.are_introduced() || !self.is_listening() {
            return Ok(());
        }
        match self.peers.runs.heard(from, run, now) {
            Heard::Stale => return Ok(()),
            Heard::Anew => self.peer_is_new(from, now),
            Heard::Again => {}
        }
        match message {
            Message::Batch(batch) => self.batch_arrived(from, &batch)?,
            Message::Acknowledged(numbers) => self.acknowledged(from, &numbers)?,
            Message::Asks(asks) => self.asked(from, &asks, now),
            Message::Grants(grants) => self.granted(from, &grants, now),
            Message::Releases(releases) => self.released(from, &releases, now),
            Message::Errand(body) => self.errand_arrived(&body)?,
            Message::Answer(body) => self.answer_arrived(now, &body)?,
            Message::Census { round } => {
                let standing = self.standing(now);
                self.post(from, Message::Stands { round, standing });
            }
            Message::Stands { round, standing } => self.peers.census.stands(from, round, standing),
            Message::Over(rest) => self.told_over(now, rest),
            Message::Farewell => self.peer_left(from, now),
        }
        Ok(())
    }

    /// Says what there is to say, once the others may hear of this run.
    pub(crate) fn mail(&mut self, now: Timestamp) {
        if self.peers.introduction != Introduction::Made || !self.is_listening() {
            return;
        }
        self.look_after_leases(now);
        self.repeat_errands(now);
        for (to, grants) in std::mem::take(&mut self.peers.grants) {
            self.post(to, Message::Grants(grants));
        }
        while let Some(letter) = self.peers.asks.next_letter(now) {
            self.post_letter(letter);
        }
        while let Some(letter) = self.peers.exchange.next_letter(now) {
            self.post_letter(letter);
        }
        if let Some(from) = self.peers.exchange.next_reading() {
            self.actions.push_back(Action::ReadJournal { from, bytes: JOURNAL_READ_BYTES });
        }
        let standing = self.standing(now);
        for letter in self.peers.census.letters(now, standing) {
            self.post_letter(letter);
        }
    }

    /// This run ends.
    pub(crate) fn say_farewell(&mut self) {
        let peers: Vec<NodeId> = self.config.placement.peers().collect();
        for peer in peers {
            self.post(peer, Message::Farewell);
        }
    }

    /// A run of another node ended.
    fn peer_left(&mut self, node: NodeId, now: Timestamp) {
        self.forget_leases_of(node, now);
        self.peers.census.left(node);
    }

    /// How this node stands, for the census.
    pub(crate) fn standing(&self, now: Timestamp) -> Standing {
        let rest = self.idle(now).filter(|_| self.peers.are_settled());
        Standing { rest, entries: self.outbox.next_seq }
    }

    pub(crate) fn post(&mut self, to: NodeId, message: Message) {
        let (from, run) = (self.config.placement.me(), self.peers.run);
        self.actions.push_back(Action::Send(Envelope { from, run, to, message }));
    }

    fn post_letter(&mut self, Letter { to, message }: Letter) {
        self.post(to, message);
    }

    /// Takes a batch over, if there is room for it; if not, it comes again.
    fn batch_arrived(&mut self, from: NodeId, batch: &Batch) -> frontier::Result<()> {
        let has_room = self.outbox.waiting() < UNCOMMITTED_ENTRIES && !self.shards.are_congested();
        if !self.is_running() || !has_room || !self.config.placement.owns_shard(batch.shard) {
            return Ok(());
        }
        let Some(Contents { origin, discoveries }) = wire::decode(&batch.body) else { return Ok(()) };
        let is_sound =
            |found: &Discovery| Url::parse(&found.url).is_ok_and(|url| self.shard_of(&url) == batch.shard);
        if !discoveries.iter().all(is_sound) {
            return Ok(());
        }
        if self.peers.exchange.offered(from, batch.number) == Offer::New {
            let (number, shard) = (batch.number, batch.shard);
            self.journal(Record::Taken { from, number, shard, origin, discoveries }, None)?;
        }
        Ok(())
    }

    fn acknowledged(&mut self, by: NodeId, numbers: &[u64]) -> frontier::Result<()> {
        let numbers = self.peers.exchange.news(by, numbers);
        if numbers.is_empty() { Ok(()) } else { self.journal(Record::Acknowledged { by, numbers }, None) }
    }

    /// The journal's batches that memory had no room for.
    pub(crate) fn journal_read(&mut self, entries: &[ReplayEntry]) {
        let end = entries.last().map_or(0, |entry| entry.seq);
        self.peers.exchange.read(entries.iter().filter_map(recalled), end);
    }
}

/// What is in a batch.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Contents {
    origin: Origin,
    discoveries: Vec<Discovery>,
}

impl Contents {
    /// The batch that a record of the journal tells of.
    pub(crate) fn batch(number: u64, shard: u8, origin: Origin, discoveries: Vec<Discovery>) -> Batch {
        Batch { number, shard, body: wire::encode(&Self { origin, discoveries }) }
    }
}

fn recalled(entry: &ReplayEntry) -> Option<Recalled> {
    let record = Record::decode(entry.seq, &entry.record).ok()?;
    let Record::Sent { to, number, shard, origin, discoveries } = record else { return None };
    Some(Recalled { entry: entry.seq, to, batch: Contents::batch(number, shard, origin, discoveries) })
}

/// A path to a URL: a shorter one is news, under a depth limit.
fn path_hash(key: KeyHash, depth: u32) -> u64 {
    key.0 ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
