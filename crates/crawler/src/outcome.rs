use crate::blocked::{blocked, broken_off, unasked};
use crate::dispatch::{Errand, Flight};
use crate::limits::ROBOTS_BODY_BYTES;
use crate::location::to_frontier;
use crate::response::{Target, codings, response_of, target_of};
use crate::servers::HostRef;
use crate::unfinished::Remainder;
use crate::{Crawler, Fetched, Outcome, Record, ResolveOutcome, Resolved, Wants};
use archive::{Capture, CaptureMeta, Kept, Purpose, Truncation};
use frontier::limits::ROBOTS_MAX_HOPS;
use frontier::{
    Address, Attempt, CaptureSeq, Consequence, Contact, Discovery, End, Failure, Kind, Origin, PageDraw,
    PageSubject, Redirect, Response, Result, RobotsAnswer, RobotsErrand, RobotsRecord, Subject, Yield,
};
use page::{Decoded, PageKind};
use robots::{Access, AiTxt, Preferences, Reservations, Robots, RobotsTxt};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{KeyHash, Url};

impl Crawler {
    pub(crate) fn resolved(&mut self, now: Timestamp, resolved: Resolved) -> Result<()> {
        let Some(Flight { who, errand: Errand::Resolve { name } }) = self.land(resolved.ticket) else {
            return Ok(());
        };
        match resolved.outcome {
            ResolveOutcome::Addresses { addresses, ttl_ms } => {
                self.shards.get(who.shard)?.resolved(who.host, addresses, now + ttl_ms);
            }
            ResolveOutcome::Failed(failure) => self.name_failed(now, who, &name, failure)?,
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
        let (end, capture) = self.end_of(fetched.outcome, &draw.url, Some(page));
        let purpose = if page.kind == Kind::Sitemap { Purpose::Sitemap } else { Purpose::Page };
        let meta = CaptureMeta { via: page.origin.via().map(str::to_owned), hops: page.depth, purpose };
        let (subject, url) = (Subject::Page(page.clone()), draw.url.as_str().to_owned());
        let attempt = Attempt { subject, url, contact: Some(contact), at: contact.ended, end };
        let kept = capture.map(|capture| Kept { capture: told(capture, draw.usage), meta });
        self.journal(Record::Attempt { shard: who.shard, attempt }, kept)
    }

    fn robots_fetched(
        &mut self,
        who: HostRef,
        errand: RobotsErrand,
        address: Address,
        fetched: Fetched,
    ) -> Result<()> {
        let Ok(url) = Url::parse(&errand.url) else { return Ok(()) };
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
        self.journal(Record::Attempt { shard: who.shard, attempt }, kept)?;
        match (end, capture) {
            (End::Captured(response), Some(capture)) => {
                self.robots_answered(errand, &url, &response, &capture, contact.ended)
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
    ) -> Result<()> {
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
        self.learn_robots(errand.authority, at, answer)
    }

    /// Follows a redirect of a robots.txt; one too many means that there is none (RFC 9309, section 2.3.1.2).
    fn robots_redirected(
        &mut self,
        errand: RobotsErrand,
        target: &Url,
        status: u16,
        at: Timestamp,
    ) -> Result<()> {
        if errand.hops >= ROBOTS_MAX_HOPS {
            return self.learn_robots(errand.authority, at, RobotsAnswer::Absent { status });
        }
        let hops = errand.hops + 1;
        self.send_errand(&RobotsErrand { url: target.as_str().to_owned(), hops, ..errand }, at)
    }

    /// One that is not all there could not be had (RFC 9309, section 2.3.1.4).
    fn read_robots(&self, capture: &Capture) -> RobotsAnswer {
        let unreachable = |detail| RobotsAnswer::Unreachable { detail, retry_after_ms: None };
        let coded = match capture.body.start(ROBOTS_BODY_BYTES) {
            Ok(coded) => coded,
            Err(error) => {
                return unreachable(format!("robots.txt was fetched and cannot be read: {error}"));
            }
        };
        let body = page::decode_body(&coded, codings(&capture.response_head).as_deref(), ROBOTS_BODY_BYTES);
        if let Some(flaw) = flaw_of(capture.truncated, &body) {
            return unreachable(flaw.to_owned());
        }
        let RobotsTxt { rules, usage } = RobotsTxt::parse(&body.bytes, &self.config.agent);
        RobotsAnswer::of_file(rules, usage)
    }

    /// Passes an errand to the host its URL names, under that host's clocks.
    pub(crate) fn send_errand(&mut self, errand: &RobotsErrand, at: Timestamp) -> Result<()> {
        let Ok(url) = Url::parse(&errand.url) else {
            return self.robots_unreachable(errand, at, "the redirect leads to no URL");
        };
        let shard = self.shard_of(&url);
        if !self.config.placement.owns_shard(shard) {
            return self.send_errand_abroad(shard, errand);
        }
        if self.is_shunned(&url) || !self.shards.get(shard)?.run_errand(errand.clone()) {
            return self.robots_out_of_reach(errand, at);
        }
        self.shards.settle(shard);
        self.await_robots(&errand.authority)
    }

    /// The redirect leads to a host that is not contacted. What the operator excluded may be readmitted: it is waited for like any other.
    fn robots_out_of_reach(&mut self, errand: &RobotsErrand, at: Timestamp) -> Result<()> {
        let is_shunned = Url::parse(&errand.url).is_ok_and(|url| self.is_shunned(&url));
        let host = if is_shunned { "that you excluded" } else { "that is not contacted" };
        self.robots_unreachable(errand, at, &format!("the redirect leads to a host {host}"))
    }

    fn is_shunned(&self, url: &Url) -> bool {
        self.config.rules.scope.shuns(url.host()).is_some()
    }

    pub(crate) fn await_robots(&mut self, authority: &str) -> Result<()> {
        let asker = self.shard_of_authority(authority);
        if !self.config.placement.owns_shard(asker) {
            self.note_errand_for_other(authority);
            return Ok(());
        }
        self.shards.get(asker)?.await_robots(authority);
        self.shards.settle(asker);
        Ok(())
    }

    fn robots_unreachable(&mut self, errand: &RobotsErrand, at: Timestamp, detail: &str) -> Result<()> {
        let answer = RobotsAnswer::Unreachable { detail: detail.to_owned(), retry_after_ms: None };
        self.learn_robots(errand.authority.clone(), at, answer)
    }

    pub(crate) fn learn_robots(
        &mut self,
        authority: String,
        at: Timestamp,
        answer: RobotsAnswer,
    ) -> Result<()> {
        let Ok(url) = Url::parse(&authority) else { return Ok(()) };
        let shard = self.shard_of(&url);
        let owner = self.config.placement.owner_of_shard(shard);
        if owner != self.config.placement.me() {
            self.answer_errand(owner, &RobotsRecord { authority, fetched_at: at, answer });
            return Ok(());
        }
        self.errand_is_answered(&authority);
        let origin = Origin::Robots(format!("{authority}/robots.txt"));
        let rules = answer.rules().filter(|_| self.config.sitemaps);
        let mut found = rules.map_or_else(Vec::new, |rules| self.sitemaps_in(&url, rules));
        if self.config.preference_files && !matches!(answer, RobotsAnswer::Unreachable { .. }) {
            found.extend(self.preference_files_of(&url));
        }
        let record = RobotsRecord { authority, fetched_at: at, answer };
        self.journal(Record::Robots { shard, record }, None)?;
        self.discover(found, &origin)
    }

    /// Sitemaps that robots.txt names, on hosts the crawl is about (sitemaps.org, "sitemaps & cross submits").
    fn sitemaps_in(&self, authority: &Url, rules: &Robots) -> Vec<Discovery> {
        let urls = rules.sitemaps().iter().filter_map(|reference| authority.join(reference).ok());
        urls.filter_map(|url| self.beside_robots(&url)).collect()
    }

    /// Asked for once a host, under the clocks and the rules of all its URLs.
    fn preference_files_of(&self, authority: &Url) -> Vec<Discovery> {
        let urls = [Reservations::PATH, AiTxt::PATH].into_iter().filter_map(|path| authority.join(path).ok());
        urls.filter_map(|url| self.beside_robots(&url)).collect()
    }

    /// What a robots.txt leads to, if the crawl is about it.
    fn beside_robots(&self, url: &Url) -> Option<Discovery> {
        let is_in_scope = self.config.rules.scope.judge(url) == weburl::Verdict::In;
        is_in_scope.then(|| Discovery {
            key: self.config.rules.key(url),
            url: url.as_str().to_owned(),
            depth: 0,
            hops: 0,
            kind: Kind::Sitemap,
        })
    }

    /// Errands whose host has just been barred come back as unreachable, which may bar the host that asked, and so on.
    pub(crate) fn answer_stranded(&mut self, shard: u8) -> Result<()> {
        let at = self.tally.latest;
        let mut stranded = self.take_unanswered(shard)?;
        while let Some(errand) = stranded.pop() {
            self.robots_out_of_reach(&errand, at)?;
            let asker = self.shard_of_authority(&errand.authority);
            stranded.extend(self.take_unanswered(asker)?);
        }
        Ok(())
    }

    /// A shard of another node has nothing to say here.
    fn take_unanswered(&mut self, shard: u8) -> Result<Vec<RobotsErrand>> {
        let is_ours = self.config.placement.owns_shard(shard);
        if is_ours { Ok(self.shards.get(shard)?.take_unanswered()) } else { Ok(Vec::new()) }
    }

    pub(crate) fn shard_of_authority(&self, authority: &str) -> u8 {
        let url = Url::parse(authority).expect("an authority is the beginning of a URL");
        self.shard_of(&url)
    }

    /// The end of an attempt at a page, or else at a robots.txt.
    fn end_of(&self, outcome: Outcome, url: &Url, page: Option<&PageSubject>) -> (End, Option<Arc<Capture>>) {
        match outcome {
            Outcome::Failed(failure) => (End::Failed(failure), None),
            Outcome::TooLate => unreachable!("it was no attempt"),
            Outcome::Captured(capture) => {
                let broken_off = || broken_off(&capture, page?, &self.config.frontier.retry);
                if let Some(failure) = blocked(&capture).or_else(|| unasked(&capture)).or_else(broken_off) {
                    return (End::Failed(failure), None);
                }
                let key = page.map(|page| page.key);
                (End::Captured(response_of(&capture, url, key, &self.config.rules)), Some(capture))
            }
        }
    }

    pub(crate) fn apply_attempt(&mut self, shard: u8, attempt: &Attempt, capture: CaptureSeq) -> Result<()> {
        if let Some(contact) = &attempt.contact
            && self.config.placement.owns_clock(contact.address.ip)
        {
            self.servers.contacted(contact.address, contact.ended);
            self.groups.contacted_for(&attempt.url, contact.started);
        }
        let consequence = self.shards.get(shard)?.apply(attempt, capture)?;
        self.tally.note(attempt, consequence);
        if let (Consequence::Final, Subject::Page(page)) = (consequence, &attempt.subject) {
            self.unlocated.insert(capture, Answered { shard, key: page.key });
            match remainder_of(attempt) {
                Some(remainder) => self.unfinished.begin(capture, remainder),
                None => self.shards.get(shard)?.apply_yield(&attempt.url, Yield::Nothing)?,
            }
        }
        self.shards.settle(shard);
        Ok(())
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

/// Why a robots.txt is not all there, if it is not; the limit on its length aside, beyond which nobody reads.
fn flaw_of(truncated: Option<Truncation>, body: &Decoded<'_>) -> Option<&'static str> {
    let is_cut = truncated.is_some() || !(body.complete || body.capped);
    let is_coded = || !body.warnings.is_empty() && page::page_kind(None, &body.bytes) == PageKind::Other;
    match truncated {
        Some(Truncation::Length) => None,
        _ if is_cut => Some("the file broke off"),
        _ => is_coded().then_some("the file is in a coding that could not be undone"),
    }
}

/// The capture, and what robots.txt said of its use when it was fetched.
fn told(capture: Arc<Capture>, usage: Preferences) -> Arc<Capture> {
    if usage.is_none() {
        return capture;
    }
    Arc::new(Capture { usage: Some(usage.to_string()), ..Arc::unwrap_or_clone(capture) })
}

fn contact(address: Address, fetched: &Fetched) -> Contact {
    Contact { address, started: fetched.started, ended: fetched.ended }
}

/// What is to be derived from a capture, if anything. The same in replay as the first time.
pub(crate) fn remainder_of(attempt: &Attempt) -> Option<Remainder> {
    let (Subject::Page(page), End::Captured(response)) = (&attempt.subject, &attempt.end) else {
        return None;
    };
    let wants = match (&response.redirect, response.status, page.kind) {
        // A 304 is only taken where something stands behind it.
        (None, 200..=299 | 304, Kind::Page) => Wants { links: true, row: true },
        (Some(Redirect::OtherKey(_)), _, _)
        | (None, 200..=299 | 304, Kind::Sitemap)
        | (None, 404 | 410, Kind::Page) => Wants { links: true, row: false },
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
