use crate::host::{Hold, Host, HostId};
use crate::lane::Next;
use crate::limits::{BACK_QUEUE_WINDOW, LOOKED_AT_PER_DRAW, RETRIES_PER_HOST};
use crate::record::Exclusion;
use crate::table::read_pending;
use crate::{Class, Frontier, PageSubject, Pending, Result, RobotsAnswer};
use backlog::Section;
use robots::Preferences;
use serde::{Deserialize, Serialize};
use stdx::Timestamp;
use weburl::Url;

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
    /// What the robots.txt that lets it be fetched says of its use.
    pub usage: Preferences,
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

/// A domain's moment that is kept for one of its hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainMoment {
    /// When it comes.
    pub at: Timestamp,
    /// The domain's clock from then on, unless somebody else was contacted meanwhile.
    next_at: Timestamp,
}

/// What robots.txt says of a URL about to be drawn.
enum Verdict {
    Allowed,
    Forbidden(Exclusion),
    Unknown,
}

impl Frontier {
    /// Draws what the host does next. The host has its turn and its server's clock is reserved. robots.txt is judged
    /// here, at the last moment, by rules no older than a day. May read a block of a run: after an error the host keeps its
    /// turn.
    pub fn draw(&mut self, host: HostId, now: Timestamp) -> Result<Draw> {
        self.draw_at(host, None, now)
    }

    /// The same, where a moment of its domain was kept for the host; it is none any more if somebody else of the domain was contacted since.
    pub fn draw_at(&mut self, host: HostId, reserved: Option<DomainMoment>, now: Timestamp) -> Result<Draw> {
        let Host { group, record, .. } = self.host_ref(host);
        let (group, is_barred) = (*group, record.barred.is_some());
        if self.is_shunned(&record.name) {
            return self.weed(host, now);
        }
        // Its rules may have come from elsewhere while it waited for its server.
        let next_at = self.group(group).record.next_at;
        let may_begin = reserved.map_or(next_at <= now, |reserved| reserved.next_at == next_at);
        if is_barred || !may_begin {
            return Ok(self.end_turn(host));
        }
        if let Some(errand) = self.host(host).errands.pop_front() {
            self.bill(host);
            self.start_group_clock(host, now);
            return Ok(Draw::Robots(errand));
        }
        if self.host_ref(host).awaiting_robots.is_some() {
            return Ok(self.end_turn(host));
        }
        for _ in 0..LOOKED_AT_PER_DRAW {
            let Some(pending) = self.next_queued(host, now)? else { return Ok(self.end_turn(host)) };
            if pending.due > now {
                self.host(host).retries.insert(pending);
                continue;
            }
            if !self.is_wanted(&pending) {
                self.drop_pending(host);
                self.let_go_of(&pending)?;
                continue;
            }
            let url = Url::parse(&pending.url).expect("a pending URL was parsed when it was discovered");
            if let Some(rest) = self.host_ref(host).record.rests(url.authority(), now) {
                self.put_off(host, pending, &rest)?;
                continue;
            }
            match self.verdict(host, &url, now) {
                Verdict::Allowed => return Ok(self.draw_page(host, pending, url, now)),
                Verdict::Forbidden(rule) => match self.plainest(&pending) {
                    Some(url) => self.host(host).back.push_front(Pending { url, ..pending }),
                    None => self.exclude(host, &pending, rule)?,
                },
                Verdict::Unknown => return Ok(self.ask_robots(host, pending, &url, now)),
            }
        }
        Ok(self.end_turn(host))
    }

    /// Keeps the next moment of a domain for one of its hosts, which has its turn and its server, if it comes within `wait_ms`. A server that
    /// many wait for is free for a host at one moment, and a domain with much to do elsewhere at another: a host that needs both would hardly
    /// ever have them.
    pub fn reserve_domain(&mut self, host: HostId, wait_ms: u64, now: Timestamp) -> Option<DomainMoment> {
        let id = self.host_ref(host).group;
        let (at, interval) = (self.groups[id.0].record.next_at, self.group_interval_ms(id));
        if at <= now || at > now + wait_ms.min(interval) || self.critical(id).is_some() {
            return None;
        }
        let next_at = at + interval;
        self.group(id).record.next_at = next_at;
        self.settle_group(id);
        Some(DomainMoment { at, next_at })
    }

