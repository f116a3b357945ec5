//! Hosts that turn us away, and those that only forbid a few pages.

use super::world::{Answer, Ask, DAY, World, plain};
use crate::limits::REFUSALS_FREE;
use crate::{FailureKind, ParkReason, Reach, RetryPolicy, UrlState, WaitingFor};

fn page(n: u64) -> String {
    format!("http://a.example/{n}")
}

fn number(url: &str) -> Option<u64> {
    url.rsplit_once('/')?.1.parse().ok()
}

/// A host of so many pages, of which some are refused in this way.
fn world(pages: u64, refused: impl Fn(u64) -> bool + 'static, answer: &Answer) -> World {
    let answer = answer.clone();
    let web = move |ask: &Ask<'_>| match number(ask.url) {
        Some(n) if !ask.is_name() && refused(n) => answer.clone(),
        _ => plain(ask),
    };
    let mut world = World::new(web);
    (0..pages).for_each(|n| world.find(&page(n), 0));
    world
}

fn is_parked_with_its_host(world: &mut World, n: u64) -> bool {
    let reason = ParkReason::Host(FailureKind::Blocked);
    matches!(world.state(&page(n)), UrlState::Parked { reason: found, .. } if found == reason)
}

/// The rests after each refusal but the last.
fn rests() -> Vec<u64> {
    let policy = RetryPolicy::default();
    (1..policy.attempts).map(|n| policy.overload_wait_ms(n, None, Reach::Public)).collect()
}

#[test]
fn a_host_that_forbids_everything_rests_longer_each_time_and_is_parked() {
    let mut world = world(60, |_| true, &Answer::Status(403));
    world.run_for(DAY);
    let (gaps, free) = (world.gaps("a.example"), usize::from(REFUSALS_FREE) + 1);
    assert!(gaps[..free].iter().all(|gap| *gap == 1000), "{gaps:?}");
    assert_eq!(gaps[free..], rests());
    let asked: Vec<u64> = world.pages().into_iter().filter_map(number).collect();
    assert!(asked.iter().all(|n| matches!(world.state(&page(*n)), UrlState::Fetched { .. })), "answers");
    let rest: Vec<u64> = (0..60).filter(|n| !asked.contains(n)).collect();
    assert!(!rest.is_empty() && rest.into_iter().all(|n| is_parked_with_its_host(&mut world, n)));
    assert_eq!(world.frontier.next_due(), None);
}

#[test]
fn people_are_told_why_it_rests() {
    let mut world = world(60, |_| true, &Answer::Status(403));
    world.run_for(60_000);
    let waiting = world.frontier.waiting(9);
    assert_eq!((waiting.len(), waiting[0].for_what), (1, WaitingFor::Refusal));
}

#[test]
fn a_host_some_of_whose_pages_are_forbidden_is_not_held_up() {
    let seventeenth = u64::from(REFUSALS_FREE) + 1;
    let mut world = world(100, move |n| n % seventeenth > 0, &Answer::Status(403));
    world.run_for(DAY);
    assert!(world.gaps("a.example").into_iter().all(|gap| gap == 1000));
    assert_eq!(world.frontier.fetched(), 100);
}

#[test]
fn a_host_that_closes_a_part_of_itself_gives_the_rest() {
    let web = |ask: &Ask<'_>| if ask.url.contains("/member/") { Answer::Status(403) } else { plain(ask) };
    let mut world = World::new(web);
    (0..60).for_each(|n| world.find(&format!("http://a.example/member/{n}"), 0));
    (0..60).for_each(|n| world.find(&format!("http://a.example/topic?id={n}"), 0));
    world.run_for(DAY);
    assert_eq!(world.frontier.fetched(), 120);
}

#[test]
fn a_host_that_says_so_is_believed_at_once() {
    let mut world = world(60, |_| true, &Answer::Fails(FailureKind::Blocked));
    world.run_for(DAY);
    assert_eq!(world.gaps("a.example")[1..], rests());
    assert!((0..60).all(|n| is_parked_with_its_host(&mut world, n)));
}

#[test]
fn a_url_that_is_refused_again_and_again_parks_itself_alone() {
    let mut world = world(1, |n| n == 0, &Answer::Fails(FailureKind::Blocked));
    world.run_for(DAY);
    let reason = ParkReason::Failed(FailureKind::Blocked);
    assert!(matches!(world.state(&page(0)), UrlState::Parked { reason: found, .. } if found == reason));
    world.find(&page(1), 1);
    world.run_for(DAY);
    assert!(matches!(world.state(&page(1)), UrlState::Fetched { .. }));
}

#[test]
fn the_count_outlives_a_stop() {
    let mut world = world(60, |_| true, &Answer::Fails(FailureKind::Blocked));
    world.run_for(100_000);
    let counted = |frontier: &crate::Frontier| {
        frontier.hosts.iter().map(|(_, host)| host.record.refusals).collect::<Vec<_>>()
    };
    let before = counted(&world.frontier);
    assert_eq!(before, [REFUSALS_FREE + 2]);
    assert_eq!(counted(&world.restored(crate::Stop::Clean)), before);
}
