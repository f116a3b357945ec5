//! Authorities (scheme, name and port) that fail while others of their host answer: a link to a port where nobody listens, or to a
//! site's broken HTTPS, is no reason to give up the site. Robots rules, connections and certificates belong to an authority
//! (RFC 9309, section 2.3; RFC 9110, section 4.3.1); names and clocks belong to the host.

use crate::host::{Barred, Host, HostId, HostRecord};
use crate::lane::Lane;
use crate::limits::{RETRY_AFTER_MAX_MS, ROBOTS_PER_HOST};
use crate::outcome::name_key;
use crate::{Blame, FailureKind, Frontier, ParkReason, Pending, Result, RobotsRecord};
use serde::{Deserialize, Serialize};
use stdx::Timestamp;
use weburl::KeyHash;

/// An authority that is left alone, while others of its host are not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Resting {
    pub(crate) authority: String,
    /// In a row.
    pub(crate) failures: u8,
    /// Nothing of it is asked for before this; `NEVER` after the last failure.
    pub(crate) until: Timestamp,
    /// What its URLs are parked for.
    pub(crate) why: ParkReason,
}

impl Resting {
    fn is_final(&self) -> bool {
        self.until == Timestamp::NEVER
    }
}

impl FailureKind {
    /// Whether it says nothing of other ports of the same name.
    pub(crate) fn is_of_authority(self) -> bool {
        matches!(self, Self::ConnectRefused | Self::ConnectTimeout | Self::Certificate | Self::Tls)
    }

    /// Whether it may be otherwise at another address of the same name.
    pub(crate) fn may_be_of_address(self) -> bool {
        let is_of_answer = matches!(self, Self::ResponseTimeout | Self::Disconnected | Self::Protocol);
        is_of_answer || matches!(self.blame(), Blame::Host | Blame::Ours)
    }

    /// Whether its name may be at another address by now.
    pub(crate) fn may_have_moved(self) -> bool {
        matches!(self, Self::ConnectRefused | Self::ConnectTimeout)
    }
}

impl Frontier {
    /// An authority failed. If another one of its host answers, it rests alone: for longer each time, and after the fifth for good.
    /// `false` if none does: then it is the host that failed.
    pub(crate) fn rest_authority(
        &mut self,
        id: HostId,
        authority: &str,
        at: Timestamp,
        why: ParkReason,
        asked_ms: u64,
    ) -> bool {
        let policy = self.config.retry;
        let host = &mut self.hosts[id.0];
        if !host.record.answers_beside(authority) {
            return false;
        }
        let failures = host.record.rest_of(authority).map_or(0, |rest| rest.failures).saturating_add(1);
        let backoff = policy.backoff_ms(failures, name_key(authority));
        let wait = backoff.max(asked_ms.min(RETRY_AFTER_MAX_MS));
        let until = if policy.is_last(failures) { Timestamp::NEVER } else { at + wait };
        host.record.rest(Resting { authority: authority.to_owned(), failures, until, why });
        true
    }

    /// The last failure of a host of which no authority answers: it is given up, unless it may have something at another authority that
    /// has not been tried.
    pub(crate) fn give_up(
        &mut self,
        id: HostId,
        authority: &str,
        of_authority: ParkReason,
        of_host: ParkReason,
    ) {
        let host = &mut self.hosts[id.0];
        let has_failed =
            |known: &RobotsRecord| known.authority != authority && known.answer.failure().is_some();
        let others_tried = host.record.robots.iter().any(has_failed);
        if others_tried || !host.may_have_beside(authority) {
            return self.bar(id, Barred::Parked(of_host));
        }
        host.record.park_authority(authority, of_authority);
        (host.record.failures, host.record.robots_failures) = (0, 0);
    }

