//! Random crawls with very little memory: jobs at random moments and across others' doings, hosts in and out of memory,
//! restarts at random cuts. Against a plain account of what was discovered: every URL is in one state, none is lost, none
//! is fetched twice, and each host's come in their order.

use super::driver::{chaos, check_clocks};
use super::world::{CONFIG, DAY, Entry, Pacing, SECOND, World, key, open, plain, replay, states};
use crate::{
    Attempt, BudgetFunction, End, Everything, FrontierConfig, FrontierState, Memory, Origin, SeedBudgets,
    Star, Stop, Subject,
};
use disk::{CrashMode, Disk, MemDisk, Mode};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use stdx::Rng;
use weburl::{KeyHash, Url};

/// Memory for a dozen hosts or so.
const LITTLE: Memory =
    Memory { resident_bytes: 24 << 10, buffer_bytes: 512, bucket_bytes: 4 << 10, recent_keys: 64 };

const TIGHT: FrontierConfig = FrontierConfig { memory: LITTLE, ..CONFIG };

/// The same with budgets of two pages a round, seeds' domains too.
const BUDGETED: FrontierConfig =
    FrontierConfig { star: Star { function: BudgetFunction::Flat(2), seeds: SeedBudgets::Earned }, ..TIGHT };

struct Trial {
    world: World,
    rng: Rng,
    /// What is durable: a cut, how much of the journal it covers.
    saved: Option<(FrontierState, usize)>,
    found: BTreeMap<KeyHash, String>,
}

impl Trial {
    fn new(config: FrontierConfig, seed: u64) -> Self {
        let mut world = World::with(config, chaos(seed));
        world.pacing = Pacing::Paced;
        Self { world, rng: Rng::new(seed), saved: None, found: BTreeMap::new() }
    }

    fn find(&mut self) {
        for _ in 0..self.rng.below(40) {
            let host = self.rng.below(30);
            let url = match self.rng.below(3) {
                0 => format!("http://giant.com/{}", self.rng.below(400)),
                1 => format!("http://h{host}.farm.com/{}", self.rng.below(20)),
                _ => format!("http://site{host}.org/{}", self.rng.below(20)),
            };
            let via = format!("http://site{}.org/", self.rng.below(30));
            let origin = if self.rng.one_in(9) { Origin::Seed } else { Origin::Document(via) };
            let depth = self.rng.below(6) as u32;
            self.world.find_as(&url, depth, &origin).unwrap();
            self.found.insert(key(&url), url);
        }
    }

    fn go_on(&mut self) {
        let end = self.world.now + self.rng.below(60 * SECOND);
        for _ in 0..self.rng.below(40) {
            if !self.world.step(end).unwrap() {
                break;
            }
        }
    }

    fn begin_or_end_job(&mut self) {
        match self.world.running.take() {
            None => self.world.begin_job().unwrap(),
            Some(_) if self.rng.one_in(4) => self.world.frontier.abandon_job(),
            running => {
                self.world.running = running;
                self.world.end_job().unwrap();
            }
        }
        self.world.frontier.check_invariants();
    }

    fn save(&mut self) {
        let cut = self.world.frontier.cut().unwrap();
        sync(&self.world.disk, &cut.sync);
        self.saved = Some((cut.state, self.world.journal.len()));
        if !self.rng.one_in(5) {
            self.world.frontier.checkpointed().unwrap();
        }
    }

    /// The process dies, or the machine; another one goes on from what was durable.
    fn crash(&mut self) {
        let disk = match self.rng.below(5) {
            0 => self.world.disk.kill(),
            mode => self.world.disk.crash(CrashMode::ALL[mode as usize - 1], &mut self.rng),
        };
        let (state, covered) =
            self.saved.as_ref().map_or((None, 0), |(state, covered)| (Some(state), *covered));
        let mut frontier = open(self.world.config, &disk, state);
        frontier.check_invariants();
        replay(&mut frontier, &self.world.journal[covered..]).unwrap();
        frontier.resume(Stop::Unclean, self.world.now, Arc::new(Everything)).unwrap();
        self.world.restart(frontier, disk);
        self.check_states();
    }

