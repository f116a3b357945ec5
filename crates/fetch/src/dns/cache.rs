use crawler::{Address, Failure, ResolveOutcome};
use std::collections::VecDeque;
use std::sync::Arc;
use stdx::{Map, Timestamp, map};
use tokio::sync::OnceCell;

#[cfg(test)]
mod tests;

/// What is known of a name, and until when.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    found: Result<Arc<[Address]>, Failure>,
    until: Timestamp,
}

/// What a look into the cache finds.
pub(super) enum Known {
    /// An answer that still holds.
    Answer(Answer),
    /// The cell that the one question about this name fills.
    Asked(Arc<OnceCell<Answer>>),
}

/// Answers by name, the oldest forgotten first; and the questions under way.
pub(super) struct NameCache {
    answers: Map<Arc<str>, Kept>,
    /// Names in the order their answers came; an entry whose serial is not the answer's is out of date.
    order: VecDeque<Ordered>,
    asked: Map<Arc<str>, Arc<OnceCell<Answer>>>,
    serial: u64,
    limit: usize,
}

struct Kept {
    answer: Answer,
    serial: u64,
}

struct Ordered {
    name: Arc<str>,
    serial: u64,
}

impl Answer {
    pub(super) fn new(found: Result<Vec<Address>, Failure>, until: Timestamp) -> Self {
        Self { found: found.map(Arc::from), until }
    }

    /// The answer as an event, at `now`.
    pub(super) fn outcome(&self, now: Timestamp) -> ResolveOutcome {
        match &self.found {
            Ok(addresses) => {
                ResolveOutcome::Addresses { addresses: addresses.to_vec(), ttl_ms: self.until.since_ms(now) }
            }
            Err(failure) => ResolveOutcome::Failed(failure.clone()),
        }
    }
}

impl NameCache {
    /// Remembers at most `limit` names.
    pub(super) fn new(limit: usize) -> Self {
        Self { answers: map(), order: VecDeque::new(), asked: map(), serial: 0, limit }
    }

    /// The answer that holds at `now`, or the question to ask or to wait for.
    pub(super) fn look_up(&mut self, name: &str, now: Timestamp) -> Known {
        match self.answers.get(name) {
            Some(kept) if now < kept.answer.until => Known::Answer(kept.answer.clone()),
            _ => Known::Asked(self.asked.entry(name.into()).or_default().clone()),
        }
    }

    /// Ends the question about `name`.
    pub(super) fn keep(&mut self, name: &str, answer: Answer) {
        self.asked.remove(name);
        let name: Arc<str> = name.into();
        self.serial += 1;
        self.order.push_back(Ordered { name: name.clone(), serial: self.serial });
        self.answers.insert(name, Kept { answer, serial: self.serial });
        while self.order.len() > self.limit {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        let Some(oldest) = self.order.pop_front() else { return };
        if self.answers.get(&oldest.name).is_some_and(|kept| kept.serial == oldest.serial) {
            self.answers.remove(&oldest.name);
        }
    }
}
