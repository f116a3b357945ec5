use crate::host::{HostId, Queued};
use crate::limits::{BACK_QUEUE_WINDOW, LOOKED_AT_PER_DRAW};
use crate::record::{Exclusion, Pending, UrlState};
use crate::{Class, Frontier, PageSubject, RobotsAnswer};
use serde::{Deserialize, Serialize};
use stdx::Timestamp;
use weburl::{KeyHash, Url};

/// What a host with a turn and a reserved server does with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draw {
    /// Fetch this page.
    Page(PageDraw),
    /// Fetch a robots.txt.
    Robots(RobotsErrand),
    /// Nothing after all; the turn is over.
    Nothing,
}

/// A URL to fetch now. Its turn ends with an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDraw {
    /// The form to request.
    pub url: Url,
    /// The URL as the attempt must carry it.
    pub subject: PageSubject,
    /// Whether the host will be contacted again soon.
    pub more: bool,
}

/// A robots.txt to fetch. It is carried out by the host that its URL names, which after a redirect need not be the
/// host that asks, so that no host is contacted outside its own clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsErrand {
    /// Whose rules are wanted.
    pub authority: String,
    /// Where to get them now.
    pub url: String,
    /// Redirects behind it.
    pub hops: u8,
}

/// What robots.txt says of a URL about to be drawn.
enum Verdict {
    Allowed,
    Forbidden(Exclusion),
    Unknown,
}

impl Frontier {
    /// Draws what the host does next. The host has its turn and its server's clock is reserved. robots.txt is judged
    /// here, at the last moment, by rules no older than a day.
    pub fn draw(&mut self, host: HostId, now: Timestamp) -> Draw {
        let group = self.host_ref(host).record.group;
        if self.group(group).record.next_at > now {
            return self.end_turn(host);
        }
        if let Some(errand) = self.host(host).errands.pop_front() {
            self.start_group_clock(host, now);
            return Draw::Robots(errand);
        }
        if self.host_ref(host).awaiting_robots {
            return self.end_turn(host);
        }
        for _ in 0..LOOKED_AT_PER_DRAW {
            let Some(queued) = self.next_queued(host, now) else { return self.end_turn(host) };
            let Some(UrlState::Pending(pending)) = self.urls.get(&queued.key) else { continue };
            if pending.in_flight || pending.due > now {
                continue;
            }
            let url = Url::parse(&pending.url).expect("a pending URL was parsed when it was admitted");
            match self.verdict(host, &url, now) {
                Verdict::Allowed => return self.draw_page(host, queued.key, url, now),
                Verdict::Forbidden(rule) => self.exclude(host, queued.key, rule),
                Verdict::Unknown => return self.ask_robots(host, queued, &url, now),
            }
        }
        self.end_turn(host)
    }

    /// An errand for a host of this shard; `false` if that host is barred.
    pub fn run_errand(&mut self, errand: RobotsErrand) -> bool {
        let Ok(url) = Url::parse(&errand.url) else { return false };
        let host = self.host_named(url.host());
        if self.host_ref(host).record.barred.is_some() {
            return false;
        }
        self.host(host).errands.push_back(errand);
        self.settle(host);
        true
    }

    /// Errands whose host has been barred since they were given.
    pub fn take_unanswered(&mut self) -> Vec<RobotsErrand> {
        std::mem::take(&mut self.unanswered)
    }

    fn end_turn(&mut self, host: HostId) -> Draw {
        self.release(host);
        self.settle(host);
        Draw::Nothing
    }

    fn next_queued(&mut self, id: HostId, now: Timestamp) -> Option<Queued> {
        if let Some(queued) = self.host(id).back.pop_front() {
            return Some(queued);
        }
        let host = &mut self.hosts[id.0 as usize];
        self.front.refill(id, BACK_QUEUE_WINDOW, &mut host.back);
        while let Some(&(due, key)) = host.retries.first() {
            if due > now {
                break;
            }
            host.retries.pop_first();
            host.back.push_back(Queued { key, class: Class::Low });
        }
        host.back.pop_front()
    }

    fn verdict(&self, host: HostId, url: &Url, now: Timestamp) -> Verdict {
        let Some(robots) = self.host_ref(host).robots_of(&url.authority()) else { return Verdict::Unknown };
        if !robots.is_fresh(now) {
            return Verdict::Unknown;
        }
        match &robots.answer {
            RobotsAnswer::Absent { .. } => Verdict::Allowed,
            RobotsAnswer::Unreachable { .. } => Verdict::Unknown,
            RobotsAnswer::Rules(rules) => {
                let verdict = rules.verdict(url.request_target());
                if verdict.allowed {
                    return Verdict::Allowed;
                }
                Verdict::Forbidden(exclusion(verdict.rule))
            }
        }
    }

    fn ask_robots(&mut self, host: HostId, queued: Queued, url: &Url, now: Timestamp) -> Draw {
        self.host(host).back.push_front(queued);
        self.start_group_clock(host, now);
        let authority = url.authority();
        Draw::Robots(RobotsErrand { url: format!("{authority}/robots.txt"), authority, hops: 0 })
    }

    fn draw_page(&mut self, host: HostId, key: KeyHash, url: Url, now: Timestamp) -> Draw {
        self.start_group_clock(host, now);
        let more = !self.host_ref(host).back.is_empty() || self.front.has(host);
        let Some(UrlState::Pending(pending)) = self.urls.get_mut(&key) else {
            unreachable!("checked by draw")
        };
        pending.in_flight = true;
        self.hosts[host.0 as usize].in_flight = Some(key);
        let Pending { depth, hops, attempts, kind, origin, .. } = pending.as_ref().clone();
        let subject = PageSubject { key, depth, hops, attempts, kind, origin };
        Draw::Page(PageDraw { url, subject, more })
    }

    fn start_group_clock(&mut self, host: HostId, now: Timestamp) {
        let host = self.host_ref(host);
        let reach = host.addresses.front().map_or(host.record.reach, |address| address.reach);
        let interval = self.config.delay.group_interval_ms(reach);
        let id = host.record.group;
        let group = self.group(id);
        group.record.next_at = group.record.next_at.max(now + interval);
        self.settle_group(id);
    }

    /// The host waits for an answer that another host fetches; until then it does errands only.
    pub fn await_robots(&mut self, authority: &str) {
        if let Some(host) = self.host_of_authority(authority) {
            self.host(host).awaiting_robots = true;
            self.settle(host);
        }
    }

    pub(crate) fn host_of_authority(&mut self, authority: &str) -> Option<HostId> {
        let url = Url::parse(authority).ok()?;
        Some(self.host_named(url.host()))
    }
}

fn exclusion(rule: Option<robots::Rule>) -> Exclusion {
    match rule {
        Some(rule) => Exclusion::Robots { line: rule.line, rule: format!("{:?}: {}", rule.kind, rule.text) },
        None => Exclusion::Robots { line: 0, rule: String::new() },
    }
}
