//! What robots.txt says, and how long that holds.

use super::forge::{DAY_MS, Forge, promise};
use super::journal::{A, check};
use crate::Breach;
use crate::audit::audit_within;
use crawler::{Promise, RobotsAnswer, Stop};
use std::collections::BTreeMap;
use stdx::Rng;

#[test]
fn what_robots_txt_forbids() {
    let rules = "User-agent: *\nDisallow: /private\nAllow: /private/open";
    let told = |forge: &mut Forge, target: &str| {
        forge.robots(A, 1_000, rules).page(&format!("{A}{target}"), 1_000);
    };
    check(|forge| told(forge, "/private/open"), &[]);
    check(|forge| told(forge, "/private/else"), &[(Breach::Robots, 1)]);
    let mut forge = Forge::host(A);
    forge.robots(A, 1_000, rules).page(&format!("{A}/private?q"), 1_000);
    let found = &forge.audit().findings.kept[0];
    assert_eq!(found.detail, "line 2 of robots.txt: Disallow: /private");
    assert_eq!(found.url, format!("{A}/private?q"));
}

#[test]
fn rules_that_are_missing_or_too_old_or_could_not_be_had() {
    let page = |forge: &mut Forge, url: &str, after_ms: u64| _ = forge.page(url, after_ms);
    check(|forge| page(forge, "http://b.test/", 1_000), &[(Breach::RobotsMissing, 1)]);
    check(|forge| page(forge, "https://a.example/", 1_000), &[(Breach::RobotsMissing, 1)]);
    check(|forge| page(forge, &format!("{A}/3"), DAY_MS - 10_000), &[]);
    check(|forge| page(forge, &format!("{A}/3"), DAY_MS + 10_000), &[(Breach::RobotsStale, 1)]);
    let unreachable = RobotsAnswer::Unreachable { detail: "status 500".to_owned(), retry_after_ms: None };
    let b = "http://b.test";
    let after = |forge: &mut Forge| {
        forge.robots_answer(b, 1_000, unreachable.clone()).page(&format!("{b}/3"), 90_000);
    };
    check(after, &[(Breach::Robots, 1)]);
}

/// What a robots.txt says is read under a name, and for that alone.
#[test]
fn rules_that_were_read_under_another_name() {
    let promised = |forge: &mut Forge, agent: &str| {
        forge.promise(Promise { agent: agent.to_owned(), ..promise(forge.now_ms, Stop::Clean) });
    };
    let page = |forge: &mut Forge| _ = forge.page(&format!("{A}/3"), 1_000);
    let check_after = |agent: &'static str, found: &[(Breach, u64)]| {
        let renamed = |forge: &mut Forge| {
            promised(forge, agent);
            page(forge);
        };
        check(renamed, found);
    };
    check_after("drumlin", &[]);
    check_after("greedybot", &[(Breach::RobotsMissing, 1)]);
    let asked_anew = |forge: &mut Forge| {
        promised(forge, "greedybot");
        forge.robots(A, 1_000, "");
        page(forge);
    };
    check(asked_anew, &[]);
}

/// RFC 9309, section 2.4: rules may be obeyed for longer than a day while there are no newer ones to be had.
#[test]
fn old_rules_count_while_a_server_does_not_give_new_ones() {
    let hour = 3_600_000;
    let in_vain = |forge: &mut Forge, after_ms: u64| {
        let answer = RobotsAnswer::Unreachable { detail: "status 500".to_owned(), retry_after_ms: None };
        forge.robots_answer(A, after_ms, answer);
    };
    let page = |forge: &mut Forge, after_ms: u64| _ = forge.page(&format!("{A}/3"), after_ms);
    let check_after = |days: u64, tried_before_ms: u64, found: &[(Breach, u64)]| {
        check(
            |forge| {
                in_vain(forge, days * DAY_MS);
                page(forge, tried_before_ms);
            },
            found,
        );
    };
    check_after(2, 90_000, &[]);
    check_after(2, 2 * hour, &[(Breach::RobotsStale, 1)]);
    check_after(31, 90_000, &[(Breach::Robots, 1)]);
    let forbidden = |forge: &mut Forge| {
        forge.robots(A, 1_000, "User-agent: *\nDisallow: /3");
        in_vain(forge, 2 * DAY_MS);
        page(forge, 90_000);
    };
    check(forbidden, &[(Breach::Robots, 1)]);
}

/// A robots.txt of many lines that no other host has, the last of which forbids.
fn long_rules(rng: &mut Rng) -> String {
    let line = |_| format!("Disallow: /archive/{:05}/private\n", rng.next_u64() % 100_000);
    let lines: Vec<String> = (0..1_000).map(line).collect();
    format!("User-agent: *\n{}Disallow: /no\n", lines.concat())
}

fn breaches_within(bytes: u64, forge: &Forge) -> (u64, BTreeMap<Breach, u64>) {
    let audit = audit_within(bytes, |_| Ok(forge.journal()), None).unwrap();
    (audit.passes, audit.findings.counts)
}

/// In memory, rules take what they take packed: a few bytes a line, where compiled ones take more than a hundred.
#[test]
fn long_rules_of_many_hosts_are_judged_in_one_pass() {
    let (mut forge, mut rng) = (Forge::new(), Rng::new(12));
    let host = |n: u64| format!("http://h.d{n}.example");
    (0..100).for_each(|n| _ = forge.robots(&host(n), 300, &long_rules(&mut rng)));
    // In turn, so that the rules at hand are always those of others.
    for visit in 0..300 {
        let path = if visit % 30 == 7 { "/no" } else { "" };
        forge.page(&format!("{}{path}/{visit}", host(visit % 100)), 300);
    }
    let lines = 100 * 1_000;
    assert_eq!(breaches_within(8 * lines, &forge), (1, [(Breach::Robots, 10)].into()));
    assert!(breaches_within(lines, &forge).0 > 4, "the bound holds");
}

#[test]
fn equal_rules_are_remembered_once() {
    let (mut forge, rules) = (Forge::new(), long_rules(&mut Rng::new(13)));
    let host = |n: u64| format!("http://h.d{n}.example");
    (0..100).for_each(|n| _ = forge.robots(&host(n), 300, &rules));
    (0..100).for_each(|n| _ = forge.page(&format!("{}/no", host(n)), 300));
    assert_eq!(breaches_within(100_000, &forge), (1, [(Breach::Robots, 100)].into()));
}
