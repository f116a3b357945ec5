use crate::agenda::{Agenda, Coming};
use crate::archivist::Archivist;
use crate::hands::{Hand, Promise};
use crate::parser::{Parser, gives_no_row};
use crate::structure::Structure;
use crate::{Failed, Network, Setup, Site, Trace, Witness};
use archive::{Archive, Opened};
use cluster::Envelope;
use control::{Command, Receipt, Refusal};
use crawler::{
    Action, Crawler, Event, Exit, FrontierError, OrderId, ParseJob, Source, Stop, Storage, UrlState,
};
use disk::SharedDisk;
use snapshot::Snapshot;
use std::collections::BTreeMap;
use std::vec::IntoIter;
use stdx::{Timestamp, WallTime};
use weburl::{KeyHash, Url};

/// Seeds handed over at once.
const SEEDS_AT_ONCE: usize = 100;

/// Actions that a crawl may begin at one moment: far more than any has slots and shards.
const ACTIONS_AT_ONCE: u64 = 1_000_000;

/// One run of a simulated crawl, from start or restart to exit or crash.
pub struct Sim {
    /// The machine.
    pub crawler: Crawler,
    archivist: Hand<Archivist>,
    parser: Hand<Parser>,
    worker: Hand<()>,
    syncer: Hand<SharedDisk>,
    setup: Setup,
    seeds: IntoIter<Vec<Url>>,
    agenda: Agenda,
    /// The present.
    pub now: Timestamp,
    /// Whether everything is saved, as before any exit but the one for which the disk took no more.
    saved: bool,
    /// Whether it ended because the disk took no more: nothing of what was under way is saved then.
    pub gave_up: bool,
    /// How it ended, once it has.
    pub exit: Option<Exit>,
    /// Actions performed: equal runs have equal traces.
    pub trace: Trace,
    /// Links that pages have given, each once a page.
    pub links: u64,
    /// What it said to other nodes since it was last asked.
    pub outgoing: Vec<Envelope>,
    /// Times it read back from the journal what it had no room for.
    pub journal_reads: u64,
    /// What operators were answered.
    pub answers: Vec<Answered>,
    orders: u64,
}

/// What came of a command.
#[derive(Debug, Clone)]
pub struct Answered {
    /// Which.
    pub order: OrderId,
    /// Done and durable, or refused.
    pub answer: Result<Receipt, Refusal>,
    /// When it was said.
    pub at: Timestamp,
}

impl Sim {
    /// Opens a crawl on `disk` at `now`, going on where an earlier run stopped.
    pub fn open(site: &Site, setup: &Setup, disk: &SharedDisk, now: Timestamp) -> Result<Self, Failed> {
        let wall = WallTime::from_unix_ms(now.as_ms());
        let disk = &setup.crawl.nursery(disk.clone());
        let Opened { archive, recovered } = Archive::open(disk.clone(), setup.archive.clone(), wall)?;
        let state = recovered.checkpoint.as_ref().map(|checkpoint| checkpoint.state.as_slice());
        let mut crawler = Crawler::recover(setup.crawl.clone(), disk.clone(), state, recovered.replay)?;
        let (archivist, held) = Archivist::open(archive, disk, setup)?;
        let stop = if recovered.clean { Stop::Clean } else { Stop::Unclean };
        let now = crawler.latest().max(now);
        crawler.resume(stop, now, |capture| held.captures.contains(capture.0))?;
        let seeds: Vec<Vec<Url>> = site.seeds.chunks(SEEDS_AT_ONCE).map(<[Url]>::to_vec).collect();
        Ok(Self {
            crawler,
            archivist: Hand::Own(archivist),
            parser: Hand::Own(Parser::new(setup.crawl.clone())),
            worker: Hand::Own(()),
            syncer: Hand::Own(disk.clone()),
            setup: setup.clone(),
            seeds: seeds.into_iter(),
            agenda: Agenda::default(),
            now,
            saved: false,
            gave_up: false,
            exit: None,
            trace: Trace::default(),
            links: 0,
            outgoing: Vec::new(),
            journal_reads: 0,
            answers: Vec::new(),
            orders: 0,
        })
    }

    /// The same with threads for the archive, for parses that need nothing of it, for the jobs of shards and for the
    /// files of checkpoints: what happens is the same, but it takes less time, and a failing disk is noticed when an action
    /// would have ended.
    #[must_use]
    pub fn with_threads(self) -> Self {
        let Self { archivist, parser, worker, syncer, .. } = self;
        let (archivist, parser, worker, syncer) =
            (archivist.hire(), parser.hire(), worker.hire(), syncer.hire());
        Self { archivist, parser, worker, syncer, ..self }
    }

