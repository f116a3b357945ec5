//! Answers by which a host, or somebody in front of it, turns us away.

use crate::attempt::{Attempt, End, FailureKind};
use crate::host::{Barred, Hold, HostId};
use crate::limits::REFUSALS_FREE;
use crate::record::ParkReason;
use crate::{Blame, Frontier};

/// What an attempt says of whether we are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Welcome {
    /// An answer as any other.
    In,
    /// The page is forbidden, or all of them are: the next ones tell.
    Doubted,
    /// We are not let in, in so many words.
    Out,
    /// There was no answer.
    Unknown,
}

impl Welcome {
    fn of(end: &End) -> Self {
        match end {
            End::Captured(response) if response.status == 403 => Self::Doubted,
            End::Captured(_) => Self::In,
            End::Failed(failure) | End::PutOff { failure, .. } if failure.kind.blame() == Blame::Gate => {
                Self::Out
            }
            End::Failed(_) | End::PutOff { .. } => Self::Unknown,
        }
    }

    /// Refusals in a row, after so many.
    fn after(self, refusals: u8) -> u8 {
        match self {
            Self::In => 0,
            Self::Doubted => refusals.saturating_add(1),
            Self::Out => refusals.max(REFUSALS_FREE).saturating_add(1),
            Self::Unknown => refusals,
        }
    }
}

/// The part of a site that a URL is in, by the first segment of its path.
fn section(url: &str) -> &str {
    let path = url.find("://").and_then(|at| url[at + 3..].find('/').map(|slash| at + 3 + slash));
    let Some(path) = path else { return url };
    let end = url[path + 1..].find(['/', '?']).map_or(url.len(), |at| path + 1 + at);
    &url[..end]
}

impl Frontier {
    /// Counts refusals in a row. From a number on each sends the host to rest, for longer each time, and after the fifth it
    /// is parked with what it has; any other answer makes up for all of them. A URL that is refused again says nothing new.
    pub(crate) fn note_welcome(&mut self, id: HostId, attempt: &Attempt) {
        let (policy, welcome) = (self.config.retry, Welcome::of(&attempt.end));
        let record = &mut self.host(id).record;
        record.refusals = welcome.after(record.refusals);
        let rests = record.refusals.saturating_sub(REFUSALS_FREE);
        if rests == 0 || welcome == Welcome::Unknown {
            return;
        }
        if policy.is_last(rests) && attempt.is_first() {
            return self.bar(id, Barred::Parked(ParkReason::Host(FailureKind::Blocked)));
        }
        let rest_ms = policy.overload_wait_ms(rests, None, record.reach);
        record.hold_until(attempt.at + rest_ms, Hold::Refusal);
        if welcome == Welcome::Doubted {
            // It may be a part of the site that is closed.
            self.host(id).turn_from(section(&attempt.url));
        }
    }
}
