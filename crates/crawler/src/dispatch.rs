use crate::leases::{Reserved, Waiter};
use crate::limits::{
    BEGIN_WITHIN_MS, CONDITIONAL_ATTEMPTS, KEEP_ALIVE_MS, KEPT_MS, ROBOTS_BODY_BYTES, TURNS_AT_ONCE,
    UNCOMMITTED_ENTRIES,
};
use crate::servers::HostRef;
use crate::{Action, AnyContentType, Asks, Crawler, FetchJob, FetchLimits, ResolveJob, Ticket};
use frontier::{
    Address, Class, DomainMoment, Draw, Kind, LookUp, NamedGroupId, Need, PageDraw, PageSubject, Result,
    RobotsErrand,
};
use std::net::SocketAddr;
use stdx::Timestamp;
use weburl::Url;

/// Something that is under way.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) who: HostRef,
    pub(crate) errand: Errand,
}

impl Flight {
    /// Whether it counts against the limit on pages.
    pub(crate) fn is_page(&self) -> bool {
        matches!(&self.errand, Errand::Page { draw, .. } if draw.subject.kind == Kind::Page)
    }
}

/// What is under way.
#[derive(Debug, Clone)]
pub(crate) enum Errand {
    Resolve { name: String },
    Page { draw: Box<PageDraw>, at: Reserved },
    Robots { errand: RobotsErrand, at: Reserved },
}

impl Errand {
    /// The server it is at.
    pub(crate) fn address(&self) -> Option<Address> {
        match self {
            Self::Resolve { .. } => None,
            Self::Page { at, .. } | Self::Robots { at, .. } => Some(at.address),
        }
    }
}

impl Crawler {
    /// Fills free slots with hosts that may be contacted now: work-conserving (ARCHITECTURE.md, promise 5). So many turns at a time, if
    /// they gave something to do: whoever does it asks again.
    pub(crate) fn dispatch(&mut self, now: Timestamp) -> Result<()> {
        if !self.may_dispatch() {
            self.let_go_of_kept()?;
        }
        if self.limit_is_reached(now) {
            return Ok(());
        }
        let mut turns = 0;
        while self.may_dispatch()
            && self.uplink.may_begin(now)
            && (turns < TURNS_AT_ONCE || self.actions.is_empty())
        {
            turns += 1;
            if self.begin_kept(now)?
                || self.begin_leased(now)?
                || self.grant_next(now)?
                || self.begin_allowed(now)?
            {
                continue;
            }
            let Some((class, shard)) = self.shards.next_turn(now) else { break };
            self.take_turn(class, shard, now)?;
        }
        Ok(())
    }

    /// Where hosts have to wait for a slot, their names are asked for meanwhile. Where slots are free, names that are due are
    /// asked for anyway.
    pub(crate) fn ask_ahead(&mut self) {
        let names = self.shards.take_newcomers();
        if !names.is_empty() && self.is_running() && !self.may_dispatch() {
            self.actions.push_back(Action::AskAhead { names });
        }
    }

    /// Whether anything new may be begun: a free slot, room behind it, and a page left under the limit. A capture keeps
    /// its slot until it is durable, so that a kill costs at most as many requests as there are slots.
    pub(crate) fn may_dispatch(&self) -> bool {
        self.is_running()
            && !self.orders.paused
            && !self.disk_low
            && self.flights.len() + self.outbox.captures() < self.slots
            && self.unfinished.fresh() < self.config.unparsed
            && !self.memory_short
            && self.outbox.waiting() < UNCOMMITTED_ENTRIES
            && self.pages_left() != Some(0)
            && self.peers.are_introduced()
    }

    /// Pages that may still be begun under `--limit`.
    pub(crate) fn pages_left(&self) -> Option<u64> {
        self.config.limit.map(|limit| limit.saturating_sub(self.tally.pages + self.pages_in_flight))
    }

    fn take_turn(&mut self, class: Class, shard: u8, now: Timestamp) -> Result<()> {
        let turn = self.shards.get(shard)?.next_turn(class, now);
        if let Some(turn) = turn {
            let who = HostRef { shard, host: turn.host };
            match turn.need {
                Need::Resolve { name, look_up } => self.resolve(who, name, look_up, now),
                Need::Server(address) => {
                    self.approach(Waiter { who, address }, now)?;
                }
                Need::Nothing => self.let_go(who, now)?,
            }
        }
        self.shards.settle(shard);
        Ok(())
    }

