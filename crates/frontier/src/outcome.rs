use crate::attempt::{Attempt, Contact, End, Failure, FailureKind, PageSubject, Redirect, Response, Subject};
use crate::group::{GroupId, Ledger};
use crate::host::{Address, Barred, Hold, HostId, HostRecord};
use crate::limits::{CRAWL_DELAY_MAX_MS, RETRY_AFTER_MAX_MS};
use crate::record::{CaptureSeq, Exclusion, ParkReason};
use crate::retry::{StatusMeaning, is_overload, status_meaning};
use crate::{Blame, Budget, Frontier, HostDelay, Pending, Result, RobotsAnswer, RobotsRecord};
use stdx::Timestamp;
use weburl::{KeyHash, Url};

mod redirect;

/// What an attempt meant for its URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The URL has its final answer.
    Final,
    /// The URL goes on: a retry, or a redirect to another form of itself.
    Again,
    /// The URL will not be fetched.
    Excluded,
    /// The URL used up its retries.
    Parked,
    /// The attempt was not for a URL of the frontier.
    Aside,
}

impl Frontier {
    /// The name was resolved; the host's turn is over and comes again at once.
    pub fn resolved(&mut self, host: HostId, addresses: Vec<Address>, until: Timestamp) {
        self.release(host);
        let entry = self.host(host);
        let first = entry.record.first_of(&addresses);
        entry.addresses = addresses.into();
        entry.addresses.rotate_left(first);
        entry.addresses_until = until;
        self.settle(host);
    }

    /// Applies an attempt. All moments are the attempt's own: replaying the journal gives the same state.
    pub fn apply(&mut self, attempt: &Attempt, capture: CaptureSeq) -> Result<Consequence> {
        let Ok(url) = Url::parse(&attempt.url) else { return Ok(Consequence::Aside) };
        let host = self.recall(url.host())?;
        self.release(host);
        self.host(host).has_outstayed = !self.welcomes_guests;
        if let End::Captured(response) = &attempt.end {
            self.host(host).record.learn_pace(response.status);
        }
        if let Some(contact) = &attempt.contact {
            self.note_contact(host, contact);
            self.note_sitemap(host, attempt, contact);
        }
        let pending = match &attempt.subject {
            Subject::Page(subject) => Some(self.take_back(host, subject, &attempt.url)?),
            _ => None,
        };
        let consequence = match &attempt.end {
            End::Captured(response) => self.captured(host, attempt, pending, response, capture),
            End::Failed(failure) => self.failed(host, attempt, pending, failure),
            End::PutOff { failure, retry_after_ms } => {
                let until = attempt.at + (*retry_after_ms).min(RETRY_AFTER_MAX_MS);
                self.host(host).record.hold_until(until, Hold::RetryAfter);
                self.failed(host, attempt, pending, failure)
            }
        };
        self.note_welcome(host, attempt);
        self.note_trouble(host, attempt);
        self.settle(host);
        self.note_longest(host);
        consequence
    }

    /// Applies what was learned of an authority's robots.txt. While a job runs, nothing is learned of a host that is not in
    /// memory: it asks again when it is.
    pub fn apply_robots(&mut self, record: RobotsRecord) -> Result<()> {
        let Ok(url) = Url::parse(&record.authority) else { return Ok(()) };
        if self.job.is_some() && self.resident(url.host()).is_none() {
            return Ok(());
        }
        let id = self.recall(url.host())?;
        self.host(id).awaiting_robots.take_if(|awaited| *awaited == record.authority);
        if let RobotsAnswer::Unreachable { retry_after_ms, .. } = &record.answer {
            self.robots_unreachable(id, &record, retry_after_ms.unwrap_or(0));
        } else {
            self.robots_answered(id, &record);
        }
        self.host(id).record.learn(record);
        self.settle(id);
        Ok(())
    }