    /// Runs to the exit, or until `enough`.
    pub fn run<W: Witness>(
        &mut self,
        network: &mut Network<W>,
        mut enough: impl FnMut(&Self) -> bool,
    ) -> Result<(), Failed> {
        while self.exit.is_none() && !enough(self) {
            self.step(network)?;
        }
        Ok(())
    }

    /// Runs to the exit, or to this moment and no further: what happens at it does not happen any more.
    pub fn run_until<W: Witness>(&mut self, network: &mut Network<W>, end: Timestamp) -> Result<(), Failed> {
        while self.exit.is_none() && self.now < end {
            self.act(network)?;
            let next = if self.exit.is_none() { self.next_moment() } else { self.now };
            if next >= end {
                self.now = end;
                return Ok(());
            }
            self.wait_until(next, network)?;
        }
        Ok(())
    }

    /// Performs what is to be done now, then steps to whatever comes next.
    pub fn step<W: Witness>(&mut self, network: &mut Network<W>) -> Result<(), Failed> {
        self.act(network)?;
        if self.exit.is_none() {
            let next = self.next_moment();
            network.log.waits(self.now, next);
            self.wait_until(next, network)?;
        }
        Ok(())
    }

    /// Performs what is to be done now.
    pub(crate) fn act<W: Witness>(&mut self, network: &mut Network<W>) -> Result<(), Failed> {
        let mut actions = 0;
        while let Some(action) = self.crawler.poll(self.now) {
            actions += 1;
            assert!(actions < ACTIONS_AT_ONCE, "it acts and acts, and no time passes");
            let performed = self.perform(action, network);
            self.or_full(performed)?;
            if self.exit.is_some() {
                break;
            }
        }
        self.archivist.begin();
        self.parser.begin();
        self.worker.begin();
        self.syncer.begin();
        Ok(())
    }

    fn next_moment(&self) -> Timestamp {
        let next = self.next_of_its_own();
        let is_paused = || self.crawler.snapshot(self.now).paused;
        assert!(next.is_some() || is_paused(), "a crawl that runs waits for something");
        next.unwrap_or(Timestamp::NEVER)
    }

    /// When something happens next; `None` if only other nodes can make it.
    pub(crate) fn next_of_its_own(&self) -> Option<Timestamp> {
        let deadline = self.crawler.next_deadline(self.now);
        let event = self.agenda.next();
        let next = [deadline, event].into_iter().flatten().min()?;
        assert!(next > self.now || event == Some(self.now), "the machine asks to be polled and does nothing");
        Some(self.now.max(next))
    }

    /// Lets time pass, and what is due by then happen.
    pub(crate) fn wait_until<W: Witness>(
        &mut self,
        moment: Timestamp,
        network: &mut Network<W>,
    ) -> Result<(), Failed> {
        self.now = moment;
        while let Some(coming) = self.agenda.take(self.now) {
            let ended = coming.take();
            let ended = ended.map(|events| events.into_iter().for_each(|event| self.deliver(event, network)));
            self.or_full(ended)?;
        }
        Ok(())
    }

    fn deliver<W: Witness>(&mut self, event: Event, network: &mut Network<W>) {
        if let Event::Parsed(parsed) = &event {
            self.links += parsed.links.len() as u64;
            network.gives(parsed.links.iter().map(|link| link.url), self.now);
        }
        self.crawler.handle(self.now, event);
    }

    /// A full disk is something that the machine is told.
    fn or_full(&mut self, performed: Result<(), Failed>) -> Result<(), Failed> {
        match performed {
            Err(failed) if failed.disk_full => {
                self.crawler.handle(self.now, Event::Storage(Storage::Full { because: failed.what }));
                Ok(())
            }
            performed => performed,
        }
    }

    /// Pages fetched, as limits count them.
    pub fn pages(&self) -> u64 {
        self.crawler.pages()
    }

    /// Every URL with its state, by its identity.
    pub fn states(&self) -> Result<BTreeMap<KeyHash, UrlState>, FrontierError> {
        let mut states = BTreeMap::new();
        self.crawler.walk(|key, state| {
            let before = states.insert(key, state);
            assert!(before.is_none(), "a URL is in one state: {before:?}");
        })?;
        Ok(states)
    }

    /// What people would see.
    pub fn snapshot(&self) -> Snapshot {
        self.crawler.snapshot(self.now)
    }

