//! What asking for a robots.txt gave (RFC 9309, section 2.3.1), and who is asked for those that lie elsewhere.

use crate::limits::ROBOTS_BODY_BYTES;
use crate::outcome::contact;
use crate::response::{Target, codings, header, target_of};
use crate::servers::HostRef;
use crate::{Crawler, Discoveries, Fetched, Record};
use archive::{Capture, CaptureMeta, Kept, Purpose, Truncation};
use frontier::limits::ROBOTS_MAX_HOPS;
use frontier::{
    Address, Attempt, Discovery, End, Failure, FailureKind, Kind, Origin, Response, Result, RobotsAnswer,
    RobotsErrand, RobotsRecord, Subject,
};
use page::{Decoded, PageKind};
use robots::{Access, AiTxt, Reservations, Robots, RobotsTxt};
use stdx::Timestamp;
use weburl::Url;

impl Crawler {
    pub(crate) fn robots_fetched(
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
            (End::Failed(Failure { kind: FailureKind::Offline, .. }), _) => {
                self.run_again(&errand, contact.ended)
            }
            (End::Failed(failure), _) => self.robots_unreachable(&errand, contact.ended, &failure.detail),
            (End::PutOff { failure, retry_after_ms }, _) => {
                let (detail, retry_after_ms) = (failure.detail, Some(retry_after_ms));
                let answer = RobotsAnswer::Unreachable { detail, retry_after_ms };
                self.learn_robots(errand.authority, contact.ended, answer)
            }
            (End::Captured(_), None) => unreachable!("a captured end has a capture"),
        }
    }

    /// Nothing was learned. A host's own question comes up again with the page that it is for.
    fn run_again(&mut self, errand: &RobotsErrand, at: Timestamp) -> Result<()> {
        if errand.hops == 0 { Ok(()) } else { self.send_errand(errand, at) }
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
        if let Some(own) = answers_for_its_host(&errand, url, &answer) {
            self.learn_robots(own, at, answer.clone())?;
        }
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
        if capture.status == 206 && is_a_part(&capture.response_head) {
            return unreachable("a part of the file was sent".to_owned());
        }
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
        // Before the rules: whoever has them does not ask again.
        self.discover(self.led_to(&url, &answer), &origin_of(&authority))?;
        let record = RobotsRecord { authority, fetched_at: at, answer };
        self.journal(Record::Robots { shard, record }, None)
    }

    /// What an earlier answer leads to by the present rules.
    pub(crate) fn follow_again(&mut self, record: &RobotsRecord) -> Result<()> {
        let Ok(authority) = Url::parse(&record.authority) else { return Ok(()) };
        let mut again = Discoveries::default();
        for found in self.led_to(&authority, &record.answer) {
            if let Ok(url) = Url::parse(&found.url) {
                again.push(self.shard_of(&url), (&found).into());
            }
        }
        self.admit_again(&origin_of(&record.authority), &again)
    }

    fn led_to(&self, authority: &Url, answer: &RobotsAnswer) -> Vec<Discovery> {
        let rules = answer.rules().filter(|_| self.config.sitemaps);
        let mut found = rules.map_or_else(Vec::new, |rules| self.sitemaps_in(authority, rules));
        if self.config.preference_files && answer.failure().is_none() {
            found.extend(self.preference_files_of(authority));
        }
        found
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
}

fn origin_of(authority: &str) -> Origin {
    Origin::Robots(format!("{authority}/robots.txt"))
}

/// The authority whose own robots.txt an errand has found for another. What it asks for, a crawl-delay above all, holds there from
/// now on, and it need not be asked for twice. A failure is the errand's alone.
fn answers_for_its_host(errand: &RobotsErrand, url: &Url, answer: &RobotsAnswer) -> Option<String> {
    let authority = url.authority();
    let is_its_own = url.request_target() == "/robots.txt" && authority != errand.authority;
    (is_its_own && answer.failure().is_none()).then(|| authority.to_owned())
}

/// Whether a 206, for which nobody has asked, is of some bytes only (RFC 9110, section 14.4).
fn is_a_part(head: &[u8]) -> bool {
    let range = header(head, "content-range");
    let bounds = range.as_deref().and_then(|range| range.strip_prefix("bytes "));
    let Some((first, (last, all))) = bounds
        .and_then(|bounds| bounds.split_once('-'))
        .and_then(|(first, rest)| Some((first, rest.split_once('/')?)))
    else {
        return false;
    };
    let number = |text: &str| text.trim().parse::<u64>().ok();
    number(first) != Some(0) || number(last).and_then(|last| last.checked_add(1)) != number(all)
}

/// Why a robots.txt is not all there, if it is not; the limit on its length aside, beyond which nobody reads. Where a server never closes TLS
/// as it should, there is nothing but what came.
fn flaw_of(truncated: Option<Truncation>, body: &Decoded<'_>) -> Option<&'static str> {
    let is_cut = truncated.is_some_and(|why| why != Truncation::Unclosed) || !(body.complete || body.capped);
    let is_coded = || !body.warnings.is_empty() && page::page_kind(None, &body.bytes) == PageKind::Other;
    match truncated {
        Some(Truncation::Length) => None,
        _ if is_cut => Some("the file broke off"),
        _ => is_coded().then_some("the file is in a coding that could not be undone"),
    }
}