    /// A URL whose turn came while its authority rests: it comes again when the authority does, and nobody has tried it meanwhile.
    pub(crate) fn put_off(&mut self, id: HostId, mut pending: Pending, rest: &Resting) -> Result<()> {
        if rest.is_final() {
            return self.park(id, pending, rest.why);
        }
        pending.due = rest.until;
        self.host(id).retries.insert(pending);
        Ok(())
    }
}

impl HostRecord {
    /// How an authority rests at `now`, if it does. Where as many rest as are remembered, a port that nothing is known of is taken for
    /// another one where nobody listens: a page can name 65,535.
    pub(crate) fn rests(&self, authority: &str, now: Timestamp) -> Option<Resting> {
        if let Some(rest) = self.rest_of(authority) {
            return Some(rest).filter(|rest| rest.until > now).cloned();
        }
        let last = self.resting.last().filter(|_| self.resting.len() >= ROBOTS_PER_HOST)?;
        let is_known = self.robots.iter().any(|known| known.authority == authority);
        let is_new_port = !is_known && names_port(authority);
        is_new_port.then(|| Resting {
            authority: authority.to_owned(),
            failures: 0,
            until: Timestamp::NEVER,
            why: last.why,
        })
    }

    /// An authority answered, or is to be given another chance.
    pub(crate) fn wake(&mut self, authority: &str) {
        self.resting.retain(|rest| rest.authority != authority);
    }

    /// A page of an authority was answered: failures of its connections are none in a row any more.
    pub(crate) fn is_reached(&mut self, authority: &str) {
        let is_over = |rest: &Resting| {
            rest.authority == authority && !rest.is_final() && matches!(rest.why, ParkReason::Failed(_))
        };
        self.resting.retain(|rest| !is_over(rest));
    }

    /// An authority is not asked for anything any more.
    pub(crate) fn park_authority(&mut self, authority: &str, why: ParkReason) {
        self.rest(Resting { authority: authority.to_owned(), failures: 0, until: Timestamp::NEVER, why });
    }

    /// Of no more than have rules: the one that failed longest ago is forgotten.
    fn rest(&mut self, rest: Resting) {
        self.wake(&rest.authority);
        self.resting.push(rest);
        self.resting.drain(..self.resting.len().saturating_sub(ROBOTS_PER_HOST));
    }

    fn rest_of(&self, authority: &str) -> Option<&Resting> {
        self.resting.iter().find(|rest| rest.authority == authority)
    }

    /// Whether an authority beside this one has answered, and not failed since.
    pub(crate) fn answers_beside(&self, authority: &str) -> bool {
        let answers = |known: &RobotsRecord| {
            known.answer.failure().is_none() && self.rest_of(&known.authority).is_none()
        };
        self.robots.iter().any(|known| known.authority != authority && answers(known))
    }
}

impl Host {
    /// Whether some of its URLs are at another authority, as far as can be seen from here.
    fn may_have_beside(&self, authority: &str) -> bool {
        let out_of_sight = self.habits.counts.deferred > 0 || self.lanes.iter().any(Lane::is_on_disk);
        out_of_sight || self.in_memory().any(|pending| !is_at(&pending.url, authority))
    }

    /// What is at hand at another authority, or in another part of one, comes next.
    pub(crate) fn turn_from(&mut self, place: &str) {
        if let Some(pending) = self.first_beside(place).and_then(|key| self.take(key)) {
            self.back.push_front(pending);
        }
    }

    fn first_beside(&self, place: &str) -> Option<KeyHash> {
        let mut at_hand = self.back.iter().chain(self.lanes.iter().flat_map(Lane::in_memory));
        at_hand.find(|pending| !is_at(&pending.url, place)).map(|pending| pending.key)
    }
}

/// Whether it is not at the port of its scheme.
fn names_port(authority: &str) -> bool {
    let place = authority.split_once("://").map_or(authority, |(_, place)| place);
    place.rsplit(']').next().is_some_and(|rest| rest.contains(':'))
}

/// Whether a URL is at an authority, or in a part of one.
fn is_at(url: &str, place: &str) -> bool {
    url.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}
