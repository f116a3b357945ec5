//! The keys of the seen-set, and checks against them as a crawl brings them.

use crate::outlinks::Outlinks;
use stdx::Rng;

/// Shards of a crawl; each has a seen-set of its own.
pub(crate) const SHARDS: usize = 256;
/// One check in so many is of a new URL: p.
pub(crate) const ONE_NEW_IN: u64 = 9;
/// Bits of a key that the shard does not take.
const KEY_BITS: u32 = 56;

/// The keys of a seen-set: in each shard evenly many, one at an even place in each of as many equal gaps.
/// Odd places are free for new keys.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    pub(crate) per_shard: u64,
    gap: u64,
}

impl Keys {
    pub(crate) fn new(keys: u64) -> Self {
        let per_shard = keys / SHARDS as u64;
        Self { per_shard, gap: (1 << KEY_BITS) / per_shard }
    }

    pub(crate) fn all(self) -> impl Iterator<Item = u64> {
        (0..SHARDS as u64).flat_map(move |shard| (0..self.per_shard).map(move |nth| self.known(shard, nth)))
    }

    /// The `nth` key of a shard, in order.
    pub(crate) fn known(self, shard: u64, nth: u64) -> u64 {
        self.in_gap(shard, nth, 0)
    }

    /// The `nth` key that comes new to a shard; no two are equal.
    fn new_key(self, shard: u64, nth: u64) -> u64 {
        /// A prime: the steps go through every gap before they come to one twice.
        const STEP: u64 = 0x9E37_79B1;
        assert!(nth < self.per_shard, "more new keys than known ones");
        self.in_gap(shard, nth * STEP % self.per_shard, 1)
    }

    /// Some place in the `nth` gap of a shard.
    fn in_gap(self, shard: u64, nth: u64, parity: u64) -> u64 {
        let seed = shard << 40 ^ nth << 1 ^ parity;
        let place = Rng::new(seed).below(self.gap / 2) * 2 + parity;
        (shard << KEY_BITS) + nth * self.gap + place
    }
}

/// Checks in the batches in which a crawl's exchange hands them to the shards: shard after shard, the text of
/// one behind the other's.
#[derive(Default)]
pub(crate) struct Round {
    pub(crate) checks: Vec<Check>,
    pub(crate) text: Vec<u8>,
}

/// One URL to be checked.
#[derive(Clone, Copy)]
pub(crate) struct Check {
    pub(crate) key: u64,
    pub(crate) shard: u8,
    pub(crate) text_bytes: u16,
}

/// Checks without end, page after page: a page's links to its own domain go to one shard, one after the other,
/// the others to any. A shard sees no text twice before it has seen all others, so that none repeats within a block.
pub(crate) struct Stream<'a> {
    outlinks: &'a Outlinks,
    keys: Keys,
    rng: Rng,
    shards: Vec<Shard>,
}

#[derive(Clone)]
struct Shard {
    pages: Deck,
    away: Deck,
    new_keys: u64,
    /// Texts that go to it with the round.
    batch: Vec<usize>,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(outlinks: &'a Outlinks, keys: Keys) -> Self {
        let mut rng = Rng::new(keys.per_shard);
        let shards = (0..SHARDS).map(|_| Shard::new(outlinks, &mut rng)).collect();
        Self { outlinks, keys, rng, shards }
    }

    /// At least `count` checks, in place of what `round` holds.
    pub(crate) fn next(&mut self, count: usize, round: &mut Round) {
        let mut waiting = 0;
        while waiting < count {
            waiting += self.next_page();
        }
        round.checks.clear();
        round.text.clear();
        for shard in 0..SHARDS {
            self.hand_over(shard, round);
        }
    }

    /// Gives the links of a page to their shards; returns how many they are.
    fn next_page(&mut self) -> usize {
        let home = self.any_shard();
        let page = &self.outlinks.pages[self.shards[home].pages.draw()];
        self.shards[home].batch.extend_from_slice(&page.home);
        for _ in 0..page.away {
            let shard = self.any_shard();
            let place = self.shards[shard].away.draw();
            self.shards[shard].batch.push(self.outlinks.away[place]);
        }
        page.home.len() + page.away
    }

    fn hand_over(&mut self, shard: usize, round: &mut Round) {
        let batch = std::mem::take(&mut self.shards[shard].batch);
        for text in &batch {
            let text = self.outlinks.texts[*text].as_bytes();
            round.text.extend_from_slice(text);
            let (key, text_bytes) = (self.key(shard), text.len() as u16);
            round.checks.push(Check { key, shard: shard as u8, text_bytes });
        }
        self.shards[shard].batch = batch;
        self.shards[shard].batch.clear();
    }

    fn any_shard(&mut self) -> usize {
        self.rng.below(SHARDS as u64) as usize
    }

    fn key(&mut self, shard: usize) -> u64 {
        if self.rng.one_in(ONE_NEW_IN) {
            self.shards[shard].new_keys += 1;
            self.keys.new_key(shard as u64, self.shards[shard].new_keys - 1)
        } else {
            self.keys.known(shard as u64, self.rng.below(self.keys.per_shard))
        }
    }
}

impl Shard {
    fn new(outlinks: &Outlinks, rng: &mut Rng) -> Self {
        Self {
            pages: Deck::shuffled(outlinks.pages.len(), rng),
            away: Deck::shuffled(outlinks.away.len(), rng),
            new_keys: 0,
            batch: Vec::new(),
        }
    }
}

/// Cards in an order of its own, again and again: between two of a kind lie all the others.
#[derive(Clone)]
struct Deck {
    cards: Vec<u32>,
    next: usize,
}

impl Deck {
    fn shuffled(size: usize, rng: &mut Rng) -> Self {
        let mut cards: Vec<u32> = (0..size as u32).collect();
        (1..size).for_each(|n| cards.swap(n, rng.below(n as u64 + 1) as usize));
        Self { cards, next: 0 }
    }

    fn draw(&mut self) -> usize {
        let card = self.cards[self.next];
        self.next = (self.next + 1) % self.cards.len();
        card as usize
    }
}
