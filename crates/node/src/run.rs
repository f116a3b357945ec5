use crate::NodeError;
use crate::archivist::Archivist;
use crate::control::{Control, Controls};
use crate::corpus_writer::{Corpus, CorpusWriter};
use crate::executor::{Executor, Message, Report};
use crate::fetch_core::FetchCore;
use crate::gauge::Gauge;
use crate::limits::{
    CLOCK_BEHIND_MS, CONTROLS_AT_ONCE, EVENTS_AT_ONCE, ROWS_WAITING, SPARE_EVENTS, WAITING_LISTED,
    WATCH_EVERY, WORKERS,
};
use crate::lookback::Lookback;
use crate::meters::Meters;
use crate::pace::Pace;
use crate::parser::Parser;
use crate::rows::Rows;
use crate::space::Space;
use crate::syncer::Syncer;
use crate::vigil::Vigil;
use crate::watched::Watched;
use crate::witness::Witnessed;
use crate::worker::Worker;
use archive::{Archive, ArchiveConfig, Intake, Opened, ReplayEntry, Spool};
use corpus::{CorpusLimits, Held};
use crawler::limits::LOG_FILE_BYTES;
use crawler::{Action, CrawlConfig, CrawlLog, Crawler, Event, Exit, Room, Stop, SuspectTemplate};
use crossbeam_channel::{Receiver, bounded, select};
use disk::SharedDisk;
use fetch::{Clock, FetchConfig, Handshakes};
use snapshot::{Snapshot, WaitingHost};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stdx::{Credit, Step, Timestamp, WallTime, Watch};
use weburl::Url;

#[cfg(test)]
mod tests;

/// What a node is told; the program has validated it.
#[derive(Debug, Clone)]
pub struct NodeConfig {
    /// For the machine.
    pub crawl: CrawlConfig,
    /// For the network side; the node sets its clock and its intake.
    pub fetch: FetchConfig,
    /// For the archive.
    pub archive: ArchiveConfig,
    /// What is asked for only if it has changed.
    pub lookback: Lookback,
    /// For the corpus.
    pub corpus: CorpusLimits,
    /// Event loops.
    pub fetch_cores: usize,
    /// Parse threads.
    pub parsers: usize,
    /// Memory for bodies under way and for those that wait for the disk or a parser; what has no room goes to disk.
    pub body_bytes: u64,
    /// The longest body that stays in memory.
    pub held_body_bytes: usize,
    /// Fetching pauses when the disk has less than this.
    pub low_disk_bytes: u64,
    /// Who sees what goes by.
    pub witnessed: Witnessed,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Why.
    pub exit: Exit,
    /// The crawl at its end.
    pub snapshot: Snapshot,
    /// Hosts that wait, soonest first.
    pub waiting: Vec<WaitingHost>,
}

/// A crawl that does not run.
#[derive(Debug, Clone)]
pub struct Survey {
    /// As it was left.
    pub snapshot: Snapshot,
    /// Hosts that wait, soonest first.
    pub waiting: Vec<WaitingHost>,
    /// Patterns of URLs that traps have held back: of each shard those with the most.
    pub suspects: Vec<SuspectTemplate>,
}

/// What whoever watches a run is shown.
#[derive(Debug)]
pub enum Sight<'a> {
    /// Before the crawl, and at its end: how far the work is that holds it up.
    Working(Step),
    /// The crawl, about five times a second.
    Crawling(&'a Snapshot),
    /// The crawl, changed by a command that is answered next.
    Commanded(&'a Snapshot),
}

/// When the files of the corpus are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// At the start: one that can't be read is told before anything is done.
    AtOnce,
    /// Where rows are lacking, or once there is one.
    WhenNeeded,
}

