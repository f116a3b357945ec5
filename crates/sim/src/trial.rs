mod lookback;
mod purge;
mod visit;

pub use purge::Purge;

use crate::checks::{
    Captured, Delays, HeldAtStart, archived_once, attempts_logged, audited, captures, complete, fates,
    index_complete, never_again, politeness, requested_once, robots_known, robots_obeyed, rows, rows_exact,
    warcs_sound,
};
use crate::log::Before;
use crate::{Failed, Network, Operator, Setup, Sim, Site, Trace};
use archive::Archive;
use corpus::Row;
use crawler::Exit;
use disk::{CrashMode, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk};
use simweb::{Plan, Scope, Truth};
use std::sync::Arc;
use stdx::{Rng, Timestamp, WallTime};
use weburl::{KeyHash, Url};

/// One run of a crawl on trial: how it dies, unless it comes to its exit before, and how long it is gone.
#[derive(Debug, Clone, Copy)]
pub struct Life {
    /// When it dies.
    pub until: Until,
    /// What its death takes along.
    pub loss: Loss,
    /// From its death to the next start.
    pub downtime_ms: u64,
}

impl Life {
    /// Without a death.
    pub const UNSCATHED: Self = Self { until: Until::Ms(LONGEST_MS), loss: Loss::Kill, downtime_ms: 0 };

    /// Drawn by chance: it lasts `ms` at most, or `calls` to the disk, and is followed by `downtime_ms` at most.
    pub fn random(rng: &mut Rng, ms: u64, calls: u64, downtime_ms: u64) -> Self {
        const FAULTS: [Fault; 3] = [Fault::Io, Fault::TornWrite, Fault::Full];
        let until = match rng.below(2) {
            0 => Until::Ms(1 + rng.below(ms)),
            _ => Until::Call(rng.below(calls), FAULTS[rng.below(3) as usize]),
        };
        let loss = match rng.below(5) {
            4 => Loss::Kill,
            mode => Loss::Power(CrashMode::ALL[mode as usize]),
        };
        Self { until, loss, downtime_ms: 10 + rng.below(downtime_ms) }
    }
}

/// When a run dies.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    /// This long after its start.
    Ms(u64),
    /// At this call to the disk, counted from its start, by this fault; a full disk ends it in better order.
    Call(u64, Fault),
}

/// What a death takes along.
#[derive(Debug, Clone, Copy)]
pub enum Loss {
    /// Nothing that was written: the process was killed.
    Kill,
    /// What was not synced: the power failed.
    Power(CrashMode),
}

/// A crawl that dies and is started again, on one web, one network and one disk, until it is done; and is judged then.
pub struct Trial<'a> {
    site: &'a Site,
    setup: Setup,
    /// The servers, which outlive every crash.
    pub network: Network,
    disk: MemDisk,
    now: Timestamp,
    after: Before,
    rng: Rng,
    held: Vec<HeldAtStart>,
    last: Option<Sim>,
    /// Deaths so far.
    pub deaths: u32,
    /// Of all runs so far.
    pub trace: Trace,
    /// Calls to the disk in the last life.
    pub calls: u64,
    /// Whether one of them failed.
    pub struck: bool,
    /// What could not even be judged.
    broken: Vec<String>,
    /// The disk of the crawl that this one looks back on.
    earlier: Option<SharedDisk>,
    operator: Option<Operator>,
    delays: Delays,
}

/// Virtual time begins here.
pub const START: Timestamp = Timestamp::from_ms(1_700_000_000_000);

/// A crawl that has not come to its end after so long in virtual time never will.
const LONGEST_MS: u64 = 40 * 24 * 3_600_000;

/// A crawl that stands still goes on for ever, or till here.
pub(crate) fn assert_ends(now: Timestamp) {
    assert!(now.since_ms(START) < LONGEST_MS, "the crawl comes to no end");
}

/// A life of a crawl that somebody speaks to: who says "retry" again and again never lets it come to its end.
const LONGEST_SPOKEN_TO_MS: u64 = 1_800_000;

/// A crawl that cannot be opened this often in a row, on a disk without faults, never will be.
const OPEN_ATTEMPTS: u32 = 3;

impl<'a> Trial<'a> {
    /// A crawl that has not begun, on an empty disk.
    pub fn new(site: &'a Site, setup: Setup, network: Network, seed: u64) -> Self {
        Self {
            site,
            setup,
            network,
            disk: MemDisk::new(),
            now: START,
            after: Before::Calm,
            rng: Rng::new(seed),
            held: Vec::new(),
            last: None,
            deaths: 0,
            trace: Trace::default(),
            calls: 0,
            struck: false,
            broken: Vec::new(),
            earlier: None,
            operator: None,
            delays: Delays::DEFAULT,
        }
    }

    /// Other delays were promised than the program's own.
    #[must_use]
    pub fn promising(self, delays: Delays) -> Self {
        Self { delays, ..self }
    }

