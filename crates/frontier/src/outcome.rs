use crate::attempt::{Attempt, Contact, End, Failure, FailureKind, PageSubject, Redirect, Response, Subject};
use crate::host::{Address, Barred, Hold, HostId, Queued};
use crate::limits::{CRAWL_DELAY_MAX_MS, MAX_HOPS, ROBOTS_PER_HOST};
use crate::record::{CaptureSeq, Exclusion, ParkReason, UrlState};
use crate::retry::{StatusMeaning, status_meaning};
use crate::{Blame, Class, Frontier, RobotsAnswer, RobotsRecord};
use stdx::Timestamp;
use weburl::{KeyHash, Url};

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
    /// The attempt was not for a URL of the frontier, or for one that needed nothing any more.
    Aside,
}

impl Frontier {
    /// The name was resolved; the host's turn is over and comes again at once.
    pub fn resolved(&mut self, host: HostId, addresses: Vec<Address>, until: Timestamp) {
        self.release(host);
        let entry = self.host(host);
        entry.addresses = addresses.into();
        entry.addresses_until = until;
        self.settle(host);
    }

    /// Applies an attempt. All moments are the attempt's own: replaying the journal gives the same state.
    pub fn apply(&mut self, attempt: &Attempt, capture: CaptureSeq) -> Consequence {
        let Ok(url) = Url::parse(&attempt.url) else { return Consequence::Aside };
        let host = self.host_named(url.host());
        let in_flight = self.host_ref(host).in_flight;
        self.release(host);
        self.host(host).in_flight = in_flight;
        if let Some(contact) = &attempt.contact {
            self.note_contact(host, contact);
        }
        let consequence = match &attempt.end {
            End::Captured(response) => self.captured(host, attempt, response, capture),
            End::Failed(failure) => self.failed(host, attempt, failure),
        };
        self.host(host).in_flight = None;
        self.settle(host);
        consequence
    }

    /// Applies what was learned of an authority's robots.txt.
    pub fn apply_robots(&mut self, record: RobotsRecord) {
        let Some(id) = self.host_of_authority(&record.authority) else { return };
        self.host(id).awaiting_robots = false;
        if let RobotsAnswer::Unreachable { retry_after_ms, .. } = &record.answer {
            self.robots_unreachable(id, record.fetched_at, *retry_after_ms);
        } else {
            self.host(id).record.robots_failures = 0;
        }
        let known = &mut self.host(id).record.robots;
        known.retain(|r| r.authority != record.authority);
        known.push(record);
        known.drain(..known.len().saturating_sub(ROBOTS_PER_HOST));
        self.adopt_crawl_delay(id);
        self.settle(id);
    }

    fn note_contact(&mut self, id: HostId, contact: &Contact) {
        let policy = self.config.delay;
        let host = self.host(id);
        host.record.contacts += 1;
        host.record.reach = contact.address.reach;
        host.record.last_response_ms = contact.ended.since_ms(contact.started);
        let delay =
            policy.host_delay_ms(contact.address.reach, host.crawl_delay_ms(), host.record.last_response_ms);
        host.hold_until(contact.ended + delay, Hold::Delay);
        let group = host.record.group;
        let interval = policy.group_interval_ms(contact.address.reach);
        let group_record = &mut self.group(group).record;
        group_record.reach = contact.address.reach;
        group_record.next_at = group_record.next_at.max(contact.started + interval);
        self.settle_group(group);
    }

    /// A crawl-delay just learned already holds for the contact that taught it.
    fn adopt_crawl_delay(&mut self, id: HostId) {
        let host = self.host(id);
        let Some(delay) = host.crawl_delay_ms() else { return };
        if delay > CRAWL_DELAY_MAX_MS {
            return self.bar(id, &Barred::Parked(ParkReason::CrawlDelay));
        }
        let learned = host.record.robots.last().map_or(Timestamp::ZERO, |r| r.fetched_at);
        host.hold_until(learned + delay, Hold::Delay);
    }

    fn captured(
        &mut self,
        id: HostId,
        attempt: &Attempt,
        response: &Response,
        capture: CaptureSeq,
    ) -> Consequence {
        let meaning = status_meaning(response.status);
        self.host(id).record.failures = 0;
        match meaning {
            StatusMeaning::Overload => self.overloaded(id, attempt.at, response.retry_after_ms),
            _ => self.host(id).record.overloads = 0,
        }
        let Subject::Page(PageSubject { key, .. }) = attempt.subject else { return Consequence::Aside };
        if !matches!(self.state(key), Some(UrlState::Pending(_))) {
            return Consequence::Aside;
        }
        match (&response.redirect, meaning) {
            (Some(Redirect::SameKey(target)), _) => self.go_on_as(id, key, target),
            (_, StatusMeaning::Final) => {
                self.fetched_now(id, key, capture);
                Consequence::Final
            }
            _ => self.retry(id, key, attempt.at, ParkReason::Status(response.status)),
        }
    }

    fn overloaded(&mut self, id: HostId, at: Timestamp, retry_after_ms: Option<u64>) {
        let policy = self.config.retry;
        let host = self.host(id);
        host.record.overloads = host.record.overloads.saturating_add(1);
        let wait = policy.overload_wait_ms(host.record.overloads, retry_after_ms);
        host.hold_until(at + wait, Hold::Overload);
    }

