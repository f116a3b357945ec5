//! Pages that fail one after the other: from a number on it is the host that is down, and it is left alone for minutes.

use crate::Frontier;
use crate::attempt::{Attempt, End, FailureKind, Subject};
use crate::host::{Hold, HostId};
use crate::limits::{TROUBLE_RESTS, TROUBLES_FREE};
use crate::retry::{StatusMeaning, status_meaning};

/// What an attempt says of whether the host is in trouble; `None` if it says nothing.
fn is_trouble(end: &End) -> Option<bool> {
    match end {
        End::Captured(response) => match status_meaning(response.status) {
            StatusMeaning::Final => Some(false),
            StatusMeaning::Retry => Some(true),
            StatusMeaning::Overload => None,
        },
        End::Failed(failure) | End::PutOff { failure, .. } => {
            use FailureKind::{Disconnected, Protocol, ResponseTimeout};
            matches!(failure.kind, ResponseTimeout | Disconnected | Protocol).then_some(true)
        }
    }
}

impl Frontier {
    /// Counts pages in a row that fail. When more different ones do than may be their own affair, it is the host that is in
    /// trouble, and it rests after each, until one is answered.
    pub(crate) fn note_trouble(&mut self, id: HostId, attempt: &Attempt) {
        let Subject::Page(_) = attempt.subject else { return };
        let (policy, record) = (self.config.retry, &mut self.hosts[id.0].record);
        match is_trouble(&attempt.end) {
            None => return,
            Some(false) => record.troubles = 0,
            Some(true) if attempt.is_first() || record.troubles >= TROUBLES_FREE => {
                record.troubles = record.troubles.saturating_add(1);
            }
            Some(true) => {}
        }
        let rests = record.troubles.saturating_sub(TROUBLES_FREE).min(TROUBLE_RESTS);
        if rests > 0 {
            record.hold_until(attempt.at + policy.overload_wait_ms(rests, None, record.reach), Hold::Failure);
        }
    }
}
