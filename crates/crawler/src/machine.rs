use crate::appetite::Appetite;
use crate::circles::Circles;
use crate::command::Owed;
use crate::commit::Outbox;
use crate::dispatch::Flight;
use crate::ending::Phase;
use crate::false_conditions::FalseConditions;
use crate::groups::GroupClocks;
use crate::leases::Reserved;
use crate::orders::{self, Orders};
use crate::outcome::Answered;
use crate::peers::Peers;
use crate::scope::Rereading;
use crate::servers::{HostRef, ServerClocks};
use crate::shards::Shards;
use crate::strain::Looks;
use crate::tally::Tally;
use crate::unfinished::Unfinished;
use crate::uplink::Uplink;
use crate::{Action, CrawlConfig, Event, Memory, Parsed, Promise, Record, RecoveryError, Storage, Ticket};
use control::Changes;
use disk::SharedDisk;
use frontier::{CaptureSeq, DomainMoment, Explanation, Frontier, UrlState};
use snapshot::{Histogram, LedOut};
use std::collections::{BTreeMap, VecDeque};
use stdx::{Map, Timestamp, Watch};
use weburl::{KeyHash, Url};

/// One node's crawl: its shards, the server clocks above them, and what is under way.
pub struct Crawler {
    pub(crate) config: CrawlConfig,
    pub(crate) shards: Shards,
    pub(crate) servers: ServerClocks,
    pub(crate) uplink: Uplink,
    pub(crate) peers: Peers,
    pub(crate) groups: GroupClocks,
    /// Hosts with a turn for which a server is kept until their domain's moment comes.
    pub(crate) kept: BTreeMap<(Timestamp, HostRef), (DomainMoment, Reserved)>,
    pub(crate) circles: Circles,
    pub(crate) false_conditions: FalseConditions,
    pub(crate) flights: Map<Ticket, Flight>,
    pub(crate) next_ticket: u64,
    pub(crate) pages_in_flight: u64,
    pub(crate) outbox: Outbox,
    pub(crate) unfinished: Unfinished,
    /// URLs with a final answer of which the shards do not know yet where it is.
    pub(crate) unlocated: BTreeMap<CaptureSeq, Answered>,
    /// Parses that have ended and wait for room in the shards their links belong to.
    pub(crate) parsed: VecDeque<Parsed>,
    /// … and those that wait for the end of a shard's job, which has their own hosts in its hands.
    pub(crate) held_up: BTreeMap<u8, Vec<Parsed>>,
    pub(crate) seeds: Seeds,
    pub(crate) phase: Phase,
    pub(crate) memory_short: bool,
    pub(crate) disk_low: bool,
    /// What the write said that found no room.
    pub(crate) no_room: Option<String>,
    /// The rules by which all links have been judged.
    pub(crate) judged_by: Option<u64>,
    /// The present rules.
    pub(crate) fingerprint: u64,
    pub(crate) tally: Tally,
    /// The last promise that is known.
    pub(crate) promised: Option<Promise>,
    /// How long the requests of this run took.
    pub(crate) fetch_times: Histogram,
    /// Turns of this run that were handed back, since their contacts could not begin in time.
    pub(crate) handed_back: u64,
    /// Seeds that this run has seen redirect out of scope.
    pub(crate) led_out: LedOut,
    pub(crate) started: Timestamp,
    /// When its last checkpoint was made: what is saved after it counts for no run.
    pub(crate) ended: Option<Timestamp>,
    /// Since when a free slot has found nobody to contact.
    pub(crate) hungry_since: Option<Timestamp>,
    /// What jobs may take for that reason.
    pub(crate) appetite: Appetite,
    pub(crate) actions: VecDeque<Action>,
    pub(crate) orders: Orders,
    pub(crate) looks: Looks,
    /// What the configuration says of the settings that commands may change.
    pub(crate) told: Changes,
    /// Requests and look-ups that may be under way now: at most as many as the run was started with.
    pub(crate) slots: usize,
    pub(crate) rereading: Rereading,
    /// Commands that are done and not known to be durable.
    pub(crate) owed: VecDeque<Owed>,
}

/// Where the seeds stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seeds {
    /// More are to be asked for, when the last entry that has some of those that came is durable.
    Wanted(u64),
    /// They have been asked for.
    Asked,
    /// There are no more.
    Ended,
}