    /// The host is not to be contacted any more.
    fn let_go(&mut self, who: HostRef, now: Timestamp) -> Result<()> {
        let drawn = self.shards.get(who.shard)?.draw(who.host, now)?;
        debug_assert_eq!(drawn, Draw::Nothing);
        self.answer_stranded(who.shard)
    }

    /// The host has its turn: it waits for its group's moment, if it is in one, and asks for its server.
    fn approach(&mut self, waiter: Waiter, now: Timestamp) -> Result<()> {
        if let Some(group) = self.group_that_waits(waiter.who, now)? {
            return self.wait_for_group(group, waiter, now);
        }
        match self.reserve(waiter, now)? {
            Some(reserved) => self.draw(waiter.who, reserved, None, now),
            None => Ok(()),
        }
    }

    /// The host that has waited longest for a group whose moment has come goes on.
    fn begin_allowed(&mut self, now: Timestamp) -> Result<bool> {
        let Some(waiter) = self.groups.next_allowed(now) else { return Ok(false) };
        self.approach(waiter, now)?;
        Ok(true)
    }

    /// The group of a host, if its moment has not come.
    fn group_that_waits(&mut self, who: HostRef, now: Timestamp) -> Result<Option<NamedGroupId>> {
        let group = self.groups.of(self.shards.get(who.shard)?.name_of(who.host));
        Ok(group.filter(|group| !self.groups.allows(*group, now)))
    }

    fn resolve(&mut self, who: HostRef, name: String, look_up: LookUp, now: Timestamp) {
        let ticket = self.take_off(Flight { who, errand: Errand::Resolve { name: name.clone() } }, now);
        self.actions.push_back(Action::Resolve(ResolveJob { ticket, name, look_up }));
    }

    /// The host has its turn and its server. Another of its group may have been contacted meanwhile: then it lets the server
    /// go and waits for its group. For its domain's `moment` the server is kept, if that is soon and not the host's yet.
    pub(crate) fn draw(
        &mut self,
        who: HostRef,
        at: Reserved,
        moment: Option<DomainMoment>,
        now: Timestamp,
    ) -> Result<()> {
        if let Some(group) = self.group_that_waits(who, now)? {
            self.cancel(at);
            return self.wait_for_group(group, Waiter { who, address: at.address }, now);
        }
        if moment.is_none()
            && !at.is_lent()
            && let Some(moment) = self.shards.get(who.shard)?.reserve_domain(who.host, KEPT_MS, now)
        {
            self.kept.insert((moment.at, who), (moment, at));
            self.shards.settle(who.shard);
            return Ok(());
        }
        match self.shards.get(who.shard)?.draw_at(who.host, moment, now)? {
            Draw::Page(draw) => self.fetch_page(who, draw, at, now),
            Draw::Robots(errand) => self.fetch_robots(who, errand, at, now),
            Draw::Nothing => {
                self.cancel(at);
                self.answer_stranded(who.shard)?;
            }
        }
        self.shards.settle(who.shard);
        Ok(())
    }

    /// A host whose domain's moment has come, for which its server was kept.
    fn begin_kept(&mut self, now: Timestamp) -> Result<bool> {
        let Some(first) = self.kept.first_entry().filter(|first| first.key().0 <= now) else {
            return Ok(false);
        };
        let ((_, who), (moment, at)) = first.remove_entry();
        self.draw(who, at, Some(moment), now)?;
        Ok(true)
    }

    /// Servers are kept for nobody: nothing is begun for now.
    pub(crate) fn let_go_of_kept(&mut self) -> Result<()> {
        for ((_, who), (_, at)) in std::mem::take(&mut self.kept) {
            self.cancel(at);
            self.shards.get(who.shard)?.not_begun(who.host, None);
            self.shards.settle(who.shard);
        }
        Ok(())
    }

