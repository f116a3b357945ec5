use crate::limits::{KEEP_ALIVE_MS, UNCOMMITTED_ENTRIES, UNPARSED_CAPTURES};
use crate::servers::{Claim, HostRef, Reservation};
use crate::{Action, AnyContentType, Crawler, FetchJob, FetchLimits, ResolveJob, Ticket};
use frontier::{Address, Draw, Kind, Need, PageDraw, RobotsErrand};
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
    Page { draw: Box<PageDraw>, address: Address },
    Robots { errand: RobotsErrand, address: Address },
}

impl Crawler {
    /// Fills free slots with hosts that may be contacted now: work-conserving (blueprint, promise 5).
    pub(crate) fn dispatch(&mut self, now: Timestamp) {
        while self.may_dispatch() {
            if let Some(claim) = self.servers.next_granted(now) {
                self.draw(claim, now);
                continue;
            }
            match self.schedule.first() {
                Some(&(due, shard)) if due <= now => self.take_turn(shard, now),
                _ => break,
            }
        }
    }

    /// Whether anything new may be begun: a free slot, room behind it, and a page left under the limit. A capture keeps
    /// its slot until it is durable, so that a kill costs at most as many requests as there are slots.
    pub(crate) fn may_dispatch(&self) -> bool {
        self.is_running()
            && !self.disk_low
            && self.flights.len() + self.outbox.captures() < self.config.concurrency
            && self.unfinished.held() < UNPARSED_CAPTURES
            && self.held_bytes < self.config.held_bytes
            && self.outbox.waiting() < UNCOMMITTED_ENTRIES
            && self.pages_left() != Some(0)
    }

    /// Pages that may still be begun under `--limit`.
    pub(crate) fn pages_left(&self) -> Option<u64> {
        self.config.limit.map(|limit| limit.saturating_sub(self.tally.pages + self.pages_in_flight))
    }

    fn take_turn(&mut self, shard: u8, now: Timestamp) {
        let turn = self.shard(shard).next_turn(now);
        if let Some(turn) = turn {
            let who = HostRef { shard, host: turn.host };
            match turn.need {
                Need::Resolve { name } => self.resolve(who, name),
                Need::Server(address) => {
                    let claim = Claim { who, address, pending: turn.pending };
                    if self.servers.reserve(claim, now) == Reservation::Granted {
                        self.draw(claim, now);
                    }
                }
            }
        }
        self.reschedule(shard);
    }

    fn resolve(&mut self, who: HostRef, name: String) {
        let ticket = self.take_off(Flight { who, errand: Errand::Resolve { name: name.clone() } });
        self.actions.push_back(Action::Resolve(ResolveJob { ticket, name }));
    }

    /// The host has its turn and its server.
    fn draw(&mut self, Claim { who, address, .. }: Claim, now: Timestamp) {
        match self.shard(who.shard).draw(who.host, now) {
            Draw::Page(draw) => self.fetch_page(who, draw, address),
            Draw::Robots(errand) => self.fetch_robots(who, errand, address),
            Draw::Nothing => self.servers.cancel(address),
        }
        self.reschedule(who.shard);
    }

    fn fetch_page(&mut self, who: HostRef, draw: PageDraw, address: Address) {
        let (url, more, kind) = (draw.url.clone(), draw.more, draw.subject.kind);
        self.pages_in_flight += u64::from(kind == Kind::Page);
        let soon = self.config.frontier.delay.host_ms <= KEEP_ALIVE_MS;
        let ticket = self.take_off(Flight { who, errand: Errand::Page { draw: Box::new(draw), address } });
        let any = if kind == Kind::Sitemap { AnyContentType::Yes } else { AnyContentType::No };
        let job = self.fetch_job(ticket, url, address, any, soon && more);
        self.actions.push_back(Action::Fetch(job));
    }

    fn fetch_robots(&mut self, who: HostRef, errand: RobotsErrand, address: Address) {
        let url = Url::parse(&errand.url).expect("an errand's URL was parsed when it was given");
        let soon = self.config.frontier.delay.host_ms <= KEEP_ALIVE_MS;
        let ticket = self.take_off(Flight { who, errand: Errand::Robots { errand, address } });
        let job = self.fetch_job(ticket, url, address, AnyContentType::Yes, soon);
        self.actions.push_back(Action::Fetch(job));
    }

    fn fetch_job(
        &self,
        ticket: Ticket,
        url: Url,
        address: Address,
        any: AnyContentType,
        keep: bool,
    ) -> FetchJob {
        FetchJob {
            ticket,
            address: SocketAddr::new(address.ip, url.port()),
            url,
            limits: FetchLimits {
                body_bytes: self.config.body_bytes,
                total_ms: self.config.fetch_ms,
                any_content_type: any,
            },
            keep_alive: keep,
        }
    }

    fn take_off(&mut self, flight: Flight) -> Ticket {
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
