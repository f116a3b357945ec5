//! Rules that change between two runs: what waits and is out is let go, wherever it waits, and is new if it is found again.

use super::world::{CONFIG, Pacing, World, key, open, plain, states};
use crate::{
    BudgetFunction, Frontier, FrontierConfig, Judge, Memory, Paths, Pending, SeedBudgets, Star, Stays, Stop,
    UrlState,
};
use std::sync::Arc;

/// All but the hosts whose name begins so.
#[derive(Debug)]
struct Without(&'static str);

impl Judge for Without {
    fn fingerprint(&self) -> u64 {
        self.0.len() as u64 + 100
    }

    fn judge(&self, pending: &Pending) -> Stays {
        if pending.url.contains(self.0) { Stays::Out } else { Stays::In }
    }

    fn shuns(&self, host: &str) -> bool {
        host.contains(self.0)
    }
}

fn restart(world: &mut World, judge: impl Judge + 'static) {
    let (state, disk) = world.cut();
    let mut frontier = open(world.config, &disk, Some(&state));
    frontier.resume(Stop::Clean, world.now, Arc::new(judge)).unwrap();
    world.restart(frontier, disk);
}

fn known(frontier: &Frontier, part: &str) -> usize {
    let has =
        |state: &UrlState| matches!(state, UrlState::Pending { pending, .. } if pending.url.contains(part));
    states(frontier).values().filter(|state| has(state)).count()
}

fn with_urls(config: FrontierConfig) -> World {
    let mut world = World::with(config, plain);
    for n in 0..60 {
        world.find(&format!("http://in{}.com/{n}", n % 5), 1);
        world.find(&format!("http://out{}.com/{n}", n % 5), 1);
    }
    world
}

#[test]
fn what_is_in_memory_is_judged_at_once() {
    let mut world = with_urls(CONFIG);
    world.decide();
    restart(&mut world, Without("out"));
    world.frontier.check_invariants();
    assert_eq!((known(&world.frontier, "in"), known(&world.frontier, "out")), (60, 0));
    assert_eq!(world.frontier.pending(), 60);
}

/// With hosts, sections and queues on disk, and discoveries that no job has seen.
#[test]
fn what_is_on_disk_is_judged_when_it_comes_up() {
    let config = FrontierConfig {
        memory: Memory { resident_bytes: 24 << 10, buffer_bytes: 512, bucket_bytes: 2 << 10, recent_keys: 8 },
        star: Star { function: BudgetFunction::Flat(4), seeds: SeedBudgets::Earned },
        ..CONFIG
    };
    let mut world = with_urls(config);
    world.decide();
    for n in 60..90 {
        world.find(&format!("http://out{}.com/{n}", n % 5), 1);
    }
    restart(&mut world, Without("out"));
    world.pacing = Pacing::Paced;
    let before = world.pages().len();
    world.run();
    assert!(world.pages()[before..].iter().all(|url| !url.contains("out")), "{:?}", world.pages());
    assert_eq!((world.frontier.fetched(), world.frontier.pending()), (60, 0));
}

/// All that is so near to a seed.
#[derive(Debug)]
struct Within(u32);

impl Judge for Within {
    fn fingerprint(&self) -> u64 {
        u64::from(self.0)
    }

    fn judge(&self, pending: &Pending) -> Stays {
        if pending.depth <= self.0 { Stays::In } else { Stays::TooDeep }
    }

    fn shuns(&self, _: &str) -> bool {
        false
    }
}

/// What was found by a long path and then by a short one waits with the long one; under a smaller limit on depth the short one counts.
#[test]
fn what_is_near_enough_by_another_path_stays() {
    let small = Memory { resident_bytes: 24 << 10, buffer_bytes: 512, bucket_bytes: 2 << 10, recent_keys: 8 };
    for memory in [CONFIG.memory, small] {
        let mut world = World::with(FrontierConfig { memory, paths: Paths::Shortest, ..CONFIG }, plain);
        let url = |n: u32| format!("http://in{}.com/{n}", n % 5);
        (0..120).for_each(|n| world.find(&url(n), 4));
        world.decide();
        (0..60).for_each(|n| world.find(&url(n), 1));
        world.decide();
        restart(&mut world, Within(2));
        world.frontier.check_invariants();
        world.decide();
        (0..30).for_each(|n| world.find(&url(n), 1));
        world.run();
        world.check_answered_once();
        let pages = world.pages();
        assert!((0..60).all(|n| pages.contains(&url(n).as_str())), "{pages:?}");
        assert_eq!((world.frontier.fetched(), world.frontier.pending()), (60, 0));
    }
}

#[test]
fn what_was_let_go_is_new_when_it_is_found_again() {
    let mut world = with_urls(CONFIG);
    world.decide();
    restart(&mut world, Without("out"));
    restart(&mut world, crate::Everything);
    world.find("http://out0.com/0", 1);
    world.find("http://in0.com/0", 1);
    world.decide();
    assert_eq!((known(&world.frontier, "out"), known(&world.frontier, "in")), (1, 60));
    assert!(states(&world.frontier).contains_key(&key("http://out0.com/0")));
    world.run();
    assert_eq!(world.frontier.fetched(), 61);
}
