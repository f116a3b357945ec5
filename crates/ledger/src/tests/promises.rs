//! Delays that change while contacts are under way: the ledger has these behind the new promise, and they are judged by the old one.

use super::forge::{Forge, Visit, address_of, promise};
use super::journal::{A, check};
use crate::Breach;
use crawler::{Promise, Reach, RobotsAnswer, Stop};
use std::collections::BTreeMap;

/// What is promised from now on.
fn set(forge: &mut Forge, stop: Stop, change: impl FnOnce(&mut Promise)) {
    let mut promise = promise(forge.now_ms, stop);
    change(&mut promise);
    forge.promise(promise);
}

fn host_delay(forge: &mut Forge, delay_ms: u64) {
    set(forge, Stop::Clean, |promise| promise.delay.host_ms = delay_ms);
}

/// Hosts of one domain, none with rules.
fn domain_of(hosts: u64) -> (Forge, Vec<String>) {
    let hosts: Vec<String> = (0..hosts).map(|n| format!("http://h{n}.a.example")).collect();
    let mut forge = Forge::new();
    for host in &hosts {
        forge.robots_answer(host, 5_000, RobotsAnswer::Absent { status: 404 });
    }
    (forge, hosts)
}

#[test]
fn slow_answers_of_a_domain_whose_delay_grows_meanwhile_are_judged_by_the_old_one() {
    let slow = |apart_ms: u64, next_ms: u64| {
        let (mut forge, hosts) = domain_of(4);
        let begun = forge.now_ms + 60_000;
        forge.now_ms = begun + 3_000;
        set(&mut forge, Stop::Clean, |promise| {
            (promise.delay.host_ms, promise.delay.group_ms) = (10_000, 10_000);
        });
        for (n, host) in (0..).zip(&hosts) {
            let started_ms = begun + n * apart_ms;
            forge.visit(&Visit { took_ms: 6_000, ..Visit::new(&format!("{host}/slow"), started_ms) });
        }
        let last_ms = begun + 3 * apart_ms;
        forge.robots_answer("http://new.a.example", 0, RobotsAnswer::Absent { status: 404 });
        forge.entries.truncate(forge.entries.len() - 4);
        forge.visit(&Visit::new("http://new.a.example/robots.txt", last_ms + next_ms));
        forge.breaches()
    };
    assert_eq!(slow(250, 10_000), BTreeMap::new());
    assert_eq!(slow(200, 10_000), [(Breach::DomainRate, 3)].into());
    assert_eq!(slow(250, 9_900), [(Breach::DomainRate, 1)].into());
}

#[test]
fn slow_answers_of_an_address_that_was_not_left_alone_before_are_judged_by_that() {
    let slow = |next_ms: u64| {
        let (mut forge, address) = (Forge::new(), address_of("shared"));
        let at = |host: u64, started_ms: u64, took_ms: u64| {
            let visit = Visit::new(&format!("http://h{host}.d{host}.example/robots.txt"), started_ms);
            Visit { address, took_ms, reach: Reach::Allowed, ..visit }
        };
        set(&mut forge, Stop::Clean, |promise| (promise.delay.host_ms, promise.server_ms) = (0, 0));
        let begun = forge.now_ms + 60_000;
        forge.now_ms = begun + 3_000;
        set(&mut forge, Stop::Clean, |promise| (promise.delay.host_ms, promise.server_ms) = (0, 2_000));
        (0..4).for_each(|host| _ = forge.visit(&at(host, begun + host, 6_000)));
        forge.visit(&at(5, forge.now_ms + next_ms, 20));
        forge.breaches()
    };
    assert_eq!(slow(2_000), BTreeMap::new());
    assert_eq!(slow(1_999), [(Breach::ServerDelay, 1)].into());
}

#[test]
fn a_delay_that_was_shortened_stays_so_when_another_is_changed_meanwhile() {
    let twice = |next_ms: u64| {
        move |forge: &mut Forge| {
            host_delay(forge, 8_000);
            forge.page(&format!("{A}/3"), 8_000);
            host_delay(forge, 1_000);
            let begun = forge.now_ms + next_ms;
            forge.now_ms = begun + 2_500;
            set(forge, Stop::Clean, |promise| promise.server_ms = 300);
            forge.visit(&Visit { took_ms: 5_000, ..Visit::new(&format!("{A}/4"), begun) });
        }
    };
    check(twice(1_000), &[]);
    check(twice(999), &[(Breach::HostDelay, 1)]);
}

#[test]
fn whoever_was_drawn_before_a_promise_and_began_right_after_it_is_judged_by_the_old_one() {
    let drawn = |late_ms: u64| {
        move |forge: &mut Forge| {
            forge.now_ms += 1_000;
            host_delay(forge, 5_000);
            forge.page(&format!("{A}/3"), late_ms);
        }
    };
    check(drawn(19), &[]);
    check(drawn(20), &[(Breach::HostDelay, 1)]);
}

#[test]
fn a_longer_delay_is_owed_after_the_last_contact_of_before_too() {
    let raised = |wait_ms: u64| {
        move |forge: &mut Forge| {
            set(forge, Stop::Clean, |promise| {
                (promise.delay.host_ms, promise.delay.group_ms, promise.server_ms) = (15_000, 15_000, 15_000);
            });
            forge.page(&format!("{A}/3"), wait_ms);
        }
    };
    check(raised(15_000), &[]);
    let all = [(Breach::DomainRate, 1), (Breach::HostDelay, 1), (Breach::ServerDelay, 1)];
    check(raised(1_000), &all);
}

#[test]
fn the_full_delay_after_a_crash_is_owed_whatever_is_promised_next() {
    let crash = |delay_ms: u64, wait_ms: u64| {
        move |forge: &mut Forge| {
            forge.now_ms += 3_600_000;
            set(forge, Stop::Unclean, |promise| promise.delay.host_ms = 4_000);
            forge.now_ms += 500;
            host_delay(forge, delay_ms);
            forge.page(&format!("{A}/3"), wait_ms);
        }
    };
    check(crash(4_000, 3_500), &[]);
    check(crash(4_000, 3_499), &[(Breach::HostDelay, 1)]);
    check(crash(1_000, 1_000), &[]);
    check(crash(1_000, 999), &[(Breach::HostDelay, 1)]);
    check(crash(9_000, 8_500), &[]);
    check(crash(9_000, 8_499), &[(Breach::HostDelay, 1)]);
}

#[test]
fn many_promises_in_a_short_time_accuse_nobody() {
    check(
        |forge| {
            host_delay(forge, 3_600_000);
            forge.page(&format!("{A}/3"), 3_600_000);
            (0..1_000).for_each(|n| host_delay(forge, 1_000 + n % 2));
            forge.page(&format!("{A}/4"), 1_001);
        },
        &[],
    );
}