    /// Nobody was contacted for what the host drew last: its turn is over, and that comes next. The domain's clock goes on from the
    /// draw.
    pub fn not_begun(&mut self, id: HostId, errand: Option<RobotsErrand>) {
        self.release(id);
        let host = self.host(id);
        if let Some(pending) = host.in_flight.take() {
            host.back.push_front(pending);
        }
        // The host's own question for rules comes up again with the URL that it is for.
        if let Some(errand) = errand.filter(|errand| errand.hops > 0) {
            match host.record.barred {
                Some(_) => self.unanswered.push(errand),
                None => host.errands.push_front(errand),
            }
        }
        self.settle(id);
    }

    /// Too many wait for what the host needs: its turn is over, and the next comes no sooner than this. Meanwhile it may go to disk.
    pub fn come_again(&mut self, id: HostId, until: Timestamp) {
        self.release(id);
        self.host(id).record.hold_until(until, Hold::Server);
        self.settle(id);
    }

    /// Lets go what a host has at hand that is not to be contacted any more.
    fn weed(&mut self, host: HostId, now: Timestamp) -> Result<Draw> {
        let errands = std::mem::take(&mut self.host(host).errands);
        self.unanswered.extend(errands);
        for _ in 0..LOOKED_AT_PER_DRAW {
            let Some(pending) = self.next_queued(host, now)? else { break };
            self.drop_pending(host);
            self.let_go(pending.key)?;
        }
        Ok(self.end_turn(host))
    }

    fn end_turn(&mut self, host: HostId) -> Draw {
        self.release(host);
        self.settle(host);
        Draw::Nothing
    }

    /// The next URL at hand; when none is left, the next few come from the front queues and those whose retry is due.
    fn next_queued(&mut self, id: HostId, now: Timestamp) -> Result<Option<Pending>> {
        if let Some(pending) = self.host(id).back.pop_front() {
            return Ok(Some(pending));
        }
        self.refill(id, now)?;
        let host = &mut self.hosts[id.0];
        while let Some(pending) = host.retries.pop_due(now) {
            host.back.push_back(pending);
        }
        Ok(host.back.pop_front())
    }

    /// Draws up to a window of URLs: each draw picks a class 60/30/10, among those that have something. A URL whose pattern has shown since it was
    /// found that it gives nothing new goes to the end of the line: its moment, which is past, says that it was there. From there it goes back
    /// only where no disk has to be read for what is before it, and no more often than others can be looked at.
    fn refill(&mut self, id: HostId, now: Timestamp) -> Result<()> {
        let mut may_go_back = LOOKED_AT_PER_DRAW;
        while self.host_ref(id).may_refill() {
            let host = &mut self.hosts[id.0];
            let drawn = self.lottery.draw(|class| host.lanes[class as usize].has_next());
            let Some(class) = drawn else { break };
            match host.lane(class).next() {
                Next::Here(pending) if may_go_back > 0 && host.goes_back(&pending, class) => {
                    may_go_back -= 1;
                    host.lane(Class::Low).push(Pending { due: now, ..pending });
                }
                Next::Here(pending) => host.back.push_back(pending),
                Next::OnDisk(section) => self.read_block(id, class, section)?,
                Next::None => unreachable!("the drawn class has something"),
            }
        }
        Ok(())
    }