    /// The URL of an attempt, taken out of wherever it is. In a replay it may be on disk, having been drawn after the cut:
    /// then it is as the attempt says, and what is on disk is buried. Or it had been let go after the cut and was found again by a longer path:
    /// the shorter one is noted. It may also have given up the host, not knowing of what there was
    /// at another authority of it: a barred host is sent nowhere, so this one was not.
    fn take_back(&mut self, id: HostId, subject: &PageSubject, url: &str) -> Result<Pending> {
        if let Some(barred) = self.host(id).record.barred.take() {
            self.goes_on(id, &barred);
        }
        if let Some(held) = self.host(id).take(subject.key) {
            if held.depth < subject.depth {
                self.note_path(held.key, held.depth)?;
            }
            return Ok(subject.to_pending(url, held.order));
        }
        self.revive_unseen(subject.key, subject.depth)?;
        let order = self.durable.take_order();
        self.durable.tombstones.bury(subject.key, order);
        self.add_pending(id);
        Ok(subject.to_pending(url, order))
    }

    fn note_contact(&mut self, id: HostId, contact: &Contact) {
        let record = &mut self.host(id).record;
        record.contacts += 1;
        record.reach = contact.address.reach;
        (record.address, record.address_failed) = (Some(contact.address.ip), false);
        record.last_response_ms = contact.ended.since_ms(contact.started);
        let delay = self.delay_of(id);
        let host = self.host(id);
        host.record.hold_until(contact.ended + delay.ms, Hold::Delay);
        let group = host.group;
        let interval = self.config.delay.group_interval_ms(contact.address.reach);
        let group_record = &mut self.group(group).record;
        group_record.reach = contact.address.reach;
        group_record.next_at = group_record.next_at.max(contact.started + interval);
        self.settle_group(group);
    }

    /// The delay that follows a contact with a host, by its domain's budget too (`IRLbot`, §VII-A).
    pub(crate) fn delay_of(&self, id: HostId) -> HostDelay {
        let host = self.host_ref(id);
        self.delay_by(self.budget_of(host.group), &host.record)
    }

    /// The same of a host that need not be in memory.
    pub(crate) fn delay_by(&self, budget: Budget, record: &HostRecord) -> HostDelay {
        self.config.delay.host_delay(budget, record.reach, record.learned())
    }

    pub(crate) fn budget_of(&self, id: GroupId) -> Budget {
        self.budget_by(self.groups[id.0].record.ledger)
    }

    pub(crate) fn budget_by(&self, ledger: Ledger) -> Budget {
        self.config.star.budget(ledger.standing, ledger.in_degree, self.ranking)
    }

    /// There are rules, or it is known that there are none. A crawl-delay just learned already holds for the contact that taught it; one
    /// that is too long parks whoever asks for it.
    fn robots_answered(&mut self, id: HostId, record: &RobotsRecord) {
        let authority = &record.authority;
        let host = &mut self.hosts[id.0].record;
        host.robots_failures = 0;
        host.wake(authority);
        match record.crawl_delay_ms() {
            Some(delay) if delay <= CRAWL_DELAY_MAX_MS => {
                host.hold_until(record.fetched_at + delay, Hold::Delay);
            }
            Some(_) if host.answers_beside(authority) => {
                host.park_authority(authority, ParkReason::CrawlDelay);
            }
            Some(_) => self.give_up(id, authority, ParkReason::CrawlDelay, ParkReason::CrawlDelay),
            None => {}
        }
    }

    fn captured(
        &mut self,
        id: HostId,
        attempt: &Attempt,
        pending: Option<Pending>,
        response: &Response,
        capture: CaptureSeq,
    ) -> Result<Consequence> {
        let meaning = status_meaning(response.status);
        self.answered(id, &attempt.url);
        // Whatever it answers, it may ask to be left alone (RFC 9110, section 10.2.3).
        let asked_ms = response.retry_after_ms.map(|ms| ms.min(RETRY_AFTER_MAX_MS));
        match (meaning, asked_ms) {
            (StatusMeaning::Overload, asked_ms) => self.overloaded(id, attempt.at, asked_ms),
            (_, Some(ms)) => self.host(id).record.hold_until(attempt.at + ms, Hold::RetryAfter),
            (_, None) => {}
        }
        let Some(pending) = pending else { return Ok(Consequence::Aside) };
        match (&response.redirect, meaning) {
            (Some(Redirect::SameKey(target)), _) => self.go_on_as(id, pending, target),
            (Some(Redirect::Again), _) => self.go_on(id, pending),
            (Some(Redirect::Circle(_)), _) => self.goes_nowhere(id, &pending),
            (_, StatusMeaning::Final) => Ok(self.fetched_now(id, &pending, capture, attempt.at)),
            _ => self.retry(id, pending, attempt.at, ParkReason::Status(response.status)),
        }
    }

