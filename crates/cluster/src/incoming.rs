use crate::Numbers;
use crate::limits::WINDOW_BATCHES;
use std::collections::VecDeque;

/// What has been taken over from one node. A batch is acknowledged when the journal entry that has it is durable, and again
/// whenever it comes again.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    taken: Numbers,
    /// Taken and not known to be durable, in order.
    unconfirmed: VecDeque<Unconfirmed>,
    /// To be acknowledged.
    to_tell: Vec<u64>,
}

#[derive(Debug)]
struct Unconfirmed {
    entry: u64,
    number: u64,
}

/// What to do with a batch that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Journal it.
    New,
    /// Nothing: it is taken, and its sender will be told, or told again.
    Known,
    /// Nothing: it is further ahead than an honest sender goes.
    Beyond,
}

impl Incoming {
    pub(crate) fn restore(taken: Numbers) -> Self {
        Self { taken, ..Self::default() }
    }

    pub(crate) fn taken(&self) -> &Numbers {
        &self.taken
    }

    /// A batch came.
    pub(crate) fn offered(&mut self, number: u64) -> Offer {
        if self.taken.contains(number) {
            let is_durable = !self.unconfirmed.iter().any(|taken| taken.number == number);
            if is_durable && self.to_tell.len() < 2 * WINDOW_BATCHES {
                self.to_tell.push(number);
            }
            return Offer::Known;
        }
        let ahead = number - self.taken.first_missing();
        if ahead >= WINDOW_BATCHES as u64 { Offer::Beyond } else { Offer::New }
    }

    /// A batch is in the journal at `entry`, not necessarily durable.
    pub(crate) fn take(&mut self, entry: u64, number: u64) {
        self.taken.insert(number);
        self.unconfirmed.push_back(Unconfirmed { entry, number });
    }

    /// Everything in the journal through `entry` is durable.
    pub(crate) fn confirm(&mut self, entry: u64) {
        let durable = self.unconfirmed.partition_point(|taken| taken.entry <= entry);
        self.to_tell.extend(self.unconfirmed.drain(..durable).map(|taken| taken.number));
    }

    /// After a replay, whose entries are durable: who sent them asks again if it has to.
    pub(crate) fn forget_unconfirmed(&mut self) {
        self.unconfirmed.clear();
    }

    /// The numbers to be acknowledged now.
    pub(crate) fn tell(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.to_tell)
    }

    pub(crate) fn has_to_tell(&self) -> bool {
        !self.to_tell.is_empty()
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.unconfirmed.is_empty() && self.to_tell.is_empty()
    }
}
