use crate::limits::{PROMISES_KEPT, START_JITTER_MS};
use crate::terms::{Applied, Clause, Terms};
use crawler::{Promise, Stop};
use std::collections::VecDeque;
use stdx::Timestamp;

/// What was promised, the newest last. Contacts stand in the ledger in the order in which they ended, so one that took long may stand behind
/// a promise that was made after it had begun.
#[derive(Debug, Default)]
pub(crate) struct Promises {
    kept: VecDeque<Terms>,
    /// How many came before these.
    forgotten: u64,
}

/// How long somebody is left alone, by the promise that held then, which has this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owed {
    pub(crate) from: Timestamp,
    pub(crate) ms: u64,
    promise: u64,
}

/// The promises as a contact sees them: those up to the one under which it began, and the one under which it ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Promised<'a> {
    promises: &'a Promises,
    started: Timestamp,
    /// Among those that are kept.
    began_under: usize,
}

impl Promises {
    pub(crate) fn of(assumed: Option<Promise>) -> Self {
        Self { kept: assumed.map(Terms::of).into_iter().collect(), forgotten: 0 }
    }

    pub(crate) fn add(&mut self, promise: Promise) {
        if self.kept.len() == PROMISES_KEPT {
            self.kept.pop_front();
            self.forgotten += 1;
        }
        self.kept.push_back(Terms::of(promise));
    }

    /// What holds now.
    pub(crate) fn newest(&self) -> Option<&Terms> {
        self.kept.back()
    }

    /// For the last contact in the ledger, which began then; nothing if nothing was promised.
    pub(crate) fn of_contact(&self, started: Timestamp) -> Option<Promised<'_>> {
        let began_under = self.kept.iter().rposition(|terms| terms.bind(started)).unwrap_or(0);
        (!self.kept.is_empty()).then_some(Promised { promises: self, started, began_under })
    }
}

impl<'a> Promised<'a> {
    /// For a contact that is in the ledger already.
    pub(crate) fn of_another(&self, started: Timestamp) -> Self {
        self.promises.of_contact(started).unwrap_or(*self)
    }

    pub(crate) fn started(&self) -> Timestamp {
        self.started
    }

    /// By what it is judged.
    pub(crate) fn at_start(&self) -> &'a Terms {
        &self.promises.kept[self.began_under]
    }

    /// What holds from its end on.
    pub(crate) fn at_end(&self) -> &'a Terms {
        self.promises.newest().expect("there is one")
    }

    /// What is owed from a contact's start on.
    pub(crate) fn owed_from_start(&self, from: Timestamp, ms: u64) -> Owed {
        Owed { from, ms, promise: self.promises.forgotten + self.began_under as u64 }
    }

    /// What is owed from its end on.
    pub(crate) fn owed_from_end(&self, from: Timestamp, ms: u64) -> Owed {
        Owed { from, ms, promise: self.promises.forgotten + self.promises.kept.len() as u64 - 1 }
    }

    /// Until when somebody else's contact has it wait: every promise made between the two changes the delay to its own, which counts from
    /// the contact where it is longer than before, and ends no later than if it counted from the promise.
    pub(crate) fn due(&self, owed: Owed, delay_ms: impl Fn(&Terms) -> u64) -> Timestamp {
        let later = (owed.promise + 1).saturating_sub(self.promises.forgotten) as usize;
        let between = self.promises.kept.range(..=self.began_under).skip(later);
        between.fold(owed.from + owed.ms, |due, terms| {
            let ms = delay_ms(terms);
            due.max(owed.from + ms).min(terms.began() + ms)
        })
    }

    /// What nobody may be contacted before, because the contacts before the last crash may not be in the ledger, however soon other
    /// promises followed.
    pub(crate) fn after_crash(&self, delay_ms: impl Fn(&Terms) -> u64) -> Applied {
        let mut until = self.promises.kept.range(..=self.began_under);
        let Some(crash) = until.rposition(|terms| terms.stop() == Stop::Unclean) else {
            return Applied::NONE;
        };
        let terms = &self.promises.kept[crash];
        let promise = self.promises.forgotten + crash as u64;
        let owed = Owed { from: terms.began(), ms: delay_ms(terms), promise };
        Applied { due: self.due(owed, delay_ms), clause: Clause::Restart }
    }
}

impl Owed {
    /// When it is over, if nothing else is promised meanwhile.
    pub(crate) fn until(self) -> Timestamp {
        self.from + self.ms
    }
}

impl Terms {
    /// Whether a contact that began then had to know of them: what changes in a run does not reach who has been drawn and is about to begin.
    fn bind(&self, started: Timestamp) -> bool {
        let drawn_ms = if self.stop() == Stop::Unclean { 0 } else { START_JITTER_MS };
        self.began() + drawn_ms <= started
    }
}
