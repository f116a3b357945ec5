use crate::{Network, Setup, Site, Trace, Witness};
use archive::{Archive, Opened, Standing};
use corpus::{Closed, Writer};
use crawler::{
    Action, Checkpoint, Commitment, CrawlLog, Crawler, Event, Exit, FrontierError, Material, ParseJob,
    Parsed, RecoveryError, Source, Stop, Storage, UrlState, digest,
};
use disk::SharedDisk;
use snapshot::Snapshot;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::vec::IntoIter;
use stdx::{Timestamp, WallTime};
use weburl::{KeyHash, Url};

/// Seeds handed over at once.
const SEEDS_AT_ONCE: usize = 100;
/// Virtual time of a group commit, of a parse, of a look-up, of a shard's job.
const COMMIT_MS: u64 = 3;
const PARSE_MS: u64 = 1;
const LOOKUP_MS: u64 = 8;
const WORK_MS: u64 = 5;

/// A crawl that could not go on: its disk failed. What is on the disk is what a crash at this moment leaves.
#[derive(Debug)]
pub struct Failed {
    /// What the disk said.
    pub what: String,
    /// Whether that was for lack of room: then a crawl that runs ends in good order.
    pub disk_full: bool,
}

/// One run of a simulated crawl, from start or restart to exit or crash.
pub struct Sim {
    /// The machine.
    pub crawler: Crawler,
    archive: Archive,
    writer: Writer,
    log: CrawlLog,
    setup: Setup,
    seeds: IntoIter<Vec<Url>>,
    agenda: BTreeMap<(Timestamp, u64), Event>,
    order: u64,
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
}

