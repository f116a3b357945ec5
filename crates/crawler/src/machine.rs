use crate::commit::Outbox;
use crate::dispatch::Flight;
use crate::ending::Phase;
use crate::servers::ServerClocks;
use crate::tally::Tally;
use crate::unfinished::{Keep, Unfinished};
use crate::{Action, CrawlConfig, Event, Memory, Storage, Ticket};
use frontier::{Frontier, UrlState};
use std::collections::{BTreeSet, VecDeque};
use stdx::{Map, Timestamp};
use weburl::Url;

/// Shards of a crawl, from the first format on; a laptop holds them all (blueprint, section 2).
pub(crate) const SHARDS: usize = 256;

/// One node's crawl: its shards, the server clocks above them, and what is under way.
#[derive(Debug)]
pub struct Crawler {
    pub(crate) config: CrawlConfig,
    pub(crate) shards: Vec<Frontier>,
    /// Shards by the moment they have something to do.
    pub(crate) schedule: BTreeSet<(Timestamp, u8)>,
    pub(crate) scheduled: Vec<Option<Timestamp>>,
    pub(crate) servers: ServerClocks,
    pub(crate) flights: Map<Ticket, Flight>,
    pub(crate) next_ticket: u64,
    pub(crate) pages_in_flight: u64,
    pub(crate) outbox: Outbox,
    pub(crate) unfinished: Unfinished,
    pub(crate) seeds: Seeds,
    pub(crate) phase: Phase,
    pub(crate) memory_short: bool,
    pub(crate) disk_low: bool,
    /// The rules by which all links have been judged.
    pub(crate) judged_by: Option<u64>,
    /// The present rules.
    pub(crate) fingerprint: u64,
    pub(crate) tally: Tally,
    pub(crate) started: Timestamp,
    pub(crate) actions: VecDeque<Action>,
}

/// Where the seeds stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seeds {
    /// More are to be asked for, when what came is durable.
    Wanted,
    /// They have been asked for.
    Asked,
    /// There are no more.
    Ended,
}

impl Crawler {
    pub(crate) fn empty(config: CrawlConfig) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Frontier::new(config.frontier)).collect(),
            schedule: BTreeSet::new(),
            scheduled: vec![None; SHARDS],
            servers: ServerClocks::new(config.server_delay_ms, config.server_floor_ms),
            flights: stdx::map(),
            next_ticket: 0,
            pages_in_flight: 0,
            outbox: Outbox::new(),
            unfinished: Unfinished::new(if config.depth.is_some() {
                Keep::Everything
            } else {
                Keep::Nothing
            }),
            seeds: Seeds::Wanted,
            phase: Phase::Running,
            memory_short: false,
            disk_low: false,
            judged_by: None,
            fingerprint: config.fingerprint(),
            tally: Tally::default(),
            started: Timestamp::ZERO,
            actions: VecDeque::new(),
            config,
        }
    }

    /// Takes in what happened.
    pub fn handle(&mut self, now: Timestamp, event: Event) {
        self.tally.latest = self.tally.latest.max(now);
        match event {
            Event::Seeds(urls) => self.seeded(&urls),
            Event::Resolved(resolved) => self.resolved(now, resolved),
            Event::Fetched(fetched) => self.fetched(fetched),
            Event::Committed(commitment) => self.committed(&commitment),
            Event::Checkpointed => self.checkpointed(),
            Event::Parsed(parsed) => self.parsed(parsed),
            Event::RowsClosed(captures) => self.rows_closed(captures),
            Event::RowsDone => self.rows_done(),
            Event::Finished => self.finished(),
            Event::Storage(storage) => self.storage(storage),
            Event::Memory(memory) => self.memory_short = memory == Memory::Short,
            Event::Drain => self.drain(),
        }
    }

    /// Gives the next thing to do, if there is one at `now`.
    pub fn poll(&mut self, now: Timestamp) -> Option<Action> {
        if self.actions.is_empty() {
            self.advance(now);
        }
        self.actions.pop_front()
    }

    /// When [`Crawler::poll`] may give something although nothing happens before; `None` if only an event can.
    pub fn next_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        let due = if self.may_dispatch() { self.next_due() } else { None };
        [due, self.time_limit_at()].into_iter().flatten().min().map(|at| at.max(now))
    }

    /// The state of a URL.
    pub fn state(&self, url: &Url) -> Option<&UrlState> {
        self.shards[usize::from(self.config.rules.shard(url.host()))].state(self.config.rules.key(url))
    }

    /// All URLs and their states.
    pub fn urls(&self) -> impl Iterator<Item = &UrlState> {
        self.shards.iter().flat_map(|shard| shard.urls().map(|(_, state)| state))
    }

    /// The latest moment the crawl has seen; whoever drives it goes on from there.
    pub fn latest(&self) -> Timestamp {
        self.tally.latest
    }

    /// What the machine was told.
    pub fn config(&self) -> &CrawlConfig {
        &self.config
    }

    /// Asserts what must hold between the parts. For tests and simulation: it walks everything.
    pub fn check_invariants(&self) {
        self.shards.iter().for_each(Frontier::check_invariants);
        assert!(self.flights.len() <= self.config.concurrency, "more is under way than allowed");
        let pages = self.flights.values().filter(|flight| flight.is_page()).count() as u64;
        assert_eq!(pages, self.pages_in_flight, "pages in flight");
        let taken: u64 = self.shards.iter().map(Frontier::hosts_taken).sum();
        let busy = self.flights.len() + self.servers.queued();
        assert_eq!(taken, busy as u64, "a host with a turn is under way or stands in a server's queue");
        if let Some(limit) = self.config.limit {
            assert!(self.tally.pages + self.pages_in_flight <= limit, "the limit on pages");
        }
    }

    fn advance(&mut self, now: Timestamp) {
        if self.phase == Phase::Gone {
            return;
        }
        self.settle_scope();
        self.ask_for_seeds();
        self.commit();
        self.parse();
        self.dispatch(now);
        self.end(now);
    }

    fn storage(&mut self, storage: Storage) {
        match storage {
            Storage::Low => self.disk_low = true,
            Storage::Enough => self.disk_low = false,
            Storage::Full => self.give_up(),
        }
    }

    /// Puts a shard where it belongs in the schedule after anything about it changed.
    pub(crate) fn reschedule(&mut self, shard: u8) {
        let due = self.shards[usize::from(shard)].next_due();
        let old = std::mem::replace(&mut self.scheduled[usize::from(shard)], due);
        if old == due {
            return;
        }
        if let Some(old) = old {
            self.schedule.remove(&(old, shard));
        }
        if let Some(due) = due {
            self.schedule.insert((due, shard));
        }
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        let shard = self.schedule.first().map(|&(due, _)| due);
        [shard, self.servers.next_due()].into_iter().flatten().min()
    }

    pub(crate) fn shard(&mut self, shard: u8) -> &mut Frontier {
        &mut self.shards[usize::from(shard)]
    }

    pub(crate) fn shard_of(&self, url: &Url) -> u8 {
        self.config.rules.shard(url.host())
    }
}