impl Crawler {
    pub(crate) fn empty(config: CrawlConfig, disk: SharedDisk) -> Self {
        Self {
            shards: Shards::new(disk, &config),
            servers: ServerClocks::new(config.server_delay_ms, config.server_floor_ms),
            uplink: Uplink::default(),
            peers: Peers::new(&config),
            groups: GroupClocks::new(config.groups.clone()),
            kept: BTreeMap::new(),
            flights: stdx::map(),
            next_ticket: 0,
            pages_in_flight: 0,
            outbox: Outbox::new(),
            unfinished: Unfinished::default(),
            unlocated: BTreeMap::new(),
            circles: Circles::default(),
            false_conditions: FalseConditions::default(),
            parsed: VecDeque::new(),
            held_up: BTreeMap::new(),
            seeds: Seeds::Wanted(0),
            phase: Phase::Running,
            memory_short: false,
            disk_low: false,
            no_room: None,
            judged_by: None,
            fingerprint: config.fingerprint(),
            tally: Tally::default(),
            promised: None,
            fetch_times: Histogram::default(),
            handed_back: 0,
            led_out: LedOut::default(),
            started: Timestamp::ZERO,
            ended: None,
            hungry_since: None,
            appetite: Appetite::default(),
            actions: VecDeque::new(),
            orders: Orders::default(),
            looks: Looks::default(),
            told: orders::told(&config),
            slots: config.concurrency,
            rereading: Rereading::Done,
            owed: VecDeque::new(),
            config,
        }
    }

    /// Takes in what happened.
    pub fn handle(&mut self, now: Timestamp, event: Event) {
        self.handle_watched(now, event, &mut stdx::nobody);
    }

    /// The same; `watch` is told how much of what the last checkpoint replaced is gone, at the end of a crawl, where others wait for it.
    pub fn handle_watched(&mut self, now: Timestamp, event: Event, watch: &mut Watch<'_>) {
        if self.phase != Phase::Gone {
            self.tally.latest = self.tally.latest.max(now);
            let taken = self.take_in(now, event, watch);
            self.fail_if(taken.map_err(RecoveryError::from));
        }
    }

    /// Gives the next thing to do, if there is one at `now`; to be asked until there is none, each time with the clock read anew.
    pub fn poll(&mut self, now: Timestamp) -> Option<Action> {
        self.poll_watched(now, &mut stdx::nobody)
    }

    /// The same; `watch` is told how far a cut of all shards is at the end of a crawl, where others wait for it.
    pub fn poll_watched(&mut self, now: Timestamp, watch: &mut Watch<'_>) -> Option<Action> {
        if self.actions.is_empty() && self.phase != Phase::Gone {
            let advanced = self.advance(now, watch);
            self.fail_if(advanced);
        }
        self.actions.pop_front()
    }