    fn fetch_page(&mut self, who: HostRef, draw: PageDraw, at: Reserved, now: Timestamp) {
        let url = draw.url.clone();
        // Whoever fails at a condition is asked without one, and whoever fails again and again.
        let PageSubject { key, attempts, .. } = draw.subject;
        let is_simple = attempts >= CONDITIONAL_ATTEMPTS || self.false_conditions.has(key);
        let asks = if is_simple { Asks::Whatever } else { Asks::IfModified };
        debug_assert_ne!(self.pages_left(), Some(0), "the limit on pages");
        self.pages_in_flight += u64::from(draw.subject.kind == Kind::Page);
        let limits = match draw.subject.kind {
            Kind::Sitemap => self.limits(self.config.sitemap_bytes(), AnyContentType::Yes),
            Kind::Page => self.limits(self.config.body_bytes, AnyContentType::No),
        };
        let flight = Flight { who, errand: Errand::Page { draw: Box::new(draw), at } };
        self.fetch(flight, at, url, limits, asks, now);
    }

    fn fetch_robots(&mut self, who: HostRef, errand: RobotsErrand, at: Reserved, now: Timestamp) {
        let url = Url::parse(&errand.url).expect("an errand's URL was parsed when it was given");
        // However little of a page is kept: what is cut off may be what forbids.
        let limits = self.limits(ROBOTS_BODY_BYTES as u64, AnyContentType::Yes);
        let flight = Flight { who, errand: Errand::Robots { errand, at } };
        // Rules are read from what is sent, and are asked for once a day.
        self.fetch(flight, at, url, limits, Asks::Whatever, now);
    }

    fn fetch(
        &mut self,
        flight: Flight,
        at: Reserved,
        url: Url,
        limits: FetchLimits,
        asks: Asks,
        now: Timestamp,
    ) {
        self.groups.contacted_for(url.as_str(), now);
        let job = FetchJob {
            ticket: self.take_off(flight, now),
            address: socket(at.address, &url),
            begin_by: self.begin_by(&url, at.address, now),
            url,
            limits,
            keep_alive: self.is_due_again_soon(),
            asks,
        };
        self.actions.push_back(Action::Fetch(job));
    }

    /// Until when a contact that is drawn now may begin: at any time if no clock counts from its draw.
    pub(crate) fn begin_by(&self, url: &Url, address: Address, now: Timestamp) -> Timestamp {
        let has_clock = self.config.frontier.delay.group_interval_ms(address.reach) > 0
            || self.groups.of(url.host()).is_some();
        if has_clock { now + BEGIN_WITHIN_MS } else { Timestamp::NEVER }
    }

    /// It was too late for a contact, and nobody was contacted: no clock has anything to learn. Those that count from the draw go on from there,
    /// and what was drawn comes again.
    pub(crate) fn not_begun(&mut self, Flight { who, errand }: Flight) -> Result<()> {
        let (at, errand) = match errand {
            Errand::Page { at, .. } => (at, None),
            Errand::Robots { errand, at } => (at, Some(errand)),
            Errand::Resolve { .. } => unreachable!("a look-up does not end in a fetch"),
        };
        self.handed_back += 1;
        self.cancel(at);
        self.shards.get(who.shard)?.not_begun(who.host, errand);
        self.answer_stranded(who.shard)?;
        self.shards.settle(who.shard);
        Ok(())
    }

    /// Whether a host may be visited again while its server keeps the connection open. Nobody asks what else is known of it now: most
    /// links of a page lead to its own host, and are at hand before its delay has passed.
    fn is_due_again_soon(&self) -> bool {
        self.config.frontier.delay.host_ms <= KEEP_ALIVE_MS
    }

    fn limits(&self, body_bytes: u64, any_content_type: AnyContentType) -> FetchLimits {
        FetchLimits { body_bytes, total_ms: self.config.fetch_ms, any_content_type }
    }

    fn take_off(&mut self, flight: Flight, now: Timestamp) -> Ticket {
        self.uplink.begun(now);
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.flights.insert(ticket, flight);
        ticket
    }

    pub(crate) fn land(&mut self, ticket: Ticket) -> Option<Flight> {
        let flight = self.flights.remove(&ticket)?;
        self.pages_in_flight -= u64::from(flight.is_page());
        Some(flight)
    }
}

fn socket(address: Address, url: &Url) -> SocketAddr {
    SocketAddr::new(address.ip, url.port())
}
