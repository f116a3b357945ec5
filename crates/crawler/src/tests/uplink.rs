//! Machines that reach nobody.

use super::examples::config;
use super::hand::{Hand, OK};
use crate::limits::{OUTAGE_DOUBTS, OUTAGE_PROBES, OUTAGE_WAIT_MOST_MS, OUTAGE_WAIT_MS};
use crate::uplink::{Outage, Uplink};
use crate::{CrawlConfig, Event, Exit, OrderId};
use control::Command;
use frontier::{Address, FailureKind, Reach};
use stdx::Timestamp;

/// Pages of one host each. Robots.txt of all has been answered, and so has a page of each: whoever is silent now was well before.
fn well(hosts: usize) -> Hand {
    const SEEDS: [&str; 18] = [
        "http://a.example/1",
        "http://b.example/1",
        "http://c.example/1",
        "http://d.example/1",
        "http://e.example/1",
        "http://f.example/1",
        "http://a.example/2",
        "http://b.example/2",
        "http://c.example/2",
        "http://d.example/2",
        "http://e.example/2",
        "http://f.example/2",
        "http://a.example/3",
        "http://b.example/3",
        "http://c.example/3",
        "http://d.example/3",
        "http://e.example/3",
        "http://f.example/3",
    ];
    let is_met = |seed: &&&str| usize::from(seed.as_bytes()["http://".len()] - b'a') < hosts;
    let seeds: Vec<_> = SEEDS.iter().filter(is_met).copied().collect();
    let mut hand = Hand::new(CrawlConfig { concurrency: 64, ..config() }, &seeds);
    for _ in 0..2 * hosts {
        hand.go_on();
        hand.answer(OK);
    }
    hand
}

/// Lets the next contacts fail, those that are begun together as well.
fn fail(hand: &mut Hand, contacts: usize, kind: FailureKind) {
    for _ in 0..contacts {
        hand.go_on();
        hand.fail(kind);
    }
}

fn say(hand: &mut Hand, command: Command) {
    hand.handle(Event::Ordered { order: OrderId(0), command });
}

/// Lets all contacts fail until the crawl ends.
fn fail_to_the_end(hand: &mut Hand, kind: FailureKind) {
    while hand.exit.is_none() {
        hand.poll();
        hand.end_commit();
        while !hand.fetches.is_empty() {
            hand.fail(kind);
        }
        hand.poll();
        if hand.committing.is_none() && hand.exit.is_none() {
            hand.now = hand.crawler.next_deadline(hand.now).unwrap();
        }
    }
}

fn failures(hand: &Hand, kind: FailureKind) -> u64 {
    hand.crawler.snapshot(hand.now).failures.get(&kind.to_string()).copied().unwrap_or(0)
}

fn is_offline(hand: &Hand) -> bool {
    hand.crawler.snapshot(hand.now).strain.offline.is_some()
}

#[test]
fn hosts_that_all_fall_silent_are_not_to_blame() {
    // Private addresses are what a captive portal or a filter gives them.
    for kind in [FailureKind::ConnectTimeout, FailureKind::Local, FailureKind::AddressRefused] {
        let mut hand = well(6);
        fail(&mut hand, 40, kind);
        let counted = u64::from(OUTAGE_DOUBTS) - 1;
        assert_eq!((failures(&hand, kind), failures(&hand, FailureKind::Offline)), (counted, 40 - counted));
        assert!(is_offline(&hand));
        hand.run(200, OK);
        assert_eq!(hand.exit, Some(Exit::Done));
        let end = hand.crawler.snapshot(hand.now);
        assert_eq!((end.pages, end.parked, end.strain.offline), (18, 0, None), "{kind}");
    }
}

#[test]
fn while_nobody_is_heard_little_is_begun() {
    let mut hand = well(6);
    fail(&mut hand, 6, FailureKind::ConnectTimeout);
    let began = hand.now;
    let mut begun = 0;
    while hand.now.since_ms(began) < 8 * OUTAGE_WAIT_MOST_MS {
        fail(&mut hand, 1, FailureKind::ConnectTimeout);
        begun += 1;
    }
    let rounds = 8 + (OUTAGE_WAIT_MOST_MS / OUTAGE_WAIT_MS).ilog2();
    assert!(begun <= OUTAGE_PROBES as u32 * (rounds + 1), "{begun}");
    assert!(begun >= 8, "{begun}");
}

/// Whoever answers is proof that the way is free.
#[test]
fn a_host_that_fails_beside_others_that_answer_is_to_blame() {
    let mut hand = well(6);
    for _ in 0..6 {
        fail(&mut hand, 1, FailureKind::ConnectTimeout);
        hand.go_on();
        hand.answer(OK);
    }
    assert_eq!(failures(&hand, FailureKind::Offline), 0);
}

#[test]
fn hosts_that_never_answered_are_given_up() {
    let seeds = ["http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"];
    let mut hand = Hand::new(config(), &seeds);
    hand.go_on();
    hand.answer(OK);
    fail_to_the_end(&mut hand, FailureKind::ConnectTimeout);
    assert_eq!((hand.exit, failures(&hand, FailureKind::Offline)), (Some(Exit::Done), 0));
    assert_eq!(hand.crawler.snapshot(hand.now).parked, 4);
}