    /// Somebody speaks to it while it lives; what restrains it is taken back before it lives on to its exit.
    #[must_use]
    pub fn spoken_to(self, operator: Operator) -> Self {
        Self { operator: Some(operator), ..self }
    }

    /// Who speaks to it.
    pub fn operator(&self) -> Option<&Operator> {
        self.operator.as_ref()
    }

    /// A life drawn by chance: `ms` is how long it lives at most, and `calls` to how many calls.
    pub fn random_life(&mut self, ms: u64, calls: u64) -> Life {
        Life::random(&mut self.rng, ms, calls, 5_000)
    }

    /// Lives one life; gives how it ended if it came to an exit of its own.
    pub fn live(&mut self, life: &Life) -> Option<Exit> {
        let disk = self.failing(life);
        let opened = Sim::open(self.site, &self.setup, &self.whole(Arc::new(disk.clone())), self.now);
        let Ok(mut sim) = opened else {
            self.note(&disk);
            self.die(&disk, life);
            return None;
        };
        self.begin(&sim);
        let end = match life.until {
            Until::Ms(ms) => sim.now + ms,
            Until::Call(..) if self.operator.is_some() => sim.now + LONGEST_SPOKEN_TO_MS,
            Until::Call(..) => Timestamp::NEVER,
        };
        let ran = self.run_until(&mut sim, end);
        self.trace.follow(sim.trace);
        self.note(&disk);
        self.now = sim.now;
        self.network.end(self.now);
        let exit = sim.exit.filter(|_| ran.is_ok() && !sim.gave_up);
        if exit.is_none() {
            self.die(&disk, life);
        } else {
            // What judges read of it is no part of the life.
            disk.set_plan(None);
            self.after = Before::Calm;
            self.last = Some(sim);
        }
        exit
    }

    /// The disk, for one life.
    fn failing(&self, life: &Life) -> FaultyDisk {
        let disk = FaultyDisk::counting(self.disk.clone());
        disk.set_plan(match life.until {
            Until::Ms(_) => None,
            Until::Call(call, fault) => Some(FaultPlan { call, fault, lasts: Lasts::Once }),
        });
        disk
    }

    fn note(&mut self, disk: &FaultyDisk) {
        (self.calls, self.struck) = (disk.calls(), disk.failures() > 0);
    }

    /// Lives on without faults to an exit.
    pub fn finish(&mut self) -> Exit {
        self.finish_with(|_| {})
    }

    /// Lives on without faults to an exit; `watch` is called at every step.
    pub fn finish_with(&mut self, mut watch: impl FnMut(&mut Sim)) -> Exit {
        let mut sim = self.open();
        self.begin(&sim);
        if let Some(operator) = &mut self.operator {
            operator.relent(&mut sim);
        }
        while sim.exit.is_none() {
            watch(&mut sim);
            assert_ends(sim.now);
            sim.step(&mut self.network).expect("a disk without faults");
        }
        self.listen(&mut sim);
        sim.crawler.check_invariants();
        self.trace.follow(sim.trace);
        self.now = sim.now;
        self.network.end(self.now);
        self.after = if sim.gave_up { Before::Crash } else { Before::Calm };
        let exit = sim.exit.expect("it has ended");
        self.last = Some(sim);
        exit
    }

    /// The crawl is gone for so long.
    pub fn rest(&mut self, ms: u64) {
        self.now = self.now + ms;
    }

