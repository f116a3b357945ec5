use crate::agenda::Agenda;
use frontier::{Class, Frontier, Lottery};
use stdx::Timestamp;

/// Mercator's front queues, each through all shards: slots that are short are divided among classes, wherever their hosts are.
#[derive(Debug)]
pub(crate) struct FrontQueues {
    /// When each shard has somebody for them next.
    calendars: Agenda,
    /// Since when the first in each shard's part of a queue is due, by class.
    queues: [Agenda; 3],
    lottery: Lottery,
}

impl FrontQueues {
    pub(crate) fn new(seed: u64) -> Self {
        let queues = std::array::from_fn(|_| Agenda::new());
        Self { calendars: Agenda::new(), queues, lottery: Lottery::new(seed) }
    }

    /// What this shard has for them, and in them, is what it says now.
    pub(crate) fn set(&mut self, shard: u8, frontier: &Frontier) {
        self.calendars.set(shard, frontier.next_due());
        for (class, queue) in Class::ALL.into_iter().zip(&mut self.queues) {
            queue.set(shard, frontier.first_of(class));
        }
    }

    /// When a host has its turn, at the earliest.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        let first = |agenda: &Agenda| agenda.first().map(|appointment| appointment.at);
        self.queues.iter().chain([&self.calendars]).filter_map(first).min()
    }

    /// A shard with hosts that are due now and stand in no queue yet.
    pub(crate) fn next_promotion(&self, now: Timestamp) -> Option<u8> {
        self.calendars.first().filter(|first| first.at <= now).map(|first| first.shard)
    }

    /// Draws a queue, and gives it with the shard where its first is, who has been due longest.
    pub(crate) fn draw(&mut self) -> Option<(Class, u8)> {
        let class = self.lottery.draw(|class| self.queues[class as usize].first().is_some())?;
        self.queues[class as usize].first().map(|first| (class, first.shard))
    }

    /// Asserts that they have this shard as it is.
    pub(crate) fn check(&self, shard: u8, frontier: &Frontier) {
        assert_eq!(self.calendars.moment(shard), frontier.next_due(), "shard {shard} is settled");
        for (class, queue) in Class::ALL.into_iter().zip(&self.queues) {
            assert_eq!(queue.moment(shard), frontier.first_of(class), "shard {shard} is settled");
        }
    }
}