/// Runs a crawl on `disk` until it ends; goes on where an earlier run stopped, however it stopped. Errors leave everything that was
/// committed in place.
pub fn run(
    config: &NodeConfig,
    disk: SharedDisk,
    seeds: Box<dyn Iterator<Item = Vec<Url>>>,
    control: &Receiver<Control>,
    watch: &mut dyn FnMut(Sight<'_>),
) -> Result<Ended, NodeError> {
    run_opening(Opening::AtOnce, config, disk, seeds, control, watch)
}

pub(crate) fn run_opening(
    corpus_is_opened: Opening,
    config: &NodeConfig,
    disk: SharedDisk,
    seeds: Box<dyn Iterator<Item = Vec<Url>>>,
    control: &Receiver<Control>,
    watch: &mut dyn FnMut(Sight<'_>),
) -> Result<Ended, NodeError> {
    let mut working = |step: Step| watch(Sight::Working(step));
    let recovered = recover(config, &disk, wall_clock(), &mut working)?;
    let Recovered { mut crawler, nursery, archive, stop } = recovered;
    // From now on: recovery takes its time, and what this clock lost by it the delays after the next restart would lack.
    let wall = wall_clock();
    let (latest, today) = (crawler.latest(), Timestamp::from_ms(wall.unix_ms()));
    let clock = Clock::starting_at(latest.max(today), wall);
    let mut corpus = Corpus::new(disk.clone(), config.corpus);
    let is_needed = corpus_is_opened == Opening::AtOnce || crawler.lacks_rows();
    let held = if is_needed { corpus.open()? } else { Held::default() };
    crawler.resume(stop, clock.now(), |capture| held.captures.contains(capture.0))?;
    if today + CLOCK_BEHIND_MS < latest {
        crawler.distrust_rules(clock.now());
    }
    drop(held);
    let log = open_log(&disk, &mut working)?;
    let credit = Credit::new(config.body_bytes);
    let spool = Spool::open(disk.clone()).map_err(NodeError::system("opening the spool"))?;
    let intake = Intake::new(credit.clone(), spool, config.held_body_bytes);
    let meters = Meters { credit: credit.clone(), handshakes: Handshakes::default() };
    let earlier = config.lookback.open(&disk)?;
    let (space, gauge) = (Space::new(disk, config.low_disk_bytes), Gauge::new(credit));
    let handshakes = meters.handshakes.clone();
    let fetch = FetchConfig { clock, intake, handshakes, earlier, ..config.fetch.clone() };
    let threads = start(config, &fetch, nursery, archive, corpus, log)?;
    let (messages, controls) = (threads.messages, Controls::new(control.clone()));
    let ended =
        Loop { crawler, clock, space, gauge, meters, seeds, messages, controls, pace: Pace::new(), watch }
            .run(&threads.executor);
    // Without the executor those who write to the disk come to their end; the others hold nothing durable.
    drop(threads.executor);
    threads.owners.into_iter().for_each(|thread| drop(thread.join()));
    ended
}

/// What a crawl that does not run looks like, from its checkpoint and its journal. Writes as [`revive`] does.
pub fn survey(config: &NodeConfig, disk: &SharedDisk, watch: &mut Watch<'_>) -> Result<Survey, NodeError> {
    let wall = wall_clock();
    let crawler = recover(config, disk, wall, watch)?.crawler;
    let now = crawler.latest().max(Timestamp::from_ms(wall.unix_ms()));
    let suspects = crawler.suspect_templates().cloned().collect();
    let waiting = crawler.waiting(WAITING_LISTED, now);
    Ok(Survey { snapshot: crawler.survey(now), waiting, suspects })
}

/// A crawl that does not run, from its checkpoint and its journal, to be asked. It is recovered as for a
/// run, and that writes: on a [`disk::Overlay`] nothing is left of it.
pub fn revive(config: &NodeConfig, disk: &SharedDisk, watch: &mut Watch<'_>) -> Result<Crawler, NodeError> {
    Ok(recover(config, disk, wall_clock(), watch)?.crawler)
}

struct Recovered {
    crawler: Crawler,
    /// The disk as the crawler sees it.
    nursery: SharedDisk,
    archive: Archive,
    stop: Stop,
}

fn recover(
    config: &NodeConfig,
    disk: &SharedDisk,
    wall: WallTime,
    watch: &mut Watch<'_>,
) -> Result<Recovered, NodeError> {
    let disk = config.crawl.nursery(disk.clone());
    let opened = Archive::open_watched(disk.clone(), config.archive.clone(), wall, watch)?;
    let Opened { archive, recovered } = opened;
    let checkpoint = recovered.checkpoint.as_ref().map(|checkpoint| checkpoint.state.as_slice());
    // Opening the checkpoint and reading the journal behind it are told to the same one.
    let watch = RefCell::new(watch);
    let mut read = |step| (*watch.borrow_mut())(step);
    let entries = Watched::over("replaying the journal", recovered.replay, &mut read)?;
    let mut opened = |step| (*watch.borrow_mut())(step);
    let nursery = disk.clone();
    let crawler = Crawler::recover_watched(config.crawl.clone(), disk, checkpoint, entries, &mut opened)?;
    let stop = if recovered.clean { Stop::Clean } else { Stop::Unclean };
    Ok(Recovered { crawler, nursery, archive, stop })
}

/// Opens the crawl log and writes what a crash kept from it.
fn open_log(disk: &SharedDisk, watch: &mut Watch<'_>) -> Result<CrawlLog, NodeError> {
    let failed = "writing crawl.log";
    let log = CrawlLog::open(disk.clone(), Path::new("crawl.log"), LOG_FILE_BYTES);
    let mut log = log.map_err(NodeError::system(failed))?;
    let missing = archive::ledger_from(disk.clone(), log.next_seq())?;
    for entry in Watched::over("completing crawl.log", missing, watch)? {
        let ReplayEntry { seq, record, .. } = entry?;
        log.append(seq, [record.as_slice()]).map_err(NodeError::system(failed))?;
    }
    Ok(log)
}

struct Threads {
    executor: Executor,
    messages: Receiver<Message>,
    owners: Vec<JoinHandle<()>>,
}

fn start(
    config: &NodeConfig,
    fetch: &FetchConfig,
    nursery: SharedDisk,
    archive: Archive,
    corpus: Corpus,
    log: CrawlLog,
) -> Result<Threads, NodeError> {
    let (room, parses) = (config.crawl.concurrency, config.crawl.parses);
    let (sender, messages) = bounded(room + parses + WORKERS + SPARE_EVENTS);
    let report = Report::new(sender);
    let (corpus_commands, row_inbox) = bounded(ROWS_WAITING);
    let rows = Rows::new(corpus_commands);
    let (parsers, parser_inbox) = bounded(parses);
    let (archive_commands, archive_inbox) = bounded(parses + SPARE_EVENTS);
    for _ in 0..config.parsers {
        let parser = Parser {
            config: config.crawl.clone(),
            rows: rows.clone(),
            witnessed: config.witnessed.clone(),
            report: report.clone(),
            room: Room::default(),
            digest: crawler::digest,
        };
        let tasks = parser_inbox.clone();
        Vigil::over("parse", &report).spawn(move || parser.serve(&tasks))?;
    }
    // One checkpoint is written at a time.
    let ((workers, work_inbox), (syncs, sync_inbox)) = (bounded(WORKERS), bounded(1));
    let archivist = Archivist {
        archive,
        log,
        clock: fetch.clock,
        committed: None,
        parsers,
        witnessed: config.witnessed.clone(),
        report: report.clone(),
    };
    let corpus = CorpusWriter { corpus, report: report.clone() };
    let syncer = Syncer { disk: nursery, report: report.clone() };
    let mut owners = vec![
        Vigil::over("archive", &report).spawn(move || archivist.serve(&archive_inbox))?,
        Vigil::over("corpus", &report).spawn(move || corpus.serve(&row_inbox))?,
        Vigil::over("sync", &report).spawn(move || syncer.serve(&sync_inbox))?,
    ];
    for _ in 0..WORKERS {
        let (worker, tasks) = (Worker { report: report.clone() }, work_inbox.clone());
        owners.push(Vigil::over("work", &report).spawn(move || worker.serve(&tasks))?);
    }
    let core = |_| FetchCore::start(fetch.clone(), room, report.clone());
    let cores = (0..config.fetch_cores).map(core).collect::<Result<Vec<_>, _>>()?;
    let executor = Executor { cores, archive: archive_commands, rows, workers, syncs };
    Ok(Threads { executor, messages, owners })
}

struct Loop<'a> {
    crawler: Crawler,
    clock: Clock,
    space: Space,
    gauge: Gauge,
    meters: Meters,
    seeds: Box<dyn Iterator<Item = Vec<Url>>>,
    messages: Receiver<Message>,
    controls: Controls,
    pace: Pace,
    watch: &'a mut dyn FnMut(Sight<'_>),
}

