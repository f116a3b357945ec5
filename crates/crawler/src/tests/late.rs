//! Contacts that were not begun in time, because the machine they run on stalled.

use super::examples::{START, address, config, url};
use super::hand::{Hand, OK};
use crate::CrawlConfig;
use crate::limits::BEGIN_WITHIN_MS;
use frontier::{Address, NamedGroup, NamedGroups, Reach};
use std::sync::Arc;
use stdx::Timestamp;

const SEED: &str = "http://a.example/";
const DOMAIN_MS: u64 = 250;

#[test]
fn what_was_not_begun_in_time_was_no_attempt_and_comes_again_under_its_clocks() {
    let mut hand = Hand::new(CrawlConfig { limit: Some(1), ..config() }, &[SEED]);
    for path in ["/robots.txt", "/"] {
        hand.go_on();
        for _ in 0..3 {
            let drawn = hand.now;
            assert_eq!((hand.fetches.len(), hand.fetches[0].url.path()), (1, path));
            assert_eq!(hand.fetches[0].begin_by, drawn + BEGIN_WITHIN_MS);
            hand.be_late();
            hand.poll();
            assert!(hand.committing.is_none(), "nothing is journaled");
            hand.now = drawn + (DOMAIN_MS - 1);
            hand.poll();
            assert!(hand.fetches.is_empty(), "the domain's clock counts from the draw");
            hand.now = drawn + DOMAIN_MS;
            hand.poll();
        }
        hand.answer(OK);
    }
    hand.run(100, OK);
    assert_eq!((hand.crawler.tally.pages, hand.crawler.tally.captures), (1, 2));
    assert_eq!(hand.crawler.snapshot(hand.now).resources.handed_back, 6);
}

#[test]
fn a_contact_may_begin_at_any_time_where_no_clock_counts_from_its_draw() {
    let begin_by = |delay_ms: u64, groups: Vec<NamedGroup>, reach: Reach| {
        let mut config = CrawlConfig { groups: Arc::new(NamedGroups::new(groups).unwrap()), ..config() };
        config.frontier.delay.host_ms = delay_ms;
        Hand::new(config, &[]).crawler.begin_by(&url(SEED), Address { reach, ..address() }, START)
    };
    let hosts = vec!["a.example".parse().unwrap()];
    let named = vec![NamedGroup { name: "a".to_owned(), hosts, interval_ms: 9 }];
    let soon = START + BEGIN_WITHIN_MS;
    assert_eq!(begin_by(0, Vec::new(), Reach::Allowed), Timestamp::NEVER);
    assert_eq!(begin_by(0, named, Reach::Allowed), soon);
    assert_eq!(begin_by(1, Vec::new(), Reach::Allowed), soon);
    assert_eq!(begin_by(0, Vec::new(), Reach::Public), soon);
}
