use super::world::{SECOND, START, World, plain};
use crate::{Class, Lottery};

#[test]
fn the_lottery_gives_sixty_thirty_ten() {
    let mut lottery = Lottery::new(1);
    let mut hits = [0_u32; 3];
    for _ in 0..30_000 {
        hits[lottery.draw(|_| true).unwrap() as usize] += 1;
    }
    let share = hits.map(|hits| f64::from(hits) / 30_000.0);
    for (share, expected) in share.into_iter().zip([0.6, 0.3, 0.1]) {
        assert!((share - expected).abs() < 0.01, "{hits:?}");
    }
}

#[test]
fn an_empty_class_takes_no_part() {
    let mut lottery = Lottery::new(2);
    let low = |class| class == Class::Low;
    assert!((0..100).all(|_| lottery.draw(low) == Some(Class::Low)));
    assert_eq!(lottery.draw(|_| false), None);
}

#[test]
fn each_class_is_first_in_first_out() {
    let mut world = World::new(plain);
    for n in 0..300 {
        world.find(&format!("http://a.example/{n}"), [0, 2, 9][n % 3]);
    }
    world.run();
    let number = |url: &&str| url.rsplit('/').next().unwrap().parse::<usize>().unwrap();
    let drawn: Vec<usize> = world.pages().iter().map(number).collect();
    assert_eq!(drawn.len(), 300);
    for class in 0..3 {
        let of_class: Vec<usize> = drawn.iter().copied().filter(|n| n % 3 == class).collect();
        assert!(of_class.is_sorted() && of_class.len() == 100, "{class}: {of_class:?}");
    }
    let early = drawn[..100].iter().filter(|n| *n % 3 == 0).count();
    assert!((50..=70).contains(&early), "60 of 100: {early}");
}

#[test]
fn hosts_share_in_proportion_to_the_class_of_what_they_have() {
    let mut world = World::new(plain);
    for n in 0..300 {
        world.find(&format!("http://high{n}.example/"), 0);
        world.find(&format!("http://low{n}.example/"), 9);
    }
    world.decide();
    let first: Vec<_> = (0..140).map_while(|_| world.next_turn(START)).collect();
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
    world.decide();
    let mut names = Vec::new();
    while let Some(turn) = world.next_turn(START) {
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