    fn check_states(&self) {
        if self.world.running.is_some() {
            return;
        }
        let states = states(&self.world.frontier);
        assert!(states.keys().eq(self.found.keys()), "every URL is in one state");
        for (key, state) in states {
            let url = Url::parse(&self.found[&key]).unwrap();
            let found = self.world.frontier.look_up(key, &url, self.world.now).unwrap();
            assert_eq!(found.state, Some(state), "{url}, looked up");
        }
    }

    fn step(&mut self) {
        match self.rng.below(12) {
            0..3 => self.find(),
            3..7 => self.go_on(),
            7..9 => self.begin_or_end_job(),
            9 => self.save(),
            10 => self.check_states(),
            _ if self.rng.one_in(3) => self.crash(),
            _ => self.go_on(),
        }
    }

    fn finish(&mut self) {
        if self.world.running.is_some() {
            self.world.end_job().unwrap();
        }
        let end = self.world.now + 600 * DAY;
        while self.world.step(end).unwrap() {}
        self.check_states();
        assert_eq!((self.world.frontier.pending(), self.world.frontier.undecided()), (0, 0));
        assert_eq!(self.world.frontier.hosts_taken(), 0);
        check_clocks(&self.world.log);
        self.world.check_answered_once();
    }
}

/// Makes files durable, as the archive does.
fn sync(disk: &MemDisk, paths: &[std::path::PathBuf]) {
    for path in paths {
        disk.open(path, Mode::Write).unwrap().sync().unwrap();
    }
    let dirs: BTreeSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
    for dir in dirs {
        disk.sync_dir(dir).unwrap();
    }
}

/// A barred host whose URLs every job had in its hands was to leave, never left, and counted as the room that others waited
/// for: the hosts of a domain whose share of memory was taken by one asleep stayed on disk.
#[test]
fn who_cannot_leave_makes_no_room() {
    let mut trial = Trial::new(BUDGETED, 1_701_731_275_366_569_258);
    (0..55).for_each(|_| trial.step());
    trial.finish();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn nothing_is_lost_and_nothing_twice_with_little_memory(seed: u64, steps in 1..60_usize) {
        let mut trial = Trial::new(TIGHT, seed);
        (0..steps).for_each(|_| trial.step());
        trial.finish();
    }

    #[test]
    fn nothing_is_lost_and_nothing_twice_under_budgets(seed: u64, steps in 1..60_usize) {
        let mut trial = Trial::new(BUDGETED, seed);
        (0..steps).for_each(|_| trial.step());
        trial.finish();
    }

    /// Each host's URLs of one class are first in, first out, through memory, directory and sections.
    #[test]
    fn hosts_keep_their_order(seed: u64, rounds in 1..30_usize) {
        let mut trial = Trial::new(TIGHT, seed);
        trial.world = World::with(TIGHT, plain);
        trial.world.pacing = Pacing::Paced;
        for _ in 0..rounds {
            trial.find();
            trial.go_on();
            if trial.rng.one_in(3) {
                trial.begin_or_end_job();
            }
        }
        trial.finish();
        let mut first_found: BTreeMap<KeyHash, usize> = BTreeMap::new();
        let mut last_drawn: BTreeMap<(String, crate::Class), usize> = BTreeMap::new();
        for (n, entry) in trial.world.journal.iter().enumerate() {
            match entry {
                Entry::Found(found, _) => _ = first_found.entry(found.key).or_insert(n),
                Entry::Attempt(Attempt { subject: Subject::Page(page), url, end: End::Captured(_), .. }, _) => {
                    let host = crate::identity::host_of(url).to_owned();
                    let class = crate::Class::of(page.kind, page.depth, url);
                    let order = first_found[&page.key];
                    let last = last_drawn.insert((host, class), order);
                    prop_assert!(last.is_none_or(|last| last < order), "{url} came before an older one");
                }
                _ => {}
            }
        }
    }
}

/// A host with far more URLs than memory holds takes no more of it than one with few, and hides nobody.
#[test]
fn a_giant_costs_what_a_dwarf_costs() {
    let memory = Memory { resident_bytes: 64 << 10, ..LITTLE };
    let mut world = World::with(FrontierConfig { memory, ..CONFIG }, plain);
    world.pacing = Pacing::Paced;
    for n in 0..5000 {
        world.find(&format!("http://giant.com/{n}"), 1);
        if n % 100 == 0 {
            world.find(&format!("http://dwarf{n}.com/"), 1);
        }
        if n % 500 == 0 {
            world.run_for(SECOND);
            let bytes = world.frontier.resident_bytes();
            assert!(bytes <= memory.resident_bytes, "{bytes} bytes after {n} URLs");
        }
    }
    world.run_for(200 * SECOND);
    let dwarfs = world.pages().iter().filter(|url| url.contains("dwarf")).count();
    assert_eq!(dwarfs, 50);
    world.run();
    assert_eq!(world.frontier.fetched(), 5050);
    assert_eq!(world.frontier.pending(), 0);
}