    /// Whatever a page says, its authority is reached.
    fn answered(&mut self, id: HostId, url: &str) {
        let record = &mut self.host(id).record;
        record.failures = 0;
        if !record.resting.is_empty()
            && let Ok(url) = Url::parse(url)
        {
            record.is_reached(url.authority());
        }
    }

    fn overloaded(&mut self, id: HostId, at: Timestamp, retry_after_ms: Option<u64>) {
        let policy = self.config.retry;
        let record = &mut self.host(id).record;
        let wait = policy.overload_wait_ms(record.overload.in_a_row(), retry_after_ms, record.reach);
        let why = if retry_after_ms.is_some() { Hold::RetryAfter } else { Hold::Overload };
        record.hold_until(at + wait, why);
    }

    fn retry(
        &mut self,
        id: HostId,
        mut pending: Pending,
        at: Timestamp,
        last: ParkReason,
    ) -> Result<Consequence> {
        let policy = self.config.retry;
        pending.attempts = pending.attempts.saturating_add(1);
        if policy.is_last(pending.attempts) {
            self.park(id, pending, last)?;
            return Ok(Consequence::Parked);
        }
        pending.due = at + policy.backoff_ms(pending.attempts, pending.key);
        self.host(id).retries.insert(pending);
        Ok(Consequence::Again)
    }

    fn failed(
        &mut self,
        id: HostId,
        attempt: &Attempt,
        mut pending: Option<Pending>,
        failure: &Failure,
    ) -> Result<Consequence> {
        if failure.kind.may_be_of_address() && !matches!(attempt.subject, Subject::Name) {
            let host = self.host(id);
            host.record.address_failed = true;
            host.addresses.rotate_left(usize::from(host.addresses.len() > 1));
        }
        let is_ours = failure.kind == FailureKind::Local && matches!(attempt.subject, Subject::Name);
        if is_ours || failure.kind == FailureKind::Offline {
            // It is not its fault; but the few that are tried meanwhile are to be of different hosts.
            let wait = self.config.retry.base_ms;
            self.host(id).record.hold_until(attempt.at + wait, Hold::Failure);
            return Ok(self.host_blamed(id, pending));
        }
        let blame = failure.kind.blame();
        let is_of_authority = blame == Blame::Host
            && failure.kind.is_of_authority()
            && self.authority_failed(id, attempt, failure.kind);
        let is_of_host = blame == Blame::Host && !is_of_authority;
        if blame == Blame::Policy {
            self.misplaced(id, attempt);
        } else if is_of_host {
            self.host_failed(id, &attempt.url, attempt.at, failure.kind);
        } else if let Some(pending) = pending.take() {
            return self.retry(id, pending, attempt.at, ParkReason::Failed(failure.kind));
        } else if !is_of_authority && matches!(attempt.subject, Subject::Name) {
            self.host_failed(id, &attempt.url, attempt.at, failure.kind);
        }
        // Of robots.txt a record of its own follows.
        let consequence = self.host_blamed(id, pending);
        if let Ok(url) = Url::parse(&attempt.url) {
            self.host(id).turn_from(url.authority());
        }
        Ok(consequence)
    }

    /// What a failure of the whole host means for the URL that met it: it was not its fault, so it waits its turn again
    /// unless the host took it along.
    fn host_blamed(&mut self, id: HostId, pending: Option<Pending>) -> Consequence {
        let Some(pending) = pending else { return Consequence::Aside };
        let host = self.host(id);
        host.back.push_front(pending);
        match &host.record.barred {
            None => Consequence::Again,
            Some(Barred::Excluded(_)) => Consequence::Excluded,
            Some(Barred::Parked(_)) => Consequence::Parked,
        }
    }

    /// Whether it is an authority that failed, and not the host.
    fn authority_failed(&mut self, id: HostId, attempt: &Attempt, kind: FailureKind) -> bool {
        let Ok(url) = Url::parse(&attempt.url) else { return false };
        if kind.may_have_moved() {
            self.host(id).addresses_until = Timestamp::ZERO;
        }
        if matches!(attempt.subject, Subject::Page(_)) {
            return self.rest_authority(id, url.authority(), attempt.at, ParkReason::Failed(kind), 0);
        }
        // What was learned of robots.txt follows in a record of its own, and lets it rest.
        self.host_ref(id).record.answers_beside(url.authority())
    }

