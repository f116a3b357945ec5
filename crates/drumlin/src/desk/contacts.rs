use super::seen::{Gap, Seen, SeenEntry, Since};
use crawler::{Attempt, End, Promise, Record};
use ledger::{Applied, Attention, Clause, Contact, Judge, Line};
use std::collections::VecDeque;
use ui::{AttemptSeen, ContactSeen};

#[cfg(test)]
mod tests;

/// The latest contacts, judged as the audit judges them, and the latest attempts that went wrong. Nothing is done until
/// somebody asks; then what has come since is caught up with.
pub(super) struct Contacts {
    promise: Promise,
    judge: Judge,
    next_seq: u64,
    latest: VecDeque<ContactSeen>,
    failures: VecDeque<AttemptSeen>,
}

/// As many as anybody reads.
const SHOWN: usize = 200;

/// From here on an answer is an error.
const FIRST_ERROR: u16 = 400;

impl Contacts {
    pub(super) fn new(promise: Promise) -> Self {
        Self {
            judge: Judge::new(Attention::Delays, Some(promise.clone())),
            promise,
            next_seq: 0,
            latest: VecDeque::new(),
            failures: VecDeque::new(),
        }
    }

    /// Takes in what was seen since the last time. Where something was missed, the judge forgets what he knows: a delay that
    /// he cannot know is not made up.
    pub(super) fn catch_up(&mut self, seen: &Seen) {
        let Since { entries, gap } = seen.since(self.next_seq);
        if gap == Gap::Some {
            self.judge = Judge::new(Attention::Delays, Some(self.promise.clone()));
        }
        for entry in &entries {
            self.take(entry);
        }
    }

    pub(super) fn latest(&self) -> Vec<ContactSeen> {
        self.latest.iter().rev().cloned().collect()
    }

    pub(super) fn failures(&self) -> Vec<AttemptSeen> {
        self.failures.iter().rev().cloned().collect()
    }

    fn take(&mut self, entry: &SeenEntry) {
        self.next_seq = entry.seq + 1;
        let Ok(record) = Record::decode(entry.seq, &entry.record) else { return };
        match record {
            Record::Promised { promise } => {
                self.promise = promise.clone();
                self.judge.take(Line::Promise(promise));
            }
            Record::Robots { record, .. } => {
                self.judge.take(Line::Rules(record));
            }
            Record::Attempt { attempt, .. } => self.attempt(entry, attempt),
            _ => {}
        }
    }

    fn attempt(&mut self, entry: &SeenEntry, attempt: Attempt) {
        if let Some(failure) = failure_of(&attempt) {
            keep(&mut self.failures, failure);
        }
        let Some(contact) = Contact::of(entry.seq, attempt) else { return };
        let line = Line::Contact(Box::new(contact.clone()));
        if let Some(applied) = self.judge.take(line) {
            keep(&mut self.latest, shown(&contact, applied));
        }
    }
}

fn keep<T>(held: &mut VecDeque<T>, item: T) {
    if held.len() == SHOWN {
        held.pop_front();
    }
    held.push_back(item);
}

fn shown(contact: &Contact, applied: Applied) -> ContactSeen {
    let is_known = applied.clause != Clause::First;
    let outcome =
        contact.status().map_or_else(|| cause_of(&contact.attempt.end), |status| status.to_string());
    ContactSeen {
        entry: contact.entry,
        started_ms: contact.started().as_ms(),
        took_ms: contact.took_ms(),
        host: contact.url.host().to_owned(),
        address: contact.address().to_string(),
        what: contact.what(),
        url: contact.url.as_str().to_owned(),
        outcome,
        delay: applied.clause.name(),
        to_spare_ms: is_known.then(|| contact.started().since_ms(applied.due)),
    }
}

fn cause_of(end: &End) -> String {
    match end {
        End::Captured(response) => response.status.to_string(),
        End::Failed(failure) | End::PutOff { failure, .. } => failure.kind.to_string(),
    }
}

fn failure_of(attempt: &Attempt) -> Option<AttemptSeen> {
    let detail = match &attempt.end {
        End::Captured(response) if response.status >= FIRST_ERROR => String::new(),
        End::Captured(_) => return None,
        End::Failed(failure) | End::PutOff { failure, .. } => failure.detail.clone(),
    };
    let (at_ms, url) = (attempt.at.as_ms(), attempt.url.clone());
    Some(AttemptSeen { at_ms, url, cause: cause_of(&attempt.end), detail })
}
