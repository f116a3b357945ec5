use super::world::{SECOND, START, World, key, plain};
use crate::front::draw_class;
use crate::host::HostId;
use crate::limits::BACK_QUEUE_WINDOW;
use crate::{Class, FrontQueues};
use std::collections::VecDeque;
use stdx::Rng;
use weburl::KeyHash;

#[test]
fn the_lottery_gives_sixty_thirty_ten() {
    let mut lottery = Rng::new(1);
    let mut hits = [0_u32; 3];
    for _ in 0..30_000 {
        hits[draw_class(&mut lottery, |_| true).unwrap() as usize] += 1;
    }
    let share = hits.map(|hits| f64::from(hits) / 30_000.0);
    for (share, expected) in share.into_iter().zip([0.6, 0.3, 0.1]) {
        assert!((share - expected).abs() < 0.01, "{hits:?}");
    }
}

#[test]
fn an_empty_class_takes_no_part() {
    let mut lottery = Rng::new(2);
    let low = |class| class == Class::Low;
    assert!((0..100).all(|_| draw_class(&mut lottery, low) == Some(Class::Low)));
    assert_eq!(draw_class(&mut lottery, |_| false), None);
}

#[test]
fn a_class_is_first_in_first_out_and_a_refill_takes_a_window() {
    let (mut front, host) = (FrontQueues::new(3), HostId(0));
    for n in 0..300 {
        front.push(host, Class::ALL[(n % 3) as usize], KeyHash(n));
    }
    let mut drawn = Vec::new();
    while front.has(host) {
        let mut window = VecDeque::new();
        front.refill(host, BACK_QUEUE_WINDOW, &mut window);
        assert!(window.len() == BACK_QUEUE_WINDOW || !front.has(host));
        drawn.extend(window);
    }
    assert_eq!(drawn.len(), 300);
    for class in Class::ALL {
        let keys: Vec<u64> = drawn.iter().filter(|q| q.class == class).map(|q| q.key.0).collect();
        assert!(keys.is_sorted() && keys.len() == 100, "{class:?}: {keys:?}");
    }
}

#[test]
fn hosts_share_in_proportion_to_the_class_of_what_they_have() {
    let mut world = World::new(plain);
    for n in 0..300 {
        world.find(&format!("http://high{n}.example/"), 0);
        world.find(&format!("http://low{n}.example/"), 9);
    }
    let first: Vec<_> = (0..140).map_while(|_| world.frontier.next_turn(START)).collect();
    let high = first.iter().filter(|turn| format!("{:?}", turn.need).contains("high")).count();
    assert!((105..=132).contains(&high), "60 to 10 among 140 turns: {high}");
}

#[test]
fn a_giant_hides_nobody() {
    let mut world = World::new(plain);
    for n in 0..100_000 {
        world.find(&format!("http://giant.example/{n}"), 1);
    }
    for n in 0..50 {
        world.find(&format!("http://small{n}.example/"), 1);
    }
    let mut names = Vec::new();
    while let Some(turn) = world.frontier.next_turn(START) {
        names.push(format!("{:?}", turn.need));
    }
    assert_eq!(names.len(), 51, "every host has its turn at once, the giant one");
}

#[test]
fn urls_of_one_host_and_class_go_in_the_order_found() {
    let mut world = World::new(plain);
    let urls: Vec<String> = (0..40).map(|n| format!("http://a.example/{n}")).collect();
    for url in &urls {
        world.find(url, 1);
    }
    world.run_for(60 * SECOND);
    assert_eq!(world.pages(), urls);
    assert_eq!(world.frontier.fetched(), 40);
    assert!(world.frontier.state(key("http://a.example/0")).is_some());
}

#[test]
fn classes_follow_from_kind_depth_and_query() {
    use crate::Kind::{Page, Sitemap};
    let check = |kind, depth, url, class| assert_eq!(Class::of(kind, depth, url), class, "{url} at {depth}");
    check(Page, 0, "http://a.example/?q", Class::High);
    check(Sitemap, 7, "http://a.example/s.xml", Class::High);
    check(Page, 1, "http://a.example/", Class::Medium);
    check(Page, 3, "http://a.example/", Class::Medium);
    check(Page, 3, "http://a.example/?q", Class::Low);
    check(Page, 4, "http://a.example/", Class::Low);
}