    /// All its addresses are private. A host that was contacted before had others: whoever says so may be wrong for a while, as a
    /// captive portal is.
    fn misplaced(&mut self, id: HostId, attempt: &Attempt) {
        let policy = self.config.retry;
        let record = &mut self.host(id).record;
        let is_first = record.contacts <= u64::from(attempt.contact.is_some());
        if is_first || policy.is_last(record.failures.saturating_add(1)) {
            return self.bar(id, Barred::Excluded(Exclusion::AddressRefused));
        }
        record.failures += 1;
        let wait = policy.backoff_ms(record.failures, name_key(&record.name));
        record.hold_until(attempt.at + wait, Hold::Failure);
    }

    fn host_failed(&mut self, id: HostId, url: &str, at: Timestamp, kind: FailureKind) {
        let policy = self.config.retry;
        // Its name may be at another address by now.
        self.host(id).addresses_until = Timestamp::ZERO;
        let record = &mut self.host(id).record;
        record.failures = record.failures.saturating_add(1);
        if policy.is_last(record.failures) {
            return match Url::parse(url) {
                Ok(url) if kind.is_of_authority() => {
                    self.give_up(id, url.authority(), ParkReason::Failed(kind), ParkReason::Host(kind));
                }
                _ => self.bar(id, Barred::Parked(ParkReason::Host(kind))),
            };
        }
        let wait = policy.backoff_ms(record.failures, name_key(&record.name));
        record.hold_until(at + wait, Hold::Failure);
    }

    fn robots_unreachable(&mut self, id: HostId, record: &RobotsRecord, asked_ms: u64) {
        let RobotsRecord { authority, fetched_at: at, .. } = record;
        let (policy, why) = (self.config.retry, ParkReason::RobotsUnreachable);
        let since = self.rules_since;
        let host = &mut self.host(id).record;
        let may_count = |known: &RobotsRecord| known.fetched_at >= since && known.may_be_stale(*at);
        if host.robots.iter().any(|known| known.authority == *authority && may_count(known)) {
            return host.hold_until(*at + asked_ms.min(RETRY_AFTER_MAX_MS), Hold::RetryAfter);
        }
        if self.rest_authority(id, authority, *at, why, asked_ms) {
            return;
        }
        self.host(id).turn_from(authority);
        let host = &mut self.host(id).record;
        host.robots_failures = host.robots_failures.saturating_add(1);
        if policy.is_last(host.robots_failures) {
            return self.give_up(id, authority, why, why);
        }
        let backoff = policy.backoff_ms(host.robots_failures, name_key(&host.name));
        host.hold_until(*at + backoff.max(asked_ms.min(RETRY_AFTER_MAX_MS)), Hold::Robots);
    }
}

impl HostRecord {
    /// Which of a name's addresses is tried first: the one that answered last, or the one behind that which failed. Turns go on where a
    /// host that slept, or whose name was asked for again, left off; without that, one dead address would be the host's end.
    fn first_of(&self, addresses: &[Address]) -> usize {
        let last = addresses.iter().position(|address| Some(address.ip) == self.address).unwrap_or(0);
        (last + usize::from(self.address_failed)) % addresses.len().max(1)
    }

    /// Before the delay after the contact is known, which it lengthens or shortens.
    fn learn_pace(&mut self, status: u16) {
        self.overload = if is_overload(status) { self.overload.again() } else { self.overload.eased() };
    }
}

impl PageSubject {
    fn to_pending(&self, url: &str, order: u64) -> Pending {
        Pending {
            key: self.key,
            url: url.to_owned(),
            depth: self.depth,
            hops: self.hops,
            attempts: self.attempts,
            kind: self.kind,
            due: Timestamp::ZERO,
            order,
            origin: self.origin.clone(),
        }
    }
}

/// Spreads the jitter of hosts as keys spread that of URLs.
pub(crate) fn name_key(name: &str) -> KeyHash {
    KeyHash(
        name.bytes()
            .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)),
    )
}