/// A machine without a way over IPv4, and hosts that have addresses of both families.
#[test]
fn hosts_are_tried_over_both_families_before_the_way_is_in_doubt() {
    let seeds = ["http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"];
    let mut hand = Hand::new(config(), &seeds);
    hand.addresses.push(Address { ip: "2001:db8::1".parse().unwrap(), reach: Reach::Public });
    while hand.exit.is_none() {
        hand.poll();
        hand.end_commit();
        while let Some(job) = hand.fetches.first() {
            let has_a_way = job.address.ip().is_ipv6();
            if has_a_way { hand.answer(OK) } else { hand.fail(FailureKind::ConnectTimeout) }
        }
        hand.poll();
        if hand.committing.is_none() && hand.exit.is_none() {
            hand.now = hand.crawler.next_deadline(hand.now).unwrap();
        }
    }
    assert_eq!((hand.exit, hand.crawler.snapshot(hand.now).pages), (Some(Exit::Done), 4));
    assert_eq!(failures(&hand, FailureKind::Offline), 0);
}

/// Whoever begins where there is no network has given nobody up.
#[test]
fn a_crawl_that_has_never_heard_anybody_does_not_end_as_done() {
    for kind in [FailureKind::ConnectTimeout, FailureKind::Local] {
        let mut hand = Hand::new(config(), &["http://a.example/"]);
        fail_to_the_end(&mut hand, kind);
        assert_eq!((hand.exit, hand.crawler.snapshot(hand.now).parked), (Some(Exit::Waiting), 0), "{kind}");
    }
}

/// A crawl with so many slots and a seed each of so many hosts, of which those whose names are asked for first are dead.
fn begun_with_the_dead(slots: usize, dead: usize, well: usize) -> Hand {
    let seed = |n: usize| -> &'static str { format!("http://{n}.example/").leak() };
    let seeds: Vec<_> = (0..dead + well).map(seed).collect();
    let mut hand = Hand::new(CrawlConfig { concurrency: slots, ..config() }, &seeds);
    hand.dead_most = dead;
    hand
}

#[test]
fn whoever_begins_with_the_dead_finds_the_living_behind_them() {
    for (slots, dead, well) in [(4, 25, 5), (8, 120, 5), (256, 1_000, 40)] {
        let mut hand = begun_with_the_dead(slots, dead, well);
        let began = hand.now;
        while hand.crawler.pages() < well as u64 {
            hand.run(1, OK);
            assert!(hand.now.since_ms(began) < 60_000, "{slots} slots: {} pages", hand.crawler.pages());
        }
        assert!(!is_offline(&hand));
    }
}

#[test]
fn once_anybody_was_heard_the_dead_are_given_up() {
    let mut hand = begun_with_the_dead(4, 25, 5);
    hand.run(2_000, OK);
    let end = hand.crawler.snapshot(hand.now);
    assert_eq!((hand.exit, end.pages, end.parked), (Some(Exit::Done), 5, 25));
}

#[test]
fn where_all_names_fail_each_is_asked_for_and_then_a_few_now_and_then() {
    let mut hand = begun_with_the_dead(8, 120, 0);
    hand.run(2_000, OK);
    assert_eq!((hand.exit, hand.crawler.snapshot(hand.now).parked), (Some(Exit::Waiting), 0));
    let counted = u64::from(OUTAGE_DOUBTS) - 1;
    assert_eq!((hand.dead.len(), failures(&hand, FailureKind::NameServer)), (120, counted));
    let offline = failures(&hand, FailureKind::Offline);
    assert!((120 - counted..220).contains(&offline), "{offline}");
}

#[test]
fn who_reaches_nobody_waits_for_the_patience_and_leaves() {
    let mut hand = well(6);
    let began = hand.now;
    fail_to_the_end(&mut hand, FailureKind::Local);
    assert_eq!(hand.exit, Some(Exit::Waiting));
    let lasted = hand.now.since_ms(began);
    assert!((config().patience_ms..config().patience_ms + 60_000).contains(&lasted), "{lasted}");
    assert!(is_offline(&hand), "it says why");
    assert_eq!(hand.crawler.snapshot(hand.now).parked, 0);
}

#[test]
fn hosts_that_were_private_from_the_beginning_are() {
    let mut hand = Hand::new(
        config(),
        &["http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"],
    );
    fail_to_the_end(&mut hand, FailureKind::AddressRefused);
    assert!(!is_offline(&hand));
    assert_eq!(failures(&hand, FailureKind::Offline), 0);
}

#[test]
fn an_outage_of_days_ago_says_nothing_of_today() {
    let began = Timestamp::from_ms(1_700_000_000_000);
    let outage = Outage { since: began, because: "silence".to_owned() };
    for (hours, is_believed) in [(23, true), (27, false)] {
        let mut uplink = Uplink::after(Some(outage.clone()));
        uplink.begin_run(began + hours * 3_600_000);
        assert_eq!(uplink.outage().is_some(), is_believed, "{hours}");
    }
}

#[test]
fn whoever_goes_on_after_a_pause_tries_at_once() {
    let mut hand = well(6);
    fail(&mut hand, 6, FailureKind::Local);
    say(&mut hand, Command::Pause);
    hand.now = hand.now + 2 * config().patience_ms;
    hand.poll();
    assert_eq!(hand.exit, None, "a paused crawl does not end by its patience");
    say(&mut hand, Command::Resume);
    hand.run(200, OK);
    assert_eq!((hand.exit, hand.crawler.snapshot(hand.now).pages), (Some(Exit::Done), 18));
}
