//! A crash at every call of the disk: whatever call it is that fails, and whether the process dies there or the machine, the
//! shard goes on from its last durable cut and the journal, and nothing is lost and nothing fetched twice.

use super::driver::check_clocks;
use super::world::{Answer, Ask, CONFIG, DAY, Pacing, SECOND, World, key, open, plain, replay, states};
use crate::{
    BudgetFunction, Everything, FrontierConfig, FrontierState, Memory, Origin, Result, SeedBudgets, Star,
    Stop, UrlState,
};
use disk::{CrashMode, Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, Mode};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use stdx::Rng;
use weburl::KeyHash;

/// So little that the script goes through all there is: evictions, sections, directories, BEAST.
const CRAMPED: FrontierConfig = FrontierConfig {
    memory: Memory { resident_bytes: 16 << 10, buffer_bytes: 256, bucket_bytes: 1 << 10, recent_keys: 8 },
    star: Star { function: BudgetFunction::Flat(2), seeds: SeedBudgets::Unlimited },
    ..CONFIG
};

/// A shard on a disk that fails, and what of it is durable.
struct Victim {
    world: World,
    disk: FaultyDisk,
    saved: Option<(FrontierState, usize)>,
    /// Most URLs that BEAST had, and most sections and hosts that were on disk.
    most: [u64; 3],
}

fn web(ask: &Ask<'_>) -> Answer {
    match ask.url {
        "http://site3.org/robots.txt" => Answer::Rules("User-agent: *\nDisallow: /1".into()),
        url if url.ends_with("/5") && !ask.is_name() && ask.before < 2 => Answer::Status(500),
        url if url.contains("site4.org/") => Answer::Fails(crate::FailureKind::ConnectRefused),
        _ => plain(ask),
    }
}

impl Victim {
    fn new(disk: FaultyDisk) -> Result<Self> {
        let mut world = World::on(CRAMPED, Arc::new(disk.clone()), disk.inner().clone(), web)?;
        world.pacing = Pacing::Paced;
        Ok(Self { world, disk, saved: None, most: [0; 3] })
    }

    /// Discoveries, fetches, jobs that others overlap, cuts: the same each time.
    fn script(&mut self) -> Result<()> {
        for round in 0..6 {
            for n in 0..12 {
                let site = (n + round) % 7;
                let via = Origin::Document(format!("http://site{}.org/", n % 5));
                self.world.find_as(
                    &format!("http://site{site}.org/{}", n * 6 + round),
                    1 + n as u32 % 4,
                    &via,
                )?;
                self.world.find_as(&format!("http://giant.org/{}", round * 20 + n), 2, &Origin::Seed)?;
            }
            self.run_for(2 * SECOND)?;
            self.world.begin_job()?;
            self.run_for(300)?;
            if round % 2 == 1 {
                self.save()?;
            }
            self.world.end_job()?;
            self.run_for(3 * SECOND)?;
        }
        Ok(())
    }

    fn measure(&mut self) {
        let disk = &self.world.frontier.disk.hosts;
        let now = [self.world.frontier.deferred(), disk.runs().len() as u64, disk.records()];
        self.most = std::array::from_fn(|n| self.most[n].max(now[n]));
    }

    fn run_for(&mut self, ms: u64) -> Result<()> {
        let end = self.world.now + ms;
        while self.world.step(end)? {
            self.measure();
        }
        self.world.now = end;
        Ok(())
    }

    fn save(&mut self) -> Result<()> {
        let cut = self.world.frontier.cut()?;
        for path in &cut.sync {
            self.disk.open(path, Mode::Write)?.sync()?;
        }
        let dirs: BTreeSet<&Path> = cut.sync.iter().filter_map(|path| path.parent()).collect();
        for dir in dirs {
            self.disk.sync_dir(dir)?;
        }
        self.saved = Some((cut.state, self.world.journal.len()));
        self.world.frontier.checkpointed()
    }

    /// Another process on what is left of the disk.
    fn recover(mut self, disk: MemDisk) -> World {
        let (state, covered) = match &self.saved {
            Some((state, covered)) => (Some(state), *covered),
            None => (None, 0),
        };
        let mut frontier = open(CRAMPED, &disk, state);
        frontier.check_invariants();
        replay(&mut frontier, &self.world.journal[covered..]).unwrap();
        frontier.resume(Stop::Unclean, self.world.now, Arc::new(Everything)).unwrap();
        self.world.restart(frontier, disk);
        self.world
    }
}

/// After the crash: every URL has its state, and all come to their end.
fn check(mut world: World) {
    let found: BTreeSet<KeyHash> = world.found().map(|found| key(&found.url)).collect();
    let known: BTreeSet<KeyHash> = states(&world.frontier).into_keys().collect();
    assert_eq!(known, found, "every URL is in one state");
    let end = world.now + 30 * DAY;
    while world.step(end).unwrap() {}
    assert_eq!((world.frontier.pending(), world.frontier.undecided()), (0, 0));
    let ended = states(&world.frontier);
    assert!(
        ended.values().all(|state| !matches!(state, UrlState::Pending { .. } | UrlState::Discovered { .. }))
    );
    assert_eq!(ended.len(), found.len());
    world.check_answered_once();
    check_clocks(&world.log);
}

fn calls() -> u64 {
    let mut victim = Victim::new(FaultyDisk::counting(MemDisk::new())).unwrap();
    victim.script().unwrap();
    assert!(
        victim.most.iter().all(|most| *most > 0),
        "the script goes through all there is: {:?}",
        victim.most
    );
    let calls = victim.disk.calls();
    let disk = victim.disk.inner().kill();
    check(victim.recover(disk));
    calls
}

/// The script up to the failure at `call`; `None` if it was survived, as removals of old files are.
fn failing_at(call: u64, fault: Fault, lasts: Lasts) -> Option<Victim> {
    let disk = FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault, lasts });
    let mut victim = Victim::new(disk).ok()?;
    victim.script().err()?;
    Some(victim)
}

/// Every how many calls: all of them takes minutes.
const STRIDE: usize = 7;

#[test]
fn a_kill_at_any_call_loses_nothing() {
    for call in (0..calls()).step_by(STRIDE) {
        if let Some(victim) = failing_at(call, Fault::TornWrite, Lasts::Forever) {
            let disk = victim.disk.inner().kill();
            check(victim.recover(disk));
        }
    }
}

#[test]
fn a_power_loss_at_any_call_loses_nothing() {
    let mut rng = Rng::new(1);
    for call in (3..calls()).step_by(STRIDE) {
        if let Some(victim) = failing_at(call, Fault::TornWrite, Lasts::Forever) {
            let mode = CrashMode::ALL[rng.below(4) as usize];
            let disk = victim.disk.inner().crash(mode, &mut rng);
            check(victim.recover(disk));
        }
    }
}

/// A disk that is full says so, and what was accepted is there when it has room again.
#[test]
fn a_full_disk_is_said_to_be_full_and_loses_nothing() {
    for call in (0..calls()).step_by(STRIDE) {
        let disk =
            FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault: Fault::Full, lasts: Lasts::Forever });
        let Ok(mut victim) = Victim::new(disk) else { continue };
        let Err(error) = victim.script() else { continue };
        assert!(error.is_disk_full(), "call {call}: {error}");
        let disk = victim.disk.inner().kill();
        check(victim.recover(disk));
    }
}
