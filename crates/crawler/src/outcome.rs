use crate::dispatch::{Errand, Flight};
use crate::limits::ROBOTS_BODY_BYTES;
use crate::response::{Target, response_of, target_of};
use crate::servers::HostRef;
use crate::unfinished::Remainder;
use crate::{Crawler, Fetched, Outcome, Record, ResolveOutcome, Resolved, Wants};
use archive::{Capture, CaptureMeta, Kept, Purpose};
use frontier::limits::ROBOTS_MAX_HOPS;
use frontier::{
    Address, Attempt, CaptureSeq, Contact, Discovery, End, Failure, Kind, Origin, PageDraw, Redirect,
    Response, RobotsAnswer, RobotsErrand, RobotsRecord, Subject,
};
use robots::{Access, Robots};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::Url;

impl Crawler {
    pub(crate) fn resolved(&mut self, now: Timestamp, resolved: Resolved) {
        let Some(Flight { who, errand: Errand::Resolve { name } }) = self.land(resolved.ticket) else {
            return;
        };
        match resolved.outcome {
            ResolveOutcome::Addresses { addresses, ttl_ms } => {
                self.shard(who.shard).resolved(who.host, addresses, now + ttl_ms);
            }
            ResolveOutcome::Failed(failure) => self.name_failed(now, who, &name, failure),
        }
        self.reschedule(who.shard);
    }

    pub(crate) fn fetched(&mut self, fetched: Fetched) {
        let Some(Flight { who, errand }) = self.land(fetched.ticket) else { return };
        match errand {
            Errand::Page { draw, address } => self.page_fetched(who, &draw, address, fetched),
            Errand::Robots { errand, address } => {
                let asker = self.shard_of_authority(&errand.authority);
                self.robots_fetched(who, errand, address, fetched);
                self.answer_stranded(asker);
            }
            Errand::Resolve { .. } => unreachable!("a look-up does not end in a fetch"),
        }
        self.answer_stranded(who.shard);
        self.reschedule(who.shard);
    }

    fn name_failed(&mut self, now: Timestamp, who: HostRef, name: &str, failure: Failure) {
        let url = format!("http://{name}/");
        let attempt =
            Attempt { subject: Subject::Name, url, contact: None, at: now, end: End::Failed(failure) };
        self.journal(Record::Attempt { shard: who.shard, attempt }, None);
        self.answer_stranded(who.shard);
    }

    fn page_fetched(&mut self, who: HostRef, draw: &PageDraw, address: Address, fetched: Fetched) {
        let page = &draw.subject;
        let contact = contact(address, &fetched);
        let (end, capture) = self.end_of(fetched.outcome, &draw.url, Some(page.key));
        let purpose = if page.kind == Kind::Sitemap { Purpose::Sitemap } else { Purpose::Page };
        let meta = CaptureMeta { via: page.origin.via().map(str::to_owned), hops: page.depth, purpose };
        let (subject, url) = (Subject::Page(page.clone()), draw.url.as_str().to_owned());
        let attempt = Attempt { subject, url, contact: Some(contact), at: contact.ended, end };
        self.journal(
            Record::Attempt { shard: who.shard, attempt },
            capture.map(|capture| Kept { capture, meta }),
        );
    }

    fn robots_fetched(&mut self, who: HostRef, errand: RobotsErrand, address: Address, fetched: Fetched) {
        let Ok(url) = Url::parse(&errand.url) else { return };
        let contact = contact(address, &fetched);
        let (end, capture) = self.end_of(fetched.outcome, &url, None);
        let subject = Subject::Robots { authority: errand.authority.clone() };
        let attempt = Attempt {
            subject,
            url: errand.url.clone(),
            contact: Some(contact),
            at: contact.ended,
            end: end.clone(),
        };
        let kept = capture.clone().map(|capture| Kept {
            capture,
            meta: CaptureMeta { via: None, hops: 0, purpose: Purpose::Robots },
        });
        self.journal(Record::Attempt { shard: who.shard, attempt }, kept);
        match (end, capture) {
            (End::Captured(response), Some(capture)) => {
                self.robots_answered(errand, &url, &response, &capture, contact.ended);
            }
            (End::Failed(failure), _) => self.robots_unreachable(&errand, contact.ended, &failure.detail),
            (End::Captured(_), None) => unreachable!("a captured end has a capture"),
        }
    }

    fn robots_answered(
        &mut self,
        errand: RobotsErrand,
        url: &Url,
        response: &Response,
        capture: &Capture,
        at: Timestamp,
    ) {
        if let Target::There(target) = target_of(response.status, &capture.response_head, url) {
            return self.robots_redirected(errand, &target, response.status, at);
        }
        let answer = match Access::from_status(response.status) {
            Access::Rules => self.read_robots(capture),
            Access::AllowAll => RobotsAnswer::Absent { status: response.status },
            Access::DisallowAll => RobotsAnswer::Unreachable {
                detail: format!("status {}", response.status),
                retry_after_ms: response.retry_after_ms,
            },
        };
        self.learn_robots(errand.authority, at, answer);
    }

    /// Follows a redirect of a robots.txt; one too many means that there is none (RFC 9309, section 2.3.1.2).
    fn robots_redirected(&mut self, errand: RobotsErrand, target: &Url, status: u16, at: Timestamp) {
        if errand.hops >= ROBOTS_MAX_HOPS {
            return self.learn_robots(errand.authority, at, RobotsAnswer::Absent { status });
        }
        let hops = errand.hops + 1;
        self.send_errand(&RobotsErrand { url: target.as_str().to_owned(), hops, ..errand }, at);
    }

