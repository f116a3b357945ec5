use crate::limits::CONTROLS_WAITING;
use control::{Command, Receipt, Refusal};
use crawler::{Crawler, Event, OrderId};
use crossbeam_channel::{Receiver, Sender, bounded, never};
use std::collections::BTreeMap;
use std::fmt;
use stdx::Timestamp;

/// What came of a command.
pub type Answer = Result<Receipt, Refusal>;

/// Where an answer goes: called once, on the loop's thread, so it must not wait for anything. A receipt means that the
/// command is in the journal, durably.
pub type Reply = Box<dyn FnOnce(Answer) + Send>;

/// A question: called once, on the loop's thread, which does nothing else meanwhile.
pub type Look = Box<dyn FnOnce(&Crawler, Timestamp) + Send>;

/// What an operator may say while the crawl runs.
pub enum Control {
    /// Finish what is under way, save, and leave.
    Drain,
    /// Do this.
    Command {
        /// What.
        command: Command,
        /// Where the answer goes.
        reply: Reply,
    },
    /// Its files have been rewritten without what was taken down up to this entry.
    Purged {
        /// The entry of the last takedown that this goes for.
        through: u64,
    },
    /// Look at the crawl as it stands.
    Look(Look),
}

/// Where operators speak, and where [`run`](crate::run()) listens.
pub fn channel() -> (Sender<Control>, Receiver<Control>) {
    bounded(CONTROLS_WAITING)
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drain => f.write_str("Drain"),
            Self::Command { command, .. } => f.debug_tuple("Command").field(command).finish(),
            Self::Purged { through } => f.debug_tuple("Purged").field(through).finish(),
            Self::Look(_) => f.write_str("Look"),
        }
    }
}

/// What the loop hears of operators, and to whom it owes an answer.
pub(crate) struct Controls {
    pub(crate) inbox: Receiver<Control>,
    owed: BTreeMap<OrderId, Reply>,
    next: u64,
}

impl Controls {
    pub(crate) fn new(inbox: Receiver<Control>) -> Self {
        Self { inbox, owed: BTreeMap::new(), next: 0 }
    }

    /// A command, as the machine hears it.
    pub(crate) fn ordered(&mut self, command: Command, reply: Reply) -> Event {
        let order = OrderId(self.next);
        self.next += 1;
        self.owed.insert(order, reply);
        Event::Ordered { order, command }
    }

    /// Passes an answer on.
    pub(crate) fn answer(&mut self, order: OrderId, answer: Answer) {
        if let Some(reply) = self.owed.remove(&order) {
            reply(answer);
        }
    }

    /// Nobody will say anything any more.
    pub(crate) fn are_over(&mut self) {
        self.inbox = never();
    }
}

/// Whoever waits for an answer when the crawl ends is told that there will be none.
impl Drop for Controls {
    fn drop(&mut self) {
        for reply in std::mem::take(&mut self.owed).into_values() {
            reply(Err(Refusal::Unanswered));
        }
    }
}