    /// Its web, and where it begins.
    pub fn site(&self) -> &'a Site {
        self.site
    }

    /// What it is told.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Tells the next run something else.
    pub fn set_up(&mut self, change: impl FnOnce(&mut Setup)) {
        change(&mut self.setup);
    }

    /// Changes how much the disk holds.
    pub fn set_capacity(&self, bytes: u64) {
        self.disk.set_capacity(bytes);
    }

    /// The disk as it is now.
    pub fn disk(&self) -> SharedDisk {
        self.whole(Arc::new(self.disk.clone()))
    }

    /// The last run, after its exit.
    pub fn last(&self) -> &Sim {
        self.last.as_ref().expect("a run that came to its exit")
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// What a perfect crawl of this site would hold.
    pub fn truth(&self) -> Truth {
        let seeds: Vec<String> = self.site.seeds.iter().map(ToString::to_string).collect();
        self.site.web.truth(&Plan { seeds: &seeds, scope: Scope::Any, depth: self.setup.crawl.depth })
    }

    /// All judges that judge any crawl, done or not.
    pub fn judge(&self) -> Vec<String> {
        let (web, log) = (self.site.web.as_ref(), &self.network.log);
        let crawl_delay = |host: &str| web.host(host).map_or(0, |host| web.crawl_delay_ms(host));
        let mut wrong = self.broken.clone();
        wrong.extend(politeness(log, self.delays, crawl_delay));
        wrong.extend(audited(|| archive::ledger(self.disk())));
        wrong.extend(robots_obeyed(log, web));
        wrong.extend(robots_known(log));
        wrong.extend(requested_once(log, web));
        wrong.extend(never_again(&self.held, log, web));
        wrong.extend(attempts_logged(&self.disk(), log));
        match captures(&self.disk()) {
            Ok(captures) => wrong.extend(archived_once(&captures, web)),
            Err(error) => wrong.push(error),
        }
        wrong
    }

    /// All judges of a crawl that is done, on what a power loss after its exit leaves.
    pub fn judge_done(&mut self) -> Vec<String> {
        self.disk = self.disk.crash(CrashMode::LoseUnsynced, &mut self.rng);
        let (disk, web, truth) = (self.disk(), self.site.web.clone(), self.truth());
        let mut wrong = self.judge();
        wrong.extend(warcs_sound(&disk));
        match self.last().states() {
            Ok(states) => wrong.extend(fates(&truth, |url| states.get(&self.key(url)?))),
            Err(error) => wrong.push(error.to_string()),
        }
        let captures = captures(&disk).unwrap_or_default();
        wrong.extend(complete(&captures, &web, &truth));
        wrong.extend(index_complete(&disk, &captures));
        if self.network.has_bodies() {
            wrong.extend(self.judge_rows(&captures, &truth));
        }
        wrong
    }

    /// All judges of a crawl that is done and of which parts have been purged: what it holds fits together.
    pub fn judge_purged(&mut self) -> Vec<String> {
        self.disk = self.disk.crash(CrashMode::LoseUnsynced, &mut self.rng);
        let (disk, truth) = (self.disk(), self.truth());
        let captures = captures(&disk).unwrap_or_default();
        let mut wrong = self.judge();
        wrong.extend(warcs_sound(&disk));
        wrong.extend(index_complete(&disk, &captures));
        if self.network.has_bodies() {
            let exact = |rows: Vec<Row>| rows_exact(&rows, &captures, &self.site.web, &truth);
            wrong.extend(rows(&disk).map_or_else(|error| vec![error], exact));
        }
        wrong
    }

    fn judge_rows(&self, captures: &[Captured], truth: &Truth) -> Vec<String> {
        let rows = match rows(&self.disk()) {
            Ok(rows) => rows,
            Err(error) => return vec![error],
        };
        let mut wrong = rows_exact(&rows, captures, &self.site.web, truth);
        let told = self.last().snapshot().rows;
        if told != rows.len() as u64 {
            wrong.push(format!("{told} rows are told of, {} are there", rows.len()));
        }
        wrong
    }

    /// A URL's identity in this crawl.
    pub fn key(&self, url: &str) -> Option<KeyHash> {
        Some(self.setup.crawl.rules.key(&Url::parse(url).ok()?))
    }

    /// Runs to the exit or to this moment, and is spoken to on the way.
    fn run_until(&mut self, sim: &mut Sim, end: Timestamp) -> Result<(), Failed> {
        if self.operator.is_none() {
            return sim.run_until(&mut self.network, end);
        }
        while sim.exit.is_none() && sim.now < end {
            let next = self.operator.as_mut().map_or(end, |operator| operator.next_at(sim.now)).min(end);
            sim.run_until(&mut self.network, next)?;
            self.listen(sim);
            if sim.exit.is_none() && sim.now < end {
                self.speak(sim);
            }
        }
        Ok(())
    }

    /// Opens the crawl on a disk without faults.
    fn open(&mut self) -> Sim {
        let mut error = None;
        for _ in 0..OPEN_ATTEMPTS {
            match Sim::open(self.site, &self.setup, &self.disk(), self.now) {
                Ok(sim) => return sim,
                Err(Failed { what, .. }) => error = Some(what),
            }
        }
        panic!("after {} deaths the crawl can't be opened: {error:?}", self.deaths)
    }

    fn begin(&mut self, sim: &Sim) {
        self.network.begin(sim.now, self.after);
        self.operator.iter_mut().for_each(Operator::begin);
        let contacts = self.network.log.contacts.len();
        match captures(&self.disk()) {
            Ok(captures) => self.held.push(HeldAtStart { contacts, captures }),
            Err(error) => self.broken.push(format!("after {} deaths: {error}", self.deaths)),
        }
    }

    fn die(&mut self, disk: &FaultyDisk, life: &Life) {
        self.deaths += 1;
        self.last = None;
        self.disk = match life.loss {
            Loss::Kill => disk.inner().kill(),
            Loss::Power(mode) => disk.inner().crash(mode, &mut self.rng),
        };
        self.now = self.now + life.downtime_ms;
        self.after = if self.is_saved() { Before::Calm } else { Before::Crash };
    }

    /// Whether the next start finds everything saved, although what comes behind that failed: then it knows of all contacts.
    fn is_saved(&self) -> bool {
        let (image, wall) = (Arc::new(self.disk.kill()), WallTime::from_unix_ms(self.now.as_ms()));
        Archive::open(image, self.setup.archive.clone(), wall).is_ok_and(|opened| opened.recovered.clean)
    }
}