    /// When [`Crawler::poll`] may give something although nothing happens before; `None` if only an event can.
    pub fn next_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        let due = self.next_begin(now).filter(|_| self.may_dispatch());
        let others = if self.is_listening() { self.next_due_to_others() } else { None };
        let moments = [due, self.next_job_at(now), others, self.next_end(now)];
        moments.into_iter().flatten().min().map(|at| at.max(now))
    }

    /// What is known of a URL, by point look-ups.
    pub fn look_up(&self, url: &Url) -> frontier::Result<Option<Explanation>> {
        let shard = self.shards.if_open(self.shard_of(url));
        let (key, now) = (self.config.rules.key(url), self.tally.latest);
        shard.map(|shard| shard.look_up(key, url, now)).transpose()
    }

    /// All URLs with their states, shard by shard, read from memory and disk; not while a job runs. For tests and
    /// simulation.
    pub fn walk(&self, mut visit: impl FnMut(KeyHash, UrlState)) -> frontier::Result<()> {
        self.shards.iter().try_for_each(|shard| shard.walk(&mut visit))
    }

    /// The latest moment the crawl has seen; whoever drives it goes on from there.
    pub fn latest(&self) -> Timestamp {
        self.tally.latest
    }

    /// Rules that were fetched before `now` count for nothing: they are asked for anew before anything else. For whoever finds, after
    /// [`Crawler::resume`], that the clock by which runs before went was ahead, and nobody knows how old their rules are.
    pub fn distrust_rules(&mut self, now: Timestamp) {
        self.shards.distrust_rules(now);
    }

    /// What the machine was told.
    pub fn config(&self) -> &CrawlConfig {
        &self.config
    }

    /// Asserts what must hold between the parts. For tests and simulation: it walks everything.
    pub fn check_invariants(&self) {
        self.shards.check_invariants();
        assert!(self.flights.len() <= self.config.concurrency, "more is under way than allowed");
        let pages = self.flights.values().filter(|flight| flight.is_page()).count() as u64;
        assert_eq!(pages, self.pages_in_flight, "pages in flight");
        let taken: u64 = self.shards.iter().map(Frontier::hosts_taken).sum();
        let busy = self.kept.len()
            + self.flights.len()
            + self.servers.queued()
            + self.peers.asks.waiting()
            + self.groups.queued();
        assert_eq!(taken, busy as u64, "a host with a turn is under way or waits for a server or a group");
        self.peers.exchange.check_invariants();
    }

    fn take_in(&mut self, now: Timestamp, event: Event, watch: &mut Watch<'_>) -> frontier::Result<()> {
        match event {
            Event::Seeds(urls) => self.seeded(&urls)?,
            Event::Resolved(resolved) => self.resolved(now, resolved)?,
            Event::Fetched(fetched) => self.fetched(fetched)?,
            Event::Committed(commitment) => self.committed(&commitment)?,
            Event::MadeDurable => self.made_durable(),
            Event::Checkpointed => self.checkpointed(watch)?,
            Event::Parsed(parsed) => self.parsed.push_back(parsed),
            Event::Worked(worked) => {
                self.worked(*worked)?;
                // Before links take the room that this has made.
                self.ask_for_seeds();
            }
            Event::RowsClosed(captures) => self.rows_closed(captures)?,
            Event::RowsDone => self.rows_done(),
            Event::Finished => self.finished(),
            Event::Storage(storage) => self.storage(storage),
            Event::Memory(memory) => self.memory_short = memory == Memory::Short,
            Event::Arrived(envelope) => self.arrived(now, envelope)?,
            Event::JournalRead(entries) => self.journal_read(&entries),
            Event::Drain => self.drain(),
            Event::Ordered { order, command } => self.ordered(now, order, command)?,
            Event::Purged { through } => self.journal(Record::Purged { at: now, through }, None)?,
        }
        self.take_in_links()
    }

    fn advance(&mut self, now: Timestamp, watch: &mut Watch<'_>) -> Result<(), RecoveryError> {
        self.derive_more()?;
        self.settle_scope()?;
        self.ask_for_seeds();
        self.commit(watch)?;
        self.parse();
        // A cut of all shards may have taken long: contacts are drawn by a clock that is read after it.
        if !self.actions.is_empty() {
            return Ok(());
        }
        self.dispatch(now)?;
        self.ask_ahead();
        self.work(now)?;
        self.mail(now);
        // A turn that came to nothing may have left something for the journal, and nobody may ask again.
        if self.actions.is_empty() {
            self.commit(watch)?;
        }
        self.end(now, watch)?;
        Ok(())
    }

    /// A full disk ends a crawl in good order; any other failure of it is reported as it is.
    fn fail_if(&mut self, done: Result<(), RecoveryError>) {
        match done {
            Ok(()) => {}
            Err(error) if error.is_disk_full() => self.give_up(error.to_string()),
            Err(error) => self.leave(Action::Fail(error)),
        }
    }

    fn storage(&mut self, storage: Storage) {
        match storage {
            Storage::Low => self.disk_low = true,
            Storage::Enough => self.disk_low = false,
            Storage::Full { because } => self.give_up(because),
        }
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        let kept = self.kept.keys().next().map(|(at, _)| *at);
        [self.shards.next_due(), kept, self.servers.next_due(), self.groups.next_due()]
            .into_iter()
            .flatten()
            .min()
    }

    /// The same, where nobody is heard that is as rarely as few are begun then.
    pub(crate) fn next_begin(&self, now: Timestamp) -> Option<Timestamp> {
        self.next_due().map(|due| due.max(self.uplink.not_before(now)))
    }

    pub(crate) fn shard_of(&self, url: &Url) -> u8 {
        self.config.rules.shard(url.host())
    }
}
