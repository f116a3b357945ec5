//! Random webs: whatever happens, clocks hold, nothing is lost, and a replay gives the same state.

use super::world::{Answer, Ask, CONFIG, Contacted, DAY, Entry, HOUR, World, open};
use crate::Everything;
use crate::{
    Exclusion, FailureKind, Frontier, FrontierState, ParkReason, Pending, Place, Redirect, Stop, UrlState,
};
use disk::MemDisk;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use stdx::{Rng, Timestamp};
use weburl::{KeyHash, pld};

const HOSTS: [&str; 6] = ["a.one.com", "b.one.com", "one.com", "two.com", "x.three.org", "y.three.org"];

/// A web in which anything goes wrong, the same for the same seed; after a few days everything is well.
pub(super) fn chaos(seed: u64) -> impl Fn(&Ask<'_>) -> Answer + 'static {
    move |ask| {
        let hash =
            ask.url.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
        let mut rng = Rng::new(hash ^ u64::from(ask.before));
        if ask.is_robots() { robots(&mut rng) } else { page(ask, &mut rng) }
    }
}

fn robots(rng: &mut Rng) -> Answer {
    match rng.below(8) {
        0 => Answer::Rules("User-agent: *\nDisallow: /3".into()),
        1 => Answer::Rules("User-agent: *\nCrawl-delay: 3".into()),
        2 => Answer::Status(500),
        3 => Answer::To(Redirect::OtherKey(format!("http://{}/robots.txt", pick(rng)))),
        4 => Answer::Fails(FailureKind::ConnectTimeout),
        _ => Answer::Status(404),
    }
}

fn page(ask: &Ask<'_>, rng: &mut Rng) -> Answer {
    let other = |url: &str| match url.strip_prefix("http:") {
        Some(rest) => format!("https:{rest}"),
        None => url.replace("https:", "http:"),
    };
    match rng.below(24) {
        0 => Answer::Status(500),
        1 => Answer::Status(503),
        2 => Answer::RetryAfter(429, rng.below(2 * DAY)),
        3 => Answer::Fails(FailureKind::ConnectRefused),
        4 => Answer::Fails(FailureKind::NameServer),
        5 => Answer::Fails(FailureKind::Disconnected),
        6 if !ask.is_name() => Answer::To(Redirect::SameKey(other(ask.url))),
        7 => Answer::To(Redirect::OtherKey("http://else.example/".into())),
        8 if rng.one_in(6) => Answer::Fails(FailureKind::AddressRefused),
        9..12 => Answer::Slow(200, rng.below(5000)),
        _ => Answer::Status(200),
    }
}

fn pick(rng: &mut Rng) -> &'static str {
    HOSTS[rng.below(HOSTS.len() as u64) as usize]
}

fn world(seed: u64, urls: u64) -> World {
    let mut world = World::new(chaos(seed));
    let mut rng = Rng::new(seed);
    for n in 0..urls {
        let scheme = if rng.one_in(4) { "https" } else { "http" };
        world.find(&format!("{scheme}://{}/{n}", pick(&mut rng)), rng.below(6) as u32);
    }
    world
}

pub(super) fn check_clocks(log: &[Contacted]) {
    let mut hosts: BTreeMap<&str, Timestamp> = BTreeMap::new();
    let mut groups: BTreeMap<&str, Timestamp> = BTreeMap::new();
    let mut by_start: Vec<&Contacted> = log.iter().collect();
    by_start.sort_by_key(|contact| (contact.started, contact.ended));
    for contact in by_start {
        if let Some(ended) = hosts.insert(&contact.host, contact.ended) {
            assert!(contact.started >= ended + CONFIG.delay.host_ms, "{contact:?} after {ended:?}");
        }
        if let Some(started) = groups.insert(pld(&contact.host), contact.started) {
            assert!(contact.started >= started + CONFIG.delay.group_ms, "{contact:?} after {started:?}");
        }
    }
}

/// States without what a stop forgets: turns taken, and where and in which order URLs wait.
fn states(frontier: &Frontier) -> BTreeMap<KeyHash, UrlState> {
    let mut states = super::world::states(frontier);
    for state in states.values_mut() {
        if let UrlState::Pending { pending, place } = state {
            (pending.order, *place) = (0, Place::AtHand);
        }
    }
    states
}

fn replay(state: Option<&FrontierState>, disk: &MemDisk, entries: &[Entry]) -> Frontier {
    let mut frontier = open(CONFIG, disk, state);
    super::world::replay(&mut frontier, entries).unwrap();
    frontier
}