    /// Same key, other form: the URL goes on, next in its host's queue (blueprint, section 5).
    fn go_on_as(&mut self, id: HostId, key: KeyHash, target: &str) -> Consequence {
        let Some(UrlState::Pending(pending)) = self.urls.get_mut(&key) else { return Consequence::Aside };
        let class = Class::of(pending.kind, pending.depth, target);
        let goes_nowhere = pending.url == target || pending.hops >= MAX_HOPS;
        if goes_nowhere {
            self.exclude(id, key, Exclusion::RedirectLimit);
            return Consequence::Excluded;
        }
        target.clone_into(&mut pending.url);
        pending.hops += 1;
        pending.in_flight = false;
        self.host(id).back.push_front(Queued { key, class });
        Consequence::Again
    }

    fn retry(&mut self, id: HostId, key: KeyHash, at: Timestamp, last: ParkReason) -> Consequence {
        let policy = self.config.retry;
        let Some(UrlState::Pending(pending)) = self.urls.get_mut(&key) else { return Consequence::Aside };
        pending.attempts += 1;
        pending.in_flight = false;
        if policy.is_last(pending.attempts) {
            self.park(id, key, last);
            return Consequence::Parked;
        }
        pending.due = at + policy.backoff_ms(pending.attempts, key);
        let due = pending.due;
        self.host(id).retries.insert((due, key));
        Consequence::Again
    }

    fn failed(&mut self, id: HostId, attempt: &Attempt, failure: &Failure) -> Consequence {
        match failure.kind.blame() {
            Blame::Policy => self.bar(id, &Barred::Excluded(Exclusion::AddressRefused)),
            Blame::Host => self.host_failed(id, attempt.at, failure.kind),
            Blame::Url | Blame::Ours => match attempt.subject {
                Subject::Page(PageSubject { key, .. }) => {
                    return self.retry(id, key, attempt.at, ParkReason::Failed(failure.kind));
                }
                // Whoever's fault it is, the name is asked for again only after a while.
                Subject::Name => self.host_failed(id, attempt.at, failure.kind),
                // What was learned of robots.txt follows in a record of its own.
                Subject::Robots { .. } => {}
            },
        }
        self.host_blamed(id, attempt)
    }

    /// What a failure of the whole host means for the URL that met it: it was not its fault, so it waits its turn again
    /// unless the host took it along.
    fn host_blamed(&mut self, id: HostId, attempt: &Attempt) -> Consequence {
        let Subject::Page(PageSubject { key, .. }) = attempt.subject else { return Consequence::Aside };
        let class = match self.urls.get_mut(&key) {
            Some(UrlState::Pending(pending)) => {
                pending.in_flight = false;
                Class::of(pending.kind, pending.depth, &pending.url)
            }
            Some(UrlState::Parked { .. }) => return Consequence::Parked,
            Some(UrlState::Excluded { .. }) => return Consequence::Excluded,
            _ => return Consequence::Aside,
        };
        self.host(id).back.push_front(Queued { key, class });
        Consequence::Again
    }

    fn host_failed(&mut self, id: HostId, at: Timestamp, kind: FailureKind) {
        let policy = self.config.retry;
        let host = self.host(id);
        host.addresses.rotate_left(usize::from(host.addresses.len() > 1));
        host.record.failures = host.record.failures.saturating_add(1);
        let failures = host.record.failures;
        if policy.is_last(failures) {
            return self.bar(id, &Barred::Parked(ParkReason::Host(kind)));
        }
        let wait = policy.backoff_ms(failures, name_key(&host.record.name));
        host.hold_until(at + wait, Hold::Failure);
    }

    fn robots_unreachable(&mut self, id: HostId, at: Timestamp, retry_after_ms: Option<u64>) {
        let policy = self.config.retry;
        let host = self.host(id);
        host.record.robots_failures = host.record.robots_failures.saturating_add(1);
        let failures = host.record.robots_failures;
        if policy.is_last(failures) {
            return self.bar(id, &Barred::Parked(ParkReason::RobotsUnreachable));
        }
        let backoff = policy.backoff_ms(failures, name_key(&host.record.name));
        host.hold_until(at + backoff.max(retry_after_ms.unwrap_or(0)), Hold::Robots);
    }

    /// Nothing of this host is fetched any more: all its URLs share its fate.
    fn bar(&mut self, id: HostId, fate: &Barred) {
        let host = self.host(id);
        if host.record.barred.is_some() {
            return;
        }
        host.record.barred = Some(fate.clone());
        let at_hand = std::mem::take(&mut host.back).into_iter().map(|queued| queued.key);
        let later = std::mem::take(&mut host.retries).into_iter().map(|(_, key)| key);
        let errands = std::mem::take(&mut host.errands);
        let in_flight = host.in_flight.take();
        let keys: Vec<KeyHash> = at_hand.chain(later).chain(self.front.remove(id)).collect();
        self.unanswered.extend(errands);
        for key in keys.into_iter().chain(in_flight) {
            match fate {
                Barred::Excluded(rule) => self.exclude(id, key, rule.clone()),
                Barred::Parked(reason) => self.park(id, key, reason.clone()),
            }
        }
    }
}

/// Spreads the jitter of hosts as keys spread that of URLs.
fn name_key(name: &str) -> KeyHash {
    KeyHash(
        name.bytes()
            .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)),
    )
}
