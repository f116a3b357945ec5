use crate::limits::{STALE_MS, STALE_TTL_MS};
use crawler::{Address, Failure, FailureKind, ResolveOutcome};
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
    /// An answer that held until a while ago, to go on with for a moment (RFC 8767); and the cell of the question about
    /// this name, where nobody asks it yet.
    Stale(Answer, Option<Arc<OnceCell<Answer>>>),
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
    /// From here on it is not even good enough to go on with.
    stale_until: Timestamp,
    serial: u64,
}

impl Kept {
    fn serves_stale(&self, now: Timestamp) -> bool {
        self.answer.is_found() && now < self.stale_until
    }
}

struct Ordered {
    name: Arc<str>,
    serial: u64,
}

impl Answer {
    pub(super) fn new(found: Result<Vec<Address>, Failure>, until: Timestamp) -> Self {
        Self { found: found.map(Arc::from), until }
    }

    /// Whether it is addresses.
    pub(super) fn is_found(&self) -> bool {
        self.found.is_ok()
    }

    /// The same until another moment.
    fn holding_until(&self, until: Timestamp) -> Self {
        Self { found: self.found.clone(), until }
    }

    /// Whether it is no word about the name: those who would know did not answer, or could not be asked.
    fn is_silence(&self) -> bool {
        let is_silence = |kind| matches!(kind, FailureKind::NameServer | FailureKind::Local);
        self.found.as_ref().is_err_and(|failure| is_silence(failure.kind))
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
            Some(kept) if kept.serves_stale(now) => {
                let answer = kept.answer.holding_until(now + STALE_TTL_MS);
                let is_asked = self.asked.contains_key(name);
                Known::Stale(answer, (!is_asked).then(|| self.cell_of(name)))
            }
            _ => Known::Asked(self.cell_of(name)),
        }
    }

    /// The cell that the one question about `name` fills.
    pub(super) fn cell_of(&mut self, name: &str) -> Arc<OnceCell<Answer>> {
        self.asked.entry(name.into()).or_default().clone()
    }

    /// Nobody asks about `name` after all.
    pub(super) fn call_off(&mut self, name: &str) {
        self.asked.remove(name);
    }

    /// Ends the question about `name`, and gives what is to be gone by. Where it met silence, what was known before stands a little longer.
    pub(super) fn keep(&mut self, name: &str, answer: Answer, now: Timestamp) -> Answer {
        self.asked.remove(name);
        if answer.is_silence()
            && let Some(kept) = self.answers.get_mut(name)
            && kept.serves_stale(now)
        {
            kept.answer = kept.answer.holding_until(kept.answer.until.max(now + STALE_TTL_MS));
            return kept.answer.clone();
        }
        let name: Arc<str> = name.into();
        self.serial += 1;
        self.order.push_back(Ordered { name: name.clone(), serial: self.serial });
        let stale_until = answer.until + STALE_MS;
        self.answers.insert(name, Kept { answer: answer.clone(), stale_until, serial: self.serial });
        while self.order.len() > self.limit {
            self.forget_oldest();
        }
        answer
    }

    fn forget_oldest(&mut self) {
        let Some(oldest) = self.order.pop_front() else { return };
        if self.answers.get(&oldest.name).is_some_and(|kept| kept.serial == oldest.serial) {
            self.answers.remove(&oldest.name);
        }
    }
}
