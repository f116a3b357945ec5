//! Lines that are too long to stand in, and hunger that nothing ends.

use super::examples::{START, config};
use super::hand::{Hand, OK};
use crate::CrawlConfig;
use crate::appetite::Appetite;
use crate::limits::{APPETITE_MS, APPETITE_SHARE, IN_LINE};
use frontier::{NamedGroup, NamedGroups};
use snapshot::WaitsFor;
use std::sync::Arc;

const HOSTS: usize = 200;

/// Hosts of as many domains, all at one address.
fn seeds() -> Vec<&'static str> {
    (0..HOSTS).map(|nth| &*format!("http://{nth}.example/").leak()).collect()
}

/// All hosts are known, and one of them is contacted.
fn begun(config: CrawlConfig) -> Hand {
    let mut hand = Hand::new(config, &seeds());
    hand.go_on();
    while !hand.seeds.is_empty() {
        hand.end_commit();
        hand.poll();
    }
    hand
}

#[track_caller]
fn check_that_all_are_served(mut hand: Hand) {
    hand.run(20_000, OK);
    assert!(hand.exit.is_some(), "all URLs have been fetched");
    assert_eq!(hand.crawler.snapshot(hand.now).pages, HOSTS as u64);
}

#[test]
fn few_of_many_hosts_stand_in_their_servers_line_and_all_are_served() {
    let hand = begun(config());
    assert_eq!(hand.crawler.servers.queued(), IN_LINE);
    let waits = hand.crawler.strain(hand.now).waits;
    assert_eq!(waits[&WaitsFor::Server].hosts as usize, HOSTS - IN_LINE - 1);
    check_that_all_are_served(hand);
}

#[test]
fn few_of_many_hosts_stand_in_their_groups_line_and_all_are_served() {
    let hosts = (0..HOSTS).map(|nth| format!("{nth}.example").parse().unwrap()).collect();
    let groups = vec![NamedGroup { name: "all".to_owned(), hosts, interval_ms: 2_000 }];
    let groups = Arc::new(NamedGroups::new(groups).unwrap());
    let hand = begun(CrawlConfig { groups, server_delay_ms: 0, server_floor_ms: 0, ..config() });
    assert!(hand.crawler.groups.queued() <= IN_LINE, "{}", hand.crawler.groups.queued());
    assert!(hand.crawler.strain(hand.now).waits[&WaitsFor::Server].hosts as usize >= HOSTS - IN_LINE - 2);
    check_that_all_are_served(hand);
}

#[test]
fn hunger_has_a_second_and_then_its_share() {
    let mut appetite = Appetite::default();
    let mut taken_ms = 0;
    while appetite.gone_until(START).is_none() {
        appetite.take(10, START);
        taken_ms += 10;
    }
    assert_eq!(taken_ms, APPETITE_MS + 10);
    let returns = START + 10 * APPETITE_SHARE;
    assert_eq!(appetite.gone_until(START), Some(returns), "what was too much is made up for");
    appetite.take(10, returns);
    assert_eq!(appetite.gone_until(returns), Some(returns + 10 * APPETITE_SHARE));
    assert_eq!(appetite.gone_until(returns + 10 * APPETITE_SHARE), None);
}