impl Loop<'_> {
    fn run(mut self, executor: &Executor) -> Result<Ended, NodeError> {
        // What was said before the start holds from the start.
        while let Ok(control) = self.controls.inbox.try_recv() {
            self.obey(Some(control));
        }
        let mut watched: Option<Instant> = None;
        loop {
            let now = instant();
            if let Some(storage) = self.space.look(now)? {
                self.crawler.handle(self.clock.now(), Event::Storage(storage));
            }
            if let Some(memory) = self.gauge.look() {
                self.crawler.handle(self.clock.now(), Event::Memory(memory));
            }
            while let Some(action) = self.poll() {
                let Some(action) = self.do_here(action) else { continue };
                if let ControlFlow::Break(exit) = executor.perform(action)? {
                    return Ok(self.ended(exit));
                }
            }
            // What can be begun has been: what is free now stays so until something happens, and the look tells why.
            if watched.is_none_or(|at| now.duration_since(at) >= WATCH_EVERY) {
                watched = Some(now);
                let snapshot = self.snapshot();
                (self.watch)(Sight::Crawling(&snapshot));
            }
            self.listen()?;
        }
    }

    fn poll(&mut self) -> Option<Action> {
        let Self { crawler, clock, watch, .. } = self;
        crawler.poll_watched(clock.now(), &mut |step| watch(Sight::Working(step)))
    }

    /// Does what nobody else is needed for; any other action is the executor's. What comes of it is no message: who empties that
    /// channel must never wait for room in it.
    fn do_here(&mut self, action: Action) -> Option<Action> {
        match action {
            Action::MoreSeeds => {
                let seeds = self.seeds.next().unwrap_or_default();
                self.handle(Event::Seeds(seeds));
            }
            Action::Answer { order, answer } => {
                let snapshot = self.snapshot();
                (self.watch)(Sight::Commanded(&snapshot));
                self.controls.answer(order, answer);
            }
            other => return Some(other),
        }
        None
    }

    /// Waits for the next event, the next deadline or the next look, and handles what came.
    fn listen(&mut self) -> Result<(), NodeError> {
        self.pace.gather(self.messages.is_empty());
        select! {
            recv(self.messages) -> message => {
                self.hear(message.map_err(|_| NodeError::ThreadLost("archive"))?)?;
            }
            recv(self.controls.inbox) -> control => self.obey(control.ok()),
            default(self.patience()) => return Ok(()),
        }
        for _ in 0..CONTROLS_AT_ONCE {
            let Ok(control) = self.controls.inbox.try_recv() else { break };
            self.obey(Some(control));
        }
        for _ in 1..EVENTS_AT_ONCE {
            let Ok(message) = self.messages.try_recv() else { break };
            self.hear(message)?;
        }
        Ok(())
    }

    fn obey(&mut self, control: Option<Control>) {
        let now = self.clock.now();
        match control {
            Some(Control::Drain) => self.crawler.handle(now, Event::Drain),
            Some(Control::Command { command, reply }) => {
                let event = self.controls.ordered(command, reply);
                self.crawler.handle(now, event);
            }
            Some(Control::Purged { through }) => self.crawler.handle(now, Event::Purged { through }),
            Some(Control::Look(look)) => look(&self.crawler, now),
            None => self.controls.are_over(),
        }
    }

    fn hear(&mut self, message: Message) -> Result<(), NodeError> {
        match message {
            Message::Event(event) => self.handle(event),
            Message::Working(step) => (self.watch)(Sight::Working(step)),
            Message::Failed(error) => return Err(error),
        }
        Ok(())
    }

    fn handle(&mut self, event: Event) {
        let Self { crawler, clock, watch, .. } = self;
        crawler.handle_watched(clock.now(), event, &mut |step| watch(Sight::Working(step)));
    }

    fn patience(&self) -> Duration {
        let now = self.clock.now();
        let deadline = self.crawler.next_deadline(now);
        deadline.map_or(WATCH_EVERY, |at| Duration::from_millis(at.since_ms(now)).min(WATCH_EVERY))
    }

    fn snapshot(&self) -> Snapshot {
        self.meters.complete(self.crawler.snapshot(self.clock.now()))
    }

    fn ended(self, exit: Exit) -> Ended {
        let snapshot = self.snapshot();
        (self.watch)(Sight::Crawling(&snapshot));
        Ended { exit, snapshot, waiting: self.crawler.waiting(WAITING_LISTED, self.clock.now()) }
    }
}

#[expect(clippy::disallowed_methods, reason = "the node owns the real clock")]
fn wall_clock() -> WallTime {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    WallTime::from_unix_ms(since_epoch.as_millis() as u64)
}

#[expect(clippy::disallowed_methods, reason = "the node owns the real clock")]
pub(crate) fn instant() -> Instant {
    Instant::now()
}