    fn read_robots(&self, capture: &Capture) -> RobotsAnswer {
        let coding = crate::response::header(&capture.response_head, "content-encoding");
        let coded = match capture.body.start(ROBOTS_BODY_BYTES) {
            Ok(coded) => coded,
            Err(error) => {
                let detail = format!("robots.txt was fetched and cannot be read: {error}");
                return RobotsAnswer::Unreachable { detail, retry_after_ms: None };
            }
        };
        let body = page::decode_body(&coded, coding.as_deref(), ROBOTS_BODY_BYTES);
        RobotsAnswer::Rules(Box::new(Robots::parse(&body.bytes, &self.config.agent)))
    }

    /// Passes an errand to the host its URL names, under that host's clocks.
    fn send_errand(&mut self, errand: &RobotsErrand, at: Timestamp) {
        let Ok(url) = Url::parse(&errand.url) else {
            return self.robots_unreachable(errand, at, "the redirect leads to no URL");
        };
        let shard = self.shard_of(&url);
        if !self.shard(shard).run_errand(errand.clone()) {
            return self.robots_unreachable(errand, at, "the redirect leads to a host that is not contacted");
        }
        self.await_robots(&errand.authority);
        self.reschedule(shard);
    }

    fn await_robots(&mut self, authority: &str) {
        let Ok(url) = Url::parse(authority) else { return };
        let asker = self.shard_of(&url);
        self.shard(asker).await_robots(authority);
        self.reschedule(asker);
    }

    pub(crate) fn robots_unreachable(&mut self, errand: &RobotsErrand, at: Timestamp, detail: &str) {
        let answer = RobotsAnswer::Unreachable { detail: detail.to_owned(), retry_after_ms: None };
        self.learn_robots(errand.authority.clone(), at, answer);
    }

    fn learn_robots(&mut self, authority: String, at: Timestamp, answer: RobotsAnswer) {
        let Ok(url) = Url::parse(&authority) else { return };
        let origin = Origin::Robots(format!("{authority}/robots.txt"));
        let sitemaps = match &answer {
            RobotsAnswer::Rules(rules) if self.config.sitemaps => self.sitemaps_in(&url, rules),
            _ => Vec::new(),
        };
        let shard = self.shard_of(&url);
        let record = RobotsRecord { authority, fetched_at: at, answer };
        self.journal(Record::Robots { shard, record }, None);
        self.discover(sitemaps, &origin);
        self.reschedule(shard);
    }

    /// Sitemaps that robots.txt names, on hosts the crawl is about (sitemaps.org, "sitemaps & cross submits").
    fn sitemaps_in(&self, authority: &Url, rules: &Robots) -> Vec<Discovery> {
        let in_scope = |url: &Url| self.config.rules.scope.judge(url) == weburl::Verdict::In;
        let urls =
            rules.sitemaps().iter().filter_map(|reference| authority.join(reference).ok()).filter(in_scope);
        urls.map(|url| Discovery {
            key: self.config.rules.key(&url),
            url: url.as_str().to_owned(),
            depth: 0,
            hops: 0,
            kind: Kind::Sitemap,
        })
        .collect()
    }

    /// Errands whose host has just been barred come back as unreachable, which may bar the host that asked, and so on.
    fn answer_stranded(&mut self, shard: u8) {
        let at = self.tally.latest;
        let mut stranded = self.shard(shard).take_unanswered();
        while let Some(errand) = stranded.pop() {
            self.robots_unreachable(&errand, at, "the redirect leads to a host that is not contacted");
            let asker = self.shard_of_authority(&errand.authority);
            stranded.extend(self.shard(asker).take_unanswered());
        }
    }

    fn shard_of_authority(&self, authority: &str) -> u8 {
        let url = Url::parse(authority).expect("an authority is the beginning of a URL");
        self.shard_of(&url)
    }

    fn end_of(
        &self,
        outcome: Outcome,
        url: &Url,
        key: Option<weburl::KeyHash>,
    ) -> (End, Option<Arc<Capture>>) {
        match outcome {
            Outcome::Failed(failure) => (End::Failed(failure), None),
            Outcome::Captured(capture) => {
                (End::Captured(response_of(&capture, url, key, &self.config.rules)), Some(capture))
            }
        }
    }

    pub(crate) fn apply_attempt(&mut self, shard: u8, attempt: &Attempt, capture: CaptureSeq) {
        if let Some(contact) = &attempt.contact {
            self.servers.contacted(contact.address, contact.ended);
        }
        let consequence = self.shard(shard).apply(attempt, capture);
        self.tally.note(attempt, consequence);
        if consequence == frontier::Consequence::Final
            && let Some(remainder) = remainder_of(shard, attempt)
        {
            self.unfinished.begin(capture, remainder);
        }
    }
}

fn contact(address: Address, fetched: &Fetched) -> Contact {
    Contact { address, started: fetched.started, ended: fetched.ended }
}

/// What is to be derived from a capture, if anything. The same in replay as the first time.
pub(crate) fn remainder_of(shard: u8, attempt: &Attempt) -> Option<Remainder> {
    let (Subject::Page(page), End::Captured(response)) = (&attempt.subject, &attempt.end) else {
        return None;
    };
    let wants = match (&response.redirect, response.status, page.kind) {
        (None, 200..=299, Kind::Page) => Wants { links: true, row: true },
        (Some(Redirect::OtherKey(_)), _, _) | (None, 200..=299, Kind::Sitemap) => {
            Wants { links: true, row: false }
        }
        _ => return None,
    };
    Some(Remainder {
        url: attempt.url.clone(),
        key: page.key,
        shard,
        kind: page.kind,
        hops: page.hops,
        location: None,
        wants,
        again: false,
        row_made: false,
    })
}
