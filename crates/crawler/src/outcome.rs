use crate::blocked::{blocked, broken_off, unasked};
use crate::dispatch::{Errand, Flight};
use crate::limits::SEEDS_LED_OUT;
use crate::location::to_frontier;
use crate::response::{header, response_of, retry_after_ms};
use crate::servers::HostRef;
use crate::unfinished::Remainder;
use crate::{Crawler, Fetched, Outcome, Record, ResolveOutcome, Resolved, Wants};
use archive::{Capture, CaptureMeta, Kept, Purpose};
use frontier::{
    Address, Attempt, CaptureSeq, Consequence, Contact, End, Failure, FailureKind, Kind, Origin, PageDraw,
    PageSubject, Redirect, Response, Result, RobotsRecord, Subject, Yield,
};
use robots::Preferences;
use serde::{Deserialize, Serialize};
use snapshot::SeedLedOut;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{KeyHash, Url, Verdict};

impl Crawler {
    pub(crate) fn resolved(&mut self, now: Timestamp, resolved: Resolved) -> Result<()> {
        let Some(Flight { who, errand: Errand::Resolve { name } }) = self.land(resolved.ticket) else {
            return Ok(());
        };
        match resolved.outcome {
            ResolveOutcome::Addresses { addresses, ttl_ms } => {
                self.uplink.looked_up();
                self.shards.get(who.shard)?.resolved(who.host, addresses, now + ttl_ms);
            }
            ResolveOutcome::Failed(failure) => {
                let failure = self.judge_failure(who, failure, now)?;
                self.name_failed(now, who, &name, failure)?;
            }
        }
        self.shards.settle(who.shard);
        Ok(())
    }

    pub(crate) fn fetched(&mut self, fetched: Fetched) -> Result<()> {
        let Some(flight) = self.land(fetched.ticket) else { return Ok(()) };
        if let Outcome::TooLate = fetched.outcome {
            return self.not_begun(flight);
        }
        let Flight { who, errand } = flight;
        let outcome = self.judge_outcome(who, fetched.outcome, fetched.ended)?;
        let fetched = Fetched { outcome, ..fetched };
        let (address, response_ms) = (errand.address(), fetched.ended.since_ms(fetched.started));
        self.fetch_times.note(response_ms);
        match errand {
            Errand::Page { draw, at } => {
                self.give_back(at, fetched.ended);
                self.page_fetched(who, &draw, at.address, fetched)?;
            }
            Errand::Robots { errand, at } => {
                let asker = self.shard_of_authority(&errand.authority);
                self.give_back(at, fetched.ended);
                self.robots_fetched(who, errand, at.address, fetched)?;
                self.answer_stranded(asker)?;
            }
            Errand::Resolve { .. } => unreachable!("a look-up does not end in a fetch"),
        }
        self.answer_stranded(who.shard)?;
        if let (Some(address), Some(chain)) = (address, self.shards.get(who.shard)?.chain(who.host)) {
            self.servers.expects(who, address, chain, response_ms);
        }
        self.shards.settle(who.shard);
        Ok(())
    }

    fn name_failed(&mut self, now: Timestamp, who: HostRef, name: &str, failure: Failure) -> Result<()> {
        let url = format!("http://{name}/");
        let attempt =
            Attempt { subject: Subject::Name, url, contact: None, at: now, end: End::Failed(failure) };
        self.journal(Record::Attempt { shard: who.shard, attempt }, None)?;
        self.answer_stranded(who.shard)
    }

    fn page_fetched(
        &mut self,
        who: HostRef,
        draw: &PageDraw,
        address: Address,
        fetched: Fetched,
    ) -> Result<()> {
        let page = &draw.subject;
        let contact = contact(address, &fetched);
        let (mut end, capture) = self.end_of(fetched.outcome, &draw.url, Some(page));
        if self.config.keeps_cookies {
            ask_again(&draw.url, &mut end, capture.as_deref());
        }
        self.look_for_a_circle(page.key, &draw.url, &mut end);
        if end.failure().is_some_and(|failure| failure.kind == FailureKind::NotModified) {
            self.false_conditions.note(page.key);
        }
        let purpose = if page.kind == Kind::Sitemap { Purpose::Sitemap } else { Purpose::Page };
        let meta = CaptureMeta { via: page.origin.via().map(str::to_owned), hops: page.depth, purpose };
        let (subject, url) = (Subject::Page(page.clone()), draw.url.as_str().to_owned());
        let attempt = Attempt { subject, url, contact: Some(contact), at: contact.ended, end };
        let kept = capture.map(|capture| Kept { capture: told(capture, draw.usage), meta });
        self.journal(Record::Attempt { shard: who.shard, attempt }, kept)
    }

    /// A redirect once more to the form that a URL began with leads nowhere.
    fn look_for_a_circle(&mut self, key: KeyHash, url: &Url, end: &mut End) {
        let End::Captured(response) = end else { return };
        let to = match &response.redirect {
            Some(Redirect::SameKey(to)) => to.as_str(),
            Some(Redirect::Again) => url.as_str(),
            _ => return self.circles.forget(key),
        };
        if self.circles.closes(key, url.as_str(), to) {
            response.redirect = Some(Redirect::Circle(to.to_owned()));
            self.circles.forget(key);
        }
    }

