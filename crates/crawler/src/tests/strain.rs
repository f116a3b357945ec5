//! What holds a crawl back, as it is told.

use super::examples::config;
use super::hand::{Hand, OK};
use crate::limits::LOOK_AGAIN_MS;
use crate::{Event, OrderId};
use control::{Command, Target};
use snapshot::Strain;
use stdx::Timestamp;

fn waiting(hand: &Hand, most: usize, now: Timestamp) -> u64 {
    let mut strain = Strain::default();
    hand.crawler.look_at_hosts(&mut strain, most, now);
    strain.hosts_waiting()
}

#[test]
fn hosts_are_looked_at_some_at_a_time_and_none_stays_as_it_was_for_long() {
    let names = ["a.example", "b.example", "c.example"];
    let mut config = config();
    config.frontier.delay.host_ms = 60_000;
    let mut hand = Hand::new(config, &["http://a.example/", "http://b.example/", "http://c.example/"]);
    for _ in names {
        hand.go_on();
        hand.answer(OK);
    }
    let exclude = |hand: &mut Hand, name: &str| {
        let command = Command::Exclude(Target::Host(name.parse().expect("a host")));
        hand.handle(Event::Ordered { order: OrderId(0), command });
    };
    assert_eq!(waiting(&hand, 1, hand.now), 3, "nobody has been looked at before");
    names[..2].iter().for_each(|name| exclude(&mut hand, name));
    let told = [(); 3].map(|()| waiting(&hand, 1, hand.now));
    assert!(told[0] >= 2 && told.is_sorted_by(|before, after| before >= after), "{told:?}");
    assert_eq!(told[2], 1, "each has been looked at");
    exclude(&mut hand, names[2]);
    assert_eq!(waiting(&hand, 0, hand.now), 1);
    assert_eq!(waiting(&hand, 0, hand.now + LOOK_AGAIN_MS), 0);
}

#[test]
fn who_may_go_on_waits_for_its_turn_and_nothing_that_is_past() {
    let mut config = config();
    config.frontier.delay.host_ms = 60_000;
    let mut hand = Hand::new(config, &["http://a.example/"]);
    hand.go_on();
    hand.answer(OK);
    let listed = |now: Timestamp| {
        let host = hand.crawler.waiting(9, now).pop().expect("one host");
        (host.is_due(), host.reason, host.until_ms)
    };
    let due = hand.now + 60_000;
    assert_eq!(listed(hand.now), (false, "delay".to_owned(), due.as_ms()));
    assert_eq!(listed(due + 1), (true, "turn".to_owned(), due.as_ms() + 1));
}