/// Verdicts of robots.txt are given again, and URLs are put off again while their authority rests; what no job has decided yet is known to
/// be discovered. What is parked for its authority's sake alone has another chance, until its host is barred.
fn check_same(world: &World, replayed: &Frontier) {
    let replayed = states(replayed);
    let live = states(&world.frontier);
    assert_eq!(live.len(), replayed.len());
    for (key, state) in live {
        let judged_again = matches!(state, UrlState::Excluded { rule, .. } if rule.name() == "robots");
        let undecided = matches!(
            (&state, &replayed[&key]),
            (UrlState::Pending { pending, .. }, UrlState::Discovered { depth })
                if pending.attempts == 0 && pending.depth == *depth
        );
        let put_off_again = match (&state, &replayed[&key]) {
            (UrlState::Pending { pending: before, .. }, UrlState::Pending { pending: again, .. }) => {
                again.due < before.due && Pending { due: before.due, ..again.clone() } == *before
            }
            (UrlState::Parked { reason, .. }, again) => {
                is_of_authority(*reason) && !world.has_failed_for_good(key) && is_open_or_barred(again)
            }
            _ => false,
        };
        assert!(
            judged_again || undecided || put_off_again || replayed[&key] == state,
            "{state:?} became {:?}",
            replayed[&key]
        );
    }
}

fn is_of_authority(reason: ParkReason) -> bool {
    match reason {
        ParkReason::RobotsUnreachable => true,
        ParkReason::Failed(kind) => kind.is_of_authority(),
        _ => false,
    }
}

fn is_open_or_barred(state: &UrlState) -> bool {
    match state {
        UrlState::Pending { .. } | UrlState::Parked { .. } => true,
        UrlState::Excluded { rule, .. } => *rule == Exclusion::AddressRefused,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn clocks_hold_and_every_url_comes_to_an_end(seed: u64, urls in 1..80_u64) {
        let mut world = world(seed, urls);
        let end = world.now + 300 * DAY;
        while world.step(end).unwrap() {}
        check_clocks(&world.log);
        prop_assert_eq!(world.frontier.pending(), 0);
        prop_assert_eq!(world.frontier.hosts_taken(), 0);
        prop_assert_eq!(states(&world.frontier).len() as u64, urls);
    }

    #[test]
    fn a_replay_from_any_cut_gives_the_same_state(seed: u64, urls in 1..60_u64, cut in 0..4 * HOUR, more in 0..4 * HOUR) {
        let mut world = world(seed, urls);
        world.run_for(cut / 8);
        let (state, disk) = world.cut();
        let covered = world.journal.len();
        world.run_for(more / 8);
        let mut frontier = replay(Some(&state), &disk, &world.journal[covered..]);
        check_same(&world, &frontier);

        frontier.resume(Stop::Unclean, world.now, Arc::new(Everything)).unwrap();
        frontier.check_invariants();
        let before = world.log.len();
        let stopped = world.now;
        let mut again = World::new(chaos(seed));
        (again.frontier, again.disk, again.now) = (frontier, disk, stopped);
        while again.step(stopped + 300 * DAY).unwrap() {}
        prop_assert_eq!(again.frontier.pending(), 0);
        prop_assert!(again.log.iter().all(|c| c.started >= stopped + CONFIG.delay.host_ms));
        world.log.truncate(before);
        world.log.append(&mut again.log);
        check_clocks(&world.log);
    }
}

#[test]
fn a_host_that_is_done_is_not_looked_up_again_after_a_replay() {
    let mut live = World::new(super::world::plain).seed(&["http://a.com/1", "http://b.com/1"]);
    live.run();
    let disk = MemDisk::new();
    let mut again = World::new(super::world::plain);
    again.frontier = replay(None, &disk, &live.journal);
    again.frontier.resume(Stop::Unclean, live.now, Arc::new(Everything)).unwrap();
    again.now = live.now;
    again.run();
    assert_eq!((again.lookups, again.log.len()), (0, 0));
    assert_eq!((again.frontier.pending(), again.frontier.fetched()), (0, 2));
}

#[test]
fn a_replay_queues_nothing_twice() {
    let web = |ask: &Ask<'_>| match ask.url {
        "http://a.com/1" => Answer::To(Redirect::SameKey("https://a.com/1".into())),
        "https://a.com/1" if ask.before < 3 => Answer::Fails(FailureKind::ConnectRefused),
        _ => super::world::plain(ask),
    };
    let mut live = World::new(web).seed(&["http://a.com/1", "http://a.com/2"]);
    live.run_for(30_000);
    assert!(live.pages().contains(&"http://a.com/2"), "what is at hand elsewhere does not wait");
    let mut again = World::new(super::world::plain);
    again.frontier = replay(None, &MemDisk::new(), &live.journal);
    again.frontier.resume(Stop::Clean, live.now, Arc::new(Everything)).unwrap();
    again.now = live.now;
    again.run();
    assert_eq!(again.pages(), ["https://a.com/1"]);
}
