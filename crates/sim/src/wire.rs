use cluster::{Envelope, NodeId};
use std::collections::BTreeMap;
use std::ops::Range;
use stdx::{Rng, Timestamp};

/// What a network between nodes does to messages.
#[derive(Debug, Clone)]
pub struct Weather {
    /// Messages lost, by the thousand.
    pub lost: u64,
    /// Messages that come twice, by the thousand.
    pub doubled: u64,
    /// How long one is on its way; those of different delays overtake each other.
    pub delay_ms: Range<u64>,
    /// After one message in so many nothing passes between the two nodes for a while; never, if 0.
    pub cut_after: u64,
    /// For how long.
    pub cut_ms: Range<u64>,
}

impl Weather {
    /// Nothing is lost, and everything comes soon.
    pub const CALM: Self = Self { lost: 0, doubled: 0, delay_ms: 1..5, cut_after: 0, cut_ms: 0..1 };

    /// Everything happens, and often.
    pub const WILD: Self =
        Self { lost: 50, doubled: 50, delay_ms: 1..400, cut_after: 2_000, cut_ms: 1_000..100_000 };
}

/// What somebody else does to messages: it gives those that are sent instead.
pub type Meddler = Box<dyn FnMut(Envelope) -> Vec<Envelope>>;

/// The loopback between nodes: messages go as bytes, and come late, twice, out of order or not at all. It outlives the nodes'
/// crashes, so that a message may come to a later run than it was sent to.
pub struct Wire {
    weather: Weather,
    rng: Rng,
    under_way: BTreeMap<(Timestamp, u64), Vec<u8>>,
    order: u64,
    /// Until when nothing passes between two nodes.
    cuts: BTreeMap<(NodeId, NodeId), Timestamp>,
    meddler: Option<Meddler>,
    /// Messages sent so far.
    pub sent: u64,
    /// Bytes of them.
    pub bytes: u64,
}

impl Wire {
    /// A wire without messages.
    pub fn new(weather: Weather, seed: u64) -> Self {
        Self {
            weather,
            rng: Rng::new(seed),
            under_way: BTreeMap::new(),
            order: 0,
            cuts: BTreeMap::new(),
            meddler: None,
            sent: 0,
            bytes: 0,
        }
    }

    /// From now on somebody meddles.
    pub fn meddle(&mut self, meddler: Meddler) {
        self.meddler = Some(meddler);
    }

    /// A node sends something.
    pub fn send(&mut self, now: Timestamp, envelope: Envelope) {
        let envelopes = match &mut self.meddler {
            Some(meddler) => meddler(envelope),
            None => vec![envelope],
        };
        for envelope in envelopes {
            self.carry(now, &envelope);
        }
    }

    /// What arrives by `now`.
    pub fn arrived(&mut self, now: Timestamp) -> Option<Envelope> {
        let entry = self.under_way.first_entry().filter(|entry| entry.key().0 <= now)?;
        Some(Envelope::decode(&entry.remove()).expect("what a node encoded can be decoded"))
    }

    /// When something arrives next.
    pub fn next_moment(&self) -> Option<Timestamp> {
        self.under_way.first_key_value().map(|(&(at, _), _)| at)
    }

    fn carry(&mut self, now: Timestamp, envelope: &Envelope) {
        let bytes = envelope.encode();
        self.sent += 1;
        self.bytes += bytes.len() as u64;
        if self.is_cut(now, envelope) || self.happens(self.weather.lost) {
            return;
        }
        let copies = 1 + u64::from(self.happens(self.weather.doubled));
        for _ in 0..copies {
            let Range { start, end } = self.weather.delay_ms;
            let at = now + start + self.rng.below(end - start);
            self.order += 1;
            self.under_way.insert((at, self.order), bytes.clone());
        }
    }

    fn happens(&mut self, by_the_thousand: u64) -> bool {
        self.rng.below(1000) < by_the_thousand
    }

    fn is_cut(&mut self, now: Timestamp, envelope: &Envelope) -> bool {
        let pair = (envelope.from.min(envelope.to), envelope.from.max(envelope.to));
        if self.weather.cut_after > 0 && self.rng.one_in(self.weather.cut_after) {
            let Range { start, end } = self.weather.cut_ms;
            self.cuts.insert(pair, now + start + self.rng.below(end - start));
        }
        self.cuts.get(&pair).is_some_and(|until| now < *until)
    }
}
