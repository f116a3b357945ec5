//! Hosts that take more than their shard has for all.

use super::world::{Answer, Ask, CONFIG, SECOND, World, plain};
use crate::{DelayPolicy, Doing, FrontierConfig, Memory};

const GUESTS: usize = 8;
const PAGES: usize = 5;
const RULES: usize = 2_000;

/// One's rules, and what the shard has for hosts: a third of that.
const MEMORY: Memory = Memory { resident_bytes: 32 << 10, ..CONFIG.memory };

fn long_rules(ask: &Ask<'_>) -> Answer {
    if ask.is_robots() && ask.url.contains("guest") {
        let rules: Vec<String> = (0..RULES).map(|n| format!("Disallow: /a/long/way/to/{n}")).collect();
        return Answer::Rules(format!("User-agent: *\n{}", rules.join("\n")));
    }
    plain(ask)
}

fn world() -> World {
    world_of(FrontierConfig { memory: MEMORY, ..CONFIG }, PAGES)
}

fn world_of(config: FrontierConfig, pages: usize) -> World {
    let mut world = World::with(config, long_rules).allowed();
    for page in 0..pages {
        for n in 0..GUESTS {
            world.find(&format!("http://guest{n}.example/{page}"), 1);
        }
        world.find(&format!("http://small.example/{page}"), 1);
    }
    world
}

/// How many guests are in memory.
fn guests(world: &World) -> usize {
    (world.frontier.guest_bytes / (RULES as u64 * 30)) as usize
}

#[test]
fn guests_come_for_their_turns_and_all_are_served() {
    let mut world = world();
    world.run_for(2 * SECOND);
    let mut most = 0;
    while world.step(world.now + SECOND * 1000).unwrap() {
        most = most.max(guests(&world));
    }
    assert_eq!(world.frontier.fetched() as usize, (GUESTS + 1) * PAGES);
    assert_eq!(world.gaps("small.example"), [1000; PAGES], "nobody waits for them");
    assert!((1..=2).contains(&most), "{most} at once");
}

#[test]
fn none_comes_who_is_not_welcome() {
    let mut world = world();
    world.run_for(2 * SECOND);
    world.frontier.welcome_guests(false);
    world.run_for(100 * SECOND);
    assert_eq!(guests(&world), 0);
    assert_eq!(world.contacts("small.example").len(), 1 + PAGES);
    let before = world.frontier.fetched() as usize;
    assert!(before < GUESTS * PAGES);
    world.frontier.welcome_guests(true);
    world.run();
    assert_eq!(world.frontier.fetched() as usize, (GUESTS + 1) * PAGES);
}

#[test]
fn those_that_are_always_due_leave_after_a_turn_where_they_are_not_welcome() {
    const MANY: usize = 20 * PAGES;
    let delay = DelayPolicy { host_ms: 0, ..CONFIG.delay };
    let mut world = world_of(FrontierConfig { memory: MEMORY, delay, ..CONFIG }, MANY);
    world.run_for(SECOND);
    assert!(guests(&world) >= GUESTS);
    world.frontier.welcome_guests(false);
    let (until, mut on_their_way) = (world.now + 2 * SECOND, 0);
    while world.step(until).unwrap() {
        let facts = world.frontier.hosts_at_hand(0, 99).map(|host| host.facts());
        let waiting: Vec<_> = facts.filter(|host| host.pending > 0).collect();
        assert!(waiting.iter().all(|host| host.doing != Doing::Nothing), "{waiting:?}");
        on_their_way += waiting.iter().filter(|host| host.doing == Doing::Sleep).count();
    }
    assert!(on_their_way >= GUESTS);
    assert_eq!(guests(&world), 0);
    assert!((world.frontier.fetched() as usize) < GUESTS * MANY);
    world.frontier.welcome_guests(true);
    world.run();
    assert_eq!(world.frontier.fetched() as usize, (GUESTS + 1) * MANY);
}