/// Under one domain a million hosts would take all memory; they take their share.
#[test]
fn a_farm_of_hosts_leaves_room_for_others() {
    let mut world = World::with(TIGHT, plain);
    world.pacing = Pacing::Paced;
    for n in 0..300 {
        world.find(&format!("http://h{n}.farm.com/"), 1);
    }
    for n in 0..10 {
        world.find(&format!("http://site{n}.org/"), 1);
    }
    world.run_for(60 * SECOND);
    let honest = world.pages().iter().filter(|url| url.contains("site")).count();
    assert_eq!(honest, 10);
    let of_farm = world.frontier.hosts.iter().filter(|(_, host)| host.record.name.ends_with("farm.com"));
    let bytes: u64 = of_farm.map(|(_, host)| host.billed).sum();
    assert!(bytes <= LITTLE.resident_bytes / 4, "{bytes}");
    world.run();
    assert_eq!(world.frontier.fetched(), 310);
}

/// Hosts of one domain that are more than its share of memory take turns: none waits until others have nothing left.
#[test]
fn hosts_of_a_large_domain_take_turns_in_memory() {
    const HOSTS: usize = 300;
    let memory = Memory { resident_bytes: 256 << 10, ..LITTLE };
    let mut world = World::with(FrontierConfig { memory, ..CONFIG }, plain);
    world.pacing = Pacing::Paced;
    for n in 0..HOSTS * 40 {
        world.find(&format!("http://h{}.large.com/{n}", n % HOSTS), 1);
    }
    world.run_for(600 * SECOND);
    let hosts: BTreeSet<&str> = world.pages().iter().map(|url| crate::identity::host_of(url)).collect();
    assert_eq!(hosts.len(), HOSTS);
    assert!(world.pages().len() > 4 * HOSTS, "its clock is always used: {}", world.pages().len());
}

#[test]
fn a_small_crawl_leaves_nothing_on_disk_but_keys() {
    let mut world = World::new(plain);
    for n in 0..50 {
        world.find(&format!("http://site{}.org/{n}", n % 7), 1);
        world.run_for(SECOND);
        assert_eq!(
            (world.frontier.disk.hosts.disk_bytes(), world.frontier.disk.domains.disk_bytes()),
            (0, 0)
        );
    }
}

/// A bucket that is full while no job is asked for, as in a replay, is merged on the spot.
#[test]
fn more_than_a_bucket_holds_is_worked_off() {
    let mut world = World::with(TIGHT, plain);
    world.pacing = Pacing::Paced;
    for n in 0..3000 {
        world.find(&format!("http://site{}.org/{n}", n % 50), 1);
        assert!(!world.frontier.is_congested());
    }
    world.frontier.check_invariants();
    assert!(world.frontier.pending() > 1000);
    world.run();
    assert_eq!(world.frontier.fetched(), 3000);
}

/// While a job runs, what finds no room waits in memory and is not lost, in a cut neither.
#[test]
fn what_comes_while_a_job_runs_and_buckets_are_full_waits() {
    let mut world = World::with(TIGHT, plain);
    world.pacing = Pacing::Paced;
    world.find("http://first.org/", 1);
    world.begin_job().unwrap();
    for n in 0..3000 {
        world.find(&format!("http://site{}.org/{n}", n % 50), 1);
    }
    assert!(world.frontier.is_congested());
    let (state, disk) = world.cut();
    let back = open(TIGHT, &disk, Some(&state));
    assert_eq!(states(&back).len(), 3001);
    let roomy = crate::Memory { bucket_bytes: 64 << 20, ..TIGHT.memory };
    let back = open(FrontierConfig { memory: roomy, ..TIGHT }, &disk, Some(&state));
    assert!(!back.is_congested(), "nobody would merge a bucket that is not full");
    assert_eq!(states(&back).len(), 3001);
    world.end_job().unwrap();
    world.run();
    assert_eq!(world.frontier.fetched(), 3001);
}