impl Sim {
    /// Opens a crawl on `disk` at `now`, going on where an earlier run stopped.
    pub fn open(site: &Site, setup: &Setup, disk: &SharedDisk, now: Timestamp) -> Result<Self, Failed> {
        let wall = WallTime::from_unix_ms(now.as_ms());
        let Opened { archive, recovered } = Archive::open(disk.clone(), setup.archive.clone(), wall)?;
        let state = recovered.checkpoint.as_ref().map(|checkpoint| checkpoint.state.as_slice());
        let entries = recovered.replay.map(|entry| entry.map_err(Failed::from));
        let mut crawler = Crawler::recover::<Failed>(setup.crawl.clone(), disk.clone(), state, entries)?;
        let (writer, held) = Writer::open(disk.clone(), Path::new("corpus"), setup.corpus)?;
        let stop = if recovered.clean { Stop::Clean } else { Stop::Unclean };
        let now = crawler.latest().max(now);
        let ledger = archive::ledger(disk.clone())?.map(|entry| entry.map_err(Failed::from));
        crawler.resume(stop, now, |capture| held.captures.contains(capture.0), ledger)?;
        let log = open_log(disk)?;
        let seeds: Vec<Vec<Url>> = site.seeds.chunks(SEEDS_AT_ONCE).map(<[Url]>::to_vec).collect();
        Ok(Self {
            crawler,
            archive,
            writer,
            log,
            setup: setup.clone(),
            seeds: seeds.into_iter(),
            agenda: BTreeMap::new(),
            order: 0,
            now,
            saved: false,
            gave_up: false,
            exit: None,
            trace: Trace::default(),
        })
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
            self.wait_until(next);
        }
        Ok(())
    }

    /// Performs what is to be done now, then steps to whatever comes next.
    pub fn step<W: Witness>(&mut self, network: &mut Network<W>) -> Result<(), Failed> {
        self.act(network)?;
        if self.exit.is_none() {
            let next = self.next_moment();
            network.log.waits(self.now, next);
            self.wait_until(next);
        }
        Ok(())
    }

    fn act<W: Witness>(&mut self, network: &mut Network<W>) -> Result<(), Failed> {
        while let Some(action) = self.crawler.poll(self.now) {
            match self.perform(action, network) {
                Err(failed) if failed.disk_full => {
                    self.crawler.handle(self.now, Event::Storage(Storage::Full));
                }
                performed => performed?,
            }
            if self.exit.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn next_moment(&self) -> Timestamp {
        let deadline = self.crawler.next_deadline(self.now);
        let event = self.agenda.first_key_value().map(|(&(at, _), _)| at);
        let next =
            [deadline, event].into_iter().flatten().min().expect("a crawl that runs waits for something");
        assert!(next > self.now || event == Some(self.now), "the machine asks to be polled and does nothing");
        self.now.max(next)
    }

    fn wait_until(&mut self, moment: Timestamp) {
        self.now = moment;
        while let Some(entry) = self.agenda.first_entry() {
            if entry.key().0 > self.now {
                break;
            }
            let event = entry.remove();
            self.crawler.handle(self.now, event);
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

    /// Asks the crawl to stop.
    pub fn drain(&mut self) {
        self.crawler.handle(self.now, Event::Drain);
    }

    fn perform<W: Witness>(&mut self, action: Action, network: &mut Network<W>) -> Result<(), Failed> {
        match action {
            Action::MoreSeeds => {
                let seeds = self.seeds.next().unwrap_or_default();
                network.gives(seeds.iter().map(Url::as_str), self.now);
                self.after(0, Event::Seeds(seeds));
            }
            Action::Resolve(job) => {
                self.trace.note(self.now, "resolve", &job.name);
                let resolved = network.resolve(&job, self.now);
                network.log.looks_up(self.now, self.now + LOOKUP_MS);
                self.after(LOOKUP_MS, Event::Resolved(resolved));
            }
            Action::Fetch(job) => {
                self.trace.note(self.now, "fetch", job.url.as_str());
                let fetched = network.fetch(&job, self.now);
                self.after(fetched.ended.since_ms(self.now), Event::Fetched(fetched));
            }
            Action::Commit(entries) => self.commit(&entries)?,
            Action::Checkpoint(checkpoint) => {
                let standing = if checkpoint.clean { Standing::Clean } else { Standing::Running };
                let Checkpoint { covers, state, sync, .. } = checkpoint;
                self.archive.checkpoint(covers, standing, &state, &sync)?;
                self.after(COMMIT_MS, Event::Checkpointed);
            }
            Action::Expire { before } => {
                self.archive.expire_before(before)?;
            }
            Action::Parse(job) => self.parse(&job, network)?,
            Action::CloseRows => {
                let closed = self.writer.close()?;
                self.closed(closed);
                self.after(0, Event::RowsDone);
            }
            Action::Finish => {
                self.archive.finish()?;
                self.log.sync()?;
                self.saved = true;
                self.after(0, Event::Finished);
            }
            Action::Work(work) => {
                let worked = work.perform();
                self.after(WORK_MS, Event::Worked(Box::new(worked)));
            }
            Action::Fail(error) => return Err(error.into()),
            Action::Exit(exit) => {
                self.gave_up = exit == Exit::DiskFull && !self.saved;
                self.exit = Some(exit);
            }
        }
        Ok(())
    }

    fn commit(&mut self, entries: &[archive::Entry]) -> Result<(), Failed> {
        let wall = WallTime::from_unix_ms(self.now.as_ms());
        let committed = self.archive.commit(wall, entries)?;
        let records = entries.iter().map(|entry| entry.record.as_slice());
        self.log.append(committed.first_seq, records)?;
        let journal_bytes = entries.iter().map(|entry| entry.record.len() as u64).sum();
        let archive::Committed { first_seq, locations } = committed;
        self.after(COMMIT_MS, Event::Committed(Commitment { first_seq, locations, journal_bytes }));
        Ok(())
    }

    fn parse<W: Witness>(&mut self, job: &ParseJob, network: &mut Network<W>) -> Result<(), Failed> {
        let Some(file) = self.archive.file_name(job.location.serial).map(str::to_owned) else {
            self.after(PARSE_MS, Event::Parsed(Parsed::nothing(job.capture)));
            return Ok(());
        };
        let capture = match &job.source {
            Source::Held(capture) => capture.as_ref().clone(),
            Source::Stored => self.archive.read(job.location)?.capture,
        };
        let by_structure = network.structural_digest(job, &capture, &self.setup.crawl.rules);
        let by_bytes = || {
            let material = Material::of(&capture, self.archive.record_id(job.location), file);
            digest(job, &material, &self.setup.crawl)
        };
        let digested = by_structure.map_or_else(by_bytes, Ok)?;
        if let Some(row) = digested.row {
            let closed = self.writer.push(row)?;
            self.closed(closed);
        }
        network.gives(digested.parsed.links.iter().map(|link| link.url.as_str()), self.now + PARSE_MS);
        self.after(PARSE_MS, Event::Parsed(digested.parsed));
        Ok(())
    }

    fn closed(&mut self, closed: Option<Closed>) {
        if let Some(closed) = closed {
            let spans = closed.captures.spans().map(|span| (*span.start(), *span.end())).collect();
            self.after(0, Event::RowsClosed(spans));
        }
    }

    fn after(&mut self, ms: u64, event: Event) {
        self.order += 1;
        self.agenda.insert((self.now + ms, self.order), event);
    }
}

fn open_log(disk: &SharedDisk) -> Result<CrawlLog, Failed> {
    let mut log = CrawlLog::open(disk.as_ref(), Path::new("crawl.log"))?;
    for entry in archive::ledger_from(disk.clone(), log.next_seq())? {
        let entry = entry?;
        log.append(entry.seq, [entry.record.as_slice()])?;
    }
    Ok(log)
}

impl From<archive::Error> for Failed {
    fn from(error: archive::Error) -> Self {
        Self { disk_full: error.is_disk_full(), what: error.to_string() }
    }
}

impl From<corpus::Error> for Failed {
    fn from(error: corpus::Error) -> Self {
        Self { disk_full: error.is_disk_full(), what: error.to_string() }
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self { disk_full: error.kind() == io::ErrorKind::StorageFull, what: error.to_string() }
    }
}

impl From<FrontierError> for Failed {
    fn from(error: FrontierError) -> Self {
        Self { disk_full: error.is_disk_full(), what: error.to_string() }
    }
}

impl From<RecoveryError> for Failed {
    fn from(error: RecoveryError) -> Self {
        match error {
            RecoveryError::Frontier(error) => error.into(),
            other => Self { what: other.to_string(), disk_full: false },
        }
    }
}