    /// Brings the first block of a section into its lane, less what does not count any more.
    fn read_block(&mut self, id: HostId, class: Class, section: Section) -> Result<()> {
        let head = self.disk.hosts.take_head(section)?;
        let lane = self.host(id).lane(class);
        lane.sections.pop_front();
        head.rest.into_iter().for_each(|rest| lane.sections.push_front(rest));
        for entry in head.entries.iter() {
            let pending = read_pending(entry)?;
            if self.surfaces(&pending)? {
                self.host(id).lane(class).head.push_back(pending);
            } else {
                self.drop_pending(id);
            }
        }
        self.host(id).lane(class).close_up();
        Ok(())
    }

    fn verdict(&self, host: HostId, url: &Url, now: Timestamp) -> Verdict {
        let Some(robots) = self.host_ref(host).robots_for(url.authority(), now, self.rules_since) else {
            return Verdict::Unknown;
        };
        match &robots.answer {
            RobotsAnswer::Absent { .. } => Verdict::Allowed,
            RobotsAnswer::Unreachable { .. } => Verdict::Unknown,
            RobotsAnswer::Rules(rules) | RobotsAnswer::RulesOfUse { rules, .. } => {
                let verdict = rules.verdict(url.request_target());
                if verdict.allowed {
                    return Verdict::Allowed;
                }
                Verdict::Forbidden(exclusion(verdict.rule))
            }
        }
    }

    /// Another form to ask for. Not where a redirect led to this one: it may well lead there again.
    fn plainest(&self, pending: &Pending) -> Option<String> {
        self.judge.as_ref().filter(|_| pending.hops == 0)?.plainest(pending)
    }

    fn ask_robots(&mut self, host: HostId, pending: Pending, url: &Url, now: Timestamp) -> Draw {
        self.host(host).back.push_front(pending);
        self.start_group_clock(host, now);
        self.settle(host);
        let authority = url.authority().to_owned();
        Draw::Robots(RobotsErrand { url: format!("{authority}/robots.txt"), authority, hops: 0 })
    }

    fn draw_page(&mut self, id: HostId, pending: Pending, url: Url, now: Timestamp) -> Draw {
        self.start_group_clock(id, now);
        let since = self.rules_since;
        let host = self.host(id);
        let subject = pending.subject();
        let robots = host.robots_for(url.authority(), now, since);
        let usage =
            robots.map_or(Preferences::NONE, |robots| robots.answer.preferences(url.request_target()));
        host.in_flight = Some(pending);
        self.settle(id);
        Draw::Page(PageDraw { url, subject, usage })
    }

    fn start_group_clock(&mut self, host: HostId, now: Timestamp) {
        let host = self.host_ref(host);
        let reach = host.addresses.front().map_or(host.record.reach, |address| address.reach);
        let interval = self.config.delay.group_interval_ms(reach);
        let id = host.group;
        let group = self.group(id);
        group.record.next_at = group.record.next_at.max(now + interval);
        self.settle_group(id);
    }
}

fn exclusion(rule: Option<robots::Rule>) -> Exclusion {
    Exclusion::Robots { line: rule.map_or(0, |rule| rule.line) }
}

impl RobotsErrand {
    /// What it takes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of::<Self>() + self.authority.len() + self.url.len()) as u64
    }
}

impl Host {
    /// Whether others of the host come before this URL, as far as its pattern goes.
    fn goes_back(&self, pending: &Pending, class: Class) -> bool {
        let is_new = pending.due == Timestamp::ZERO;
        let is_back =
            pending.attempts == 0 && class == Class::Low && !self.lanes[Class::Low as usize].is_on_disk();
        (is_new || is_back) && self.habits.judge_pattern(&pending.entry()).is_some()
    }

    /// Whether more URLs are to be at hand.
    fn may_refill(&self) -> bool {
        self.back.len() < BACK_QUEUE_WINDOW && self.retries.len() < RETRIES_PER_HOST
    }
}

impl Pending {
    /// The URL as an attempt carries it.
    pub(crate) fn subject(&self) -> PageSubject {
        PageSubject {
            key: self.key,
            depth: self.depth,
            hops: self.hops,
            attempts: self.attempts,
            kind: self.kind,
            origin: self.origin.clone(),
        }
    }
}
