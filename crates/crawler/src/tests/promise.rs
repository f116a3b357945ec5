//! What is promised from one run to the next.

use super::examples::config;
use super::hand::{Hand, OK};
use crate::{CrawlConfig, Exit, OrderId};
use control::{Changes, Command};

const SEEDS: [&str; 6] = [
    "http://a.example/1",
    "http://a.example/2",
    "http://a.example/3",
    "http://a.example/4",
    "http://a.example/5",
    "http://a.example/6",
];

/// A configuration with these delays for hosts, servers and domains, that ends after so many pages.
fn delayed([host_ms, server_ms, domain_ms]: [u64; 3], limit: u64) -> CrawlConfig {
    let mut config = CrawlConfig { limit: Some(limit), server_delay_ms: server_ms, ..config() };
    (config.frontier.delay.host_ms, config.frontier.delay.group_ms) = (host_ms, domain_ms);
    config
}

/// How long the host of the last contact is left alone when the next run begins at once with other delays; `set` is what an operator
/// has changed the first ones to.
fn left_alone_ms(first: [u64; 3], set: Option<u64>, next: [u64; 3]) -> u64 {
    let mut hand = Hand::new(delayed(first, 3), &SEEDS);
    let promised = hand.crawler.promised.clone();
    if let Some(delay_ms) = set {
        let command = Command::Set(Changes { delay_ms: Some(delay_ms), ..Changes::default() });
        hand.handle(crate::Event::Ordered { order: OrderId(0), command });
    }
    hand.run(1_000, OK);
    assert_eq!(hand.exit, Some(Exit::LimitReached));
    let ended = hand.now;
    hand.run_again(delayed(next, 5), promised);
    hand.go_on();
    hand.now.since_ms(ended)
}

#[test]
fn a_delay_that_has_grown_between_two_runs_is_kept_towards_the_last_contact() {
    let first = [1_000, 250, 250];
    assert!(left_alone_ms(first, None, first) <= 1_000);
    for next in [[15_000, 250, 250], [1_000, 15_000, 250], [1_000, 250, 15_000]] {
        assert!(left_alone_ms(first, None, next) >= 15_000, "{next:?}");
    }
    assert!(left_alone_ms([15_000, 250, 250], None, first) <= 1_000, "a shorter one counts from the start");
}

#[test]
fn a_delay_that_an_operator_had_made_shorter_has_grown_when_it_is_as_before() {
    assert!(left_alone_ms([15_000, 250, 250], Some(1_000), [14_000, 250, 250]) >= 14_000);
    assert!(
        left_alone_ms([15_000, 250, 250], Some(1_000), [15_000, 250, 250]) <= 1_000,
        "what was set holds"
    );
}