    /// The end of an attempt at a page, or else at a robots.txt.
    pub(crate) fn end_of(
        &self,
        outcome: Outcome,
        url: &Url,
        page: Option<&PageSubject>,
    ) -> (End, Option<Arc<Capture>>) {
        match outcome {
            Outcome::Failed(failure) => (End::Failed(failure), None),
            Outcome::TooLate => unreachable!("it was no attempt"),
            Outcome::Captured(capture) => {
                let broken_off = || broken_off(&capture, page?, &self.config.frontier.retry);
                if let Some(failure) = blocked(&capture).or_else(|| unasked(&capture)).or_else(broken_off) {
                    let end = match retry_after_ms(&capture) {
                        Some(retry_after_ms) => End::PutOff { failure, retry_after_ms },
                        None => End::Failed(failure),
                    };
                    return (end, None);
                }
                let key = page.map(|page| page.key);
                (End::Captured(response_of(&capture, url, key, &self.config.rules)), Some(capture))
            }
        }
    }

    pub(crate) fn apply_attempt(&mut self, shard: u8, attempt: &Attempt, capture: CaptureSeq) -> Result<()> {
        if let Some(contact) = &attempt.contact {
            self.groups.contacted_for(&attempt.url, contact.started);
            if self.config.placement.owns_clock(contact.address.ip) {
                self.servers.contacted(contact.address, contact.ended);
            }
        }
        self.uplink.note(attempt);
        let consequence = self.shards.get(shard)?.apply(attempt, capture)?;
        let counts = self.tally.note(attempt, consequence);
        if self.shards.are_recovered() {
            self.outbox.counted(capture, counts);
        }
        if let (Consequence::Final, Subject::Page(page)) = (consequence, &attempt.subject) {
            self.unlocated.insert(capture, Answered { shard, key: page.key });
            self.note_seed(page, attempt);
            match remainder_of(attempt) {
                Some(remainder) => self.unfinished.begin(capture, remainder),
                None => self.shards.get(shard)?.apply_yield(&attempt.url, Yield::Nothing)?,
            }
        }
        self.shards.settle(shard);
        Ok(())
    }

    /// A seed that leads out of scope, by a redirect, is hardly what its operator meant: he is told.
    fn note_seed(&mut self, page: &PageSubject, Attempt { url, end, .. }: &Attempt) {
        let End::Captured(Response { redirect: Some(Redirect::OtherKey(to)), .. }) = end else { return };
        if page.origin != Origin::Seed {
            return;
        }
        let Ok(target) = Url::parse(to) else { return };
        let Verdict::Out(rule) = self.config.rules.scope.judge(&target) else { return };
        self.led_out.seeds += 1;
        if self.led_out.first.len() < SEEDS_LED_OUT {
            let (seed, to, rule) = (url.clone(), to.clone(), rule.to_string());
            self.led_out.first.push(SeedLedOut { seed, to, rule });
        }
    }

    pub(crate) fn apply_robots(&mut self, shard: u8, record: RobotsRecord) -> Result<()> {
        self.shards.get(shard)?.apply_robots(record)?;
        self.shards.settle(shard);
        Ok(())
    }

    /// A capture is durable, and lies there.
    pub(crate) fn located(&mut self, capture: CaptureSeq, location: archive::Location) -> Result<()> {
        self.unfinished.located(capture, location);
        let Some(Answered { shard, key }) = self.unlocated.remove(&capture) else { return Ok(()) };
        self.shards.get(shard)?.located(key, capture, to_frontier(location))
    }
}

/// A URL with a final answer.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) shard: u8,
    pub(crate) key: KeyHash,
}

/// The capture, and what robots.txt said of its use when it was fetched.
fn told(capture: Arc<Capture>, usage: Preferences) -> Arc<Capture> {
    if usage.is_none() {
        return capture;
    }
    Arc::new(Capture { usage: Some(usage.to_string()), ..Arc::unwrap_or_clone(capture) })
}

/// A redirect to itself that sets a cookie may lead on when that is shown.
fn ask_again(url: &Url, end: &mut End, capture: Option<&Capture>) {
    let End::Captured(response) = end else { return };
    let is_to_itself = matches!(&response.redirect, Some(Redirect::SameKey(to)) if to == url.as_str());
    if is_to_itself && capture.is_some_and(|capture| header(&capture.response_head, "set-cookie").is_some()) {
        response.redirect = Some(Redirect::Again);
    }
}

pub(crate) fn contact(address: Address, fetched: &Fetched) -> Contact {
    Contact { address, started: fetched.started, ended: fetched.ended }
}

/// What is to be derived from a capture, if anything. The same in replay as the first time.
pub(crate) fn remainder_of(attempt: &Attempt) -> Option<Remainder> {
    let (Subject::Page(page), End::Captured(response)) = (&attempt.subject, &attempt.end) else {
        return None;
    };
    let wants = match (&response.redirect, response.status, page.kind) {
        // A 304 is only taken where something stands behind it. In place of a sitemap a page may come.
        (None, 200..=299 | 304, _) => Wants { links: true, row: true },
        (Some(Redirect::OtherKey(_)), _, _) | (None, 404 | 410, Kind::Page) => {
            Wants { links: true, row: false }
        }
        _ => return None,
    };
    Some(Remainder {
        kind: page.kind,
        depth: page.depth,
        hops: page.hops,
        location: None,
        wants,
        again: false,
        row_made: false,
    })
}