    /// Tells the crawl to do something; [`Sim::answers`] has what came of it, in time.
    pub fn order(&mut self, command: Command) -> OrderId {
        let order = OrderId(self.orders);
        self.orders += 1;
        self.trace.note(self.now, "order", command.name());
        self.crawler.handle(self.now, Event::Ordered { order, command });
        order
    }

    /// Asks the crawl to stop.
    pub fn drain(&mut self) {
        self.crawler.handle(self.now, Event::Drain);
    }

    fn perform<W: Witness>(&mut self, action: Action, network: &mut Network<W>) -> Result<(), Failed> {
        let (now, times) = (self.now, self.setup.times);
        match action {
            Action::MoreSeeds => {
                let seeds = self.seeds.next().unwrap_or_default();
                network.gives(seeds.iter().map(Url::as_str), now);
                self.after(0, Event::Seeds(seeds))
            }
            // Names are known at once to whoever asks in time; what is asked ahead changes nothing.
            Action::AskAhead { .. } => Ok(()),
            Action::Resolve(job) => {
                self.trace.note(now, "resolve", &job.name);
                let resolved = network.resolve(&job, now);
                network.log.looks_up(now, now + times.lookup_ms);
                self.after(times.lookup_ms, Event::Resolved(resolved))
            }
            Action::Fetch(job) => {
                self.trace.note(now, "fetch", job.url.as_str());
                let fetched = network.fetch(&job, now);
                self.after(fetched.ended.since_ms(now), Event::Fetched(fetched))
            }
            Action::Commit(entries) => {
                let wall = WallTime::from_unix_ms(now.as_ms());
                let committed = self.archivist.give(move |archivist| archivist.commit(wall, &entries));
                self.begun(times.commit_ms, committed)
            }
            Action::MakeDurable { files, .. } => {
                let made = self.syncer.give(move |disk| {
                    disk.make_durable(&files)?;
                    Ok(vec![Event::MadeDurable])
                });
                self.begun(times.sync_ms, made)
            }
            Action::Checkpoint(checkpoint) => {
                let saved = self.archivist.give(move |archivist| archivist.checkpoint(&checkpoint));
                self.begun(times.commit_ms, saved)
            }
            Action::Expire { before } => {
                let expired = self.archivist.give(move |archivist| archivist.expire(before));
                self.begun(times.commit_ms, expired)
            }
            Action::Parse(job) => self.parse(job, network),
            Action::CloseRows => {
                let closed = self.archivist.give(Archivist::close_rows);
                self.begun(0, closed)
            }
            Action::Finish => {
                let finished = self.archivist.ask(Archivist::finish)?;
                self.saved = true;
                self.begun(0, Promise::Kept(Ok(finished)))
            }
            Action::Work(work) => {
                let worked = self.worker.give(move |()| Ok(vec![Event::Worked(Box::new(work.perform()))]));
                self.begun(times.work_ms, worked)
            }
            Action::Send(envelope) => {
                self.outgoing.push(envelope);
                Ok(())
            }
            Action::ReadJournal { from, bytes } => {
                self.journal_reads += 1;
                let read = self.archivist.give(move |archivist| archivist.read_journal(from, bytes));
                self.begun(times.commit_ms, read)
            }
            Action::Answer { order, answer } => {
                self.answers.push(Answered { order, answer, at: now });
                Ok(())
            }
            Action::Fail(error) => Err(error.into()),
            Action::Exit(exit) => {
                self.gave_up = exit == Exit::DiskFull && !self.saved;
                self.exit = Some(exit);
                Ok(())
            }
        }
    }

    fn parse<W: Witness>(&mut self, job: ParseJob, network: &Network<W>) -> Result<(), Failed> {
        let web = network.structure();
        let parsed = match (&web, &job.source) {
            (Some(web), Source::Held(capture)) if Structure::has_all_of(&job, capture) => {
                let (web, capture) = (web.clone(), capture.clone());
                self.parser.give(move |parser| Ok(vec![Event::Parsed(parser.page(&job, &capture, &web))]))
            }
            (_, Source::Held(capture)) if gives_no_row(&job, capture) => {
                let capture = capture.clone();
                self.parser.give(move |parser| Ok(vec![Event::Parsed(parser.links(&job, &capture)?)]))
            }
            _ => self.archivist.give(move |archivist| archivist.parse(&job, web.as_deref())),
        };
        self.begun(self.setup.times.parse_ms, parsed)
    }

    fn after(&mut self, ms: u64, event: Event) -> Result<(), Failed> {
        self.begun(ms, Promise::Kept(Ok(vec![event])))
    }

    fn begun(&mut self, ms: u64, coming: Coming) -> Result<(), Failed> {
        self.agenda.enter(self.now + ms, coming)
    }
}
