use super::forge::{DAY_MS, Forge, START_MS, Visit, answered, promise, timed_out};
use crate::audit::audit_within;
use crate::clocks::server_of;
use crate::limits::FINDINGS_KEPT;
use crate::{AuditError, Breach, audit};
use control::{Changes, Command, Target};
use crawler::{End, NamedGroup, Promise, Reach, Record, RobotsAnswer, Stop};
use std::collections::BTreeMap;
use stdx::{Rng, Timestamp};

pub(super) const A: &str = "http://a.example";

/// What is found in a ledger of one host that ends as `plant` says.
pub(super) fn check(plant: impl FnOnce(&mut Forge), expected: &[(Breach, u64)]) {
    let mut forge = Forge::host(A);
    forge.page(&format!("{A}/1"), 1_000).page(&format!("{A}/2"), 1_000);
    assert_eq!(forge.breaches(), BTreeMap::new(), "before anything is planted");
    plant(&mut forge);
    assert_eq!(forge.breaches(), expected.iter().copied().collect());
}

#[test]
fn a_host_that_is_contacted_too_early() {
    let three = format!("{A}/3");
    check(|forge| _ = forge.page(&three, 1_000), &[]);
    check(|forge| _ = forge.page(&three, 999), &[(Breach::HostDelay, 1)]);
}

#[test]
fn a_slow_answer_is_owed_ten_times_its_time_and_no_more_than_thirty_seconds() {
    let slow = |forge: &mut Forge, took_ms: u64, wait_ms: u64| {
        let visit = Visit { took_ms, ..Visit::new(&format!("{A}/3"), forge.now_ms + 1_000) };
        forge.visit(&visit).page(&format!("{A}/4"), wait_ms);
    };
    check(|forge| slow(forge, 400, 4_000), &[]);
    check(|forge| slow(forge, 400, 3_999), &[(Breach::HostDelay, 1)]);
    check(|forge| slow(forge, 9_000, 30_000), &[]);
    check(|forge| slow(forge, 9_000, 29_999), &[(Breach::HostDelay, 1)]);
}

#[test]
fn overload_is_owed_what_the_server_asks_for() {
    check(|forge| visit_after(forge, answered(503, Some(7_000)), 7_000), &[]);
    check(|forge| visit_after(forge, answered(503, Some(7_000)), 6_999), &[(Breach::HostDelay, 1)]);
    check(|forge| visit_after(forge, answered(503, None), 59_999), &[(Breach::HostDelay, 1)]);
}

#[test]
fn on_the_public_internet_overload_is_owed_a_minute_whatever_the_operator_says() {
    let after = |reach: Reach, wait_ms: u64| {
        let mut forge = Forge::new();
        forge.promise(Promise { overload_ms: 5_000, ..promise(forge.now_ms, Stop::Clean) });
        forge.robots(A, 0, "");
        let end = answered(503, None);
        let visit = Visit { reach, end, ..Visit::new(&format!("{A}/3"), forge.now_ms + 1_000) };
        let ended_ms = visit.started_ms + visit.took_ms;
        let next = Visit { reach, ..Visit::new(&format!("{A}/4"), ended_ms + wait_ms) };
        forge.visit(&visit).visit(&next).breaches()
    };
    assert_eq!(after(Reach::Public, 60_000), BTreeMap::new());
    assert_eq!(after(Reach::Public, 59_999), [(Breach::HostDelay, 1)].into());
    assert_eq!(after(Reach::Allowed, 5_000), BTreeMap::new());
    assert_eq!(after(Reach::Allowed, 4_999), [(Breach::HostDelay, 1)].into());
}

/// RFC 9110, section 10.2.3: a server may ask for it with any answer. What it asks for beyond a year is not owed.
#[test]
fn every_answer_is_owed_what_it_asks_for() {
    for status in [200, 301, 404, 500] {
        check(|forge| visit_after(forge, answered(status, Some(7_000)), 7_000), &[]);
        check(|forge| visit_after(forge, answered(status, Some(7_000)), 6_999), &[(Breach::HostDelay, 1)]);
        check(|forge| visit_after(forge, answered(status, None), 1_000), &[]);
    }
    let asked = answered(200, Some(2 * 365 * DAY_MS));
    check(|forge| visit_after(forge, asked.clone(), 365 * DAY_MS), &[(Breach::RobotsStale, 1)]);
    let early = [(Breach::HostDelay, 1), (Breach::RobotsStale, 1)];
    check(|forge| visit_after(forge, asked.clone(), 365 * DAY_MS - 1), &early);
}

/// A page that ends so, and the next one after a while.
fn visit_after(forge: &mut Forge, end: End, wait_ms: u64) {
    let visit = Visit { end, ..Visit::new(&format!("{A}/3"), forge.now_ms + 1_000) };
    forge.visit(&visit).page(&format!("{A}/4"), wait_ms);
}

#[test]
fn a_crawl_delay_holds_from_its_answer_on() {
    let mut forge = Forge::new();
    forge
        .robots(A, 0, "User-agent: *\nCrawl-delay: 5")
        .page(&format!("{A}/1"), 5_000)
        .page(&format!("{A}/2"), 5_000);
    assert_eq!(forge.breaches(), BTreeMap::new());
    assert_eq!(forge.applied(), ["first", "crawl-delay", "crawl-delay"]);
    forge.page(&format!("{A}/3"), 4_999);
    assert_eq!(forge.breaches(), [(Breach::HostDelay, 1)].into());
    let mut forge = Forge::new();
    forge.robots(A, 0, "User-agent: *\nCrawl-delay: 5").page(&format!("{A}/1"), 4_999);
    assert_eq!(forge.breaches(), [(Breach::HostDelay, 1)].into());
}

/// Nobody waits for it: its pages are left alone, while robots.txt may be asked for again, and so may another authority.
#[test]
fn a_crawl_delay_that_is_too_long_holds_for_pages_of_its_authority() {
    let (slow, secure) = ("User-agent: *\nCrawl-delay: 301", A.replace("http:", "https:"));
    let again = |forge: &mut Forge| {
        forge.robots(&secure, 1_000, "").page(&format!("{secure}/4"), 1_000);
        forge.robots(A, 1_000, slow).robots(A, 1_000, "").page(&format!("{A}/3"), 1_000);
    };
    check(again, &[]);
    let page = |forge: &mut Forge| _ = forge.robots(A, 1_000, slow).page(&format!("{A}/3"), 300_999);
    check(page, &[(Breach::HostDelay, 1)]);
}

/// The DNS root's dot makes no other host, nor another domain, even of a name that has none.
#[test]
fn a_host_with_a_dot_at_its_end_has_the_clocks_of_the_one_without() {
    let dotted = |forge: &mut Forge, host: &str, after_ms: u64| {
        forge.robots(&format!("{host}."), 1_000, "").page(&format!("{host}/3"), after_ms);
    };
    check(|forge| dotted(forge, A, 1_000), &[]);
    check(|forge| dotted(forge, A, 999), &[(Breach::HostDelay, 1)]);
    let bare = "http://intranet";
    let after = |forge: &mut Forge, after_ms: u64| {
        forge.robots(bare, 1_000, "");
        dotted(forge, bare, after_ms);
    };
    check(|forge| after(forge, 1_000), &[]);
    check(|forge| after(forge, 200), &[(Breach::DomainRate, 1), (Breach::HostDelay, 1)]);
    let asked = |forge: &mut Forge, after_ms: u64| {
        forge
            .robots(&format!("{A}."), 1_000, "User-agent: *\nCrawl-delay: 5")
            .page(&format!("{A}/3"), after_ms);
    };
    check(|forge| asked(forge, 5_000), &[]);
    check(|forge| asked(forge, 4_999), &[(Breach::HostDelay, 1)]);
}

#[test]
fn without_a_journal_nothing_is_proven() {
    let mut forge = Forge::new();
    forge.entries.clear();
    let audited = audit(|_| Ok(forge.journal()), Some(&promise(START_MS, Stop::Clean)));
    let error = audited.expect_err("there is nothing to judge");
    assert!(matches!(error, AuditError::NoJournal));
    assert_eq!(error.to_string(), "there is no journal; nothing can be proven");
}

#[test]
fn an_ipv6_address_that_carries_one_of_ipv4_is_the_same_server() {
    let server = |text: &str| server_of(text.parse().unwrap()).to_string();
    for text in ["::ffff:198.51.100.7", "64:ff9b::198.51.100.7", "2002:c633:6407::1", "198.51.100.7"] {
        assert_eq!(server(text), "198.51.100.7", "{text}");
    }
    assert_eq!(server("2001:db8::c633:6407"), "2001:db8::");
}

#[test]
fn servers_and_domains_have_clocks_of_their_own() {
    let other = |forge: &mut Forge, host: &str, after_ms: u64, same_address: &str| {
        forge.robots_answer(host, 5_000, RobotsAnswer::Absent { status: 404 });
        let address = super::forge::address_of(same_address);
        let visit = Visit { address, ..Visit::new(&format!("{A}/3"), forge.now_ms + after_ms) };
        forge.visit(&visit);
    };
    check(|forge| other(forge, "http://b.test", 250, "b.test"), &[]);
    check(|forge| other(forge, "http://b.test", 249, "b.test"), &[(Breach::ServerDelay, 1)]);
    check(|forge| other(forge, "http://b.test", 0, "a.example"), &[]);
    check(|forge| other(forge, "http://b.a.example", 230, "a.example"), &[]);
    check(|forge| other(forge, "http://b.a.example", 200, "a.example"), &[(Breach::DomainRate, 1)]);
}

/// From start to start, whatever their domains, and as long as the promise holds that the group came with.
#[test]
fn hosts_that_the_operator_put_into_a_group_share_a_clock() {
    let grouped = |forge: &mut Forge| {
        let hosts = ["*.a.example", "b.test"].map(|host| host.parse().unwrap()).to_vec();
        forge.write(&Record::Grouped {
            groups: vec![NamedGroup { name: "all".to_owned(), hosts, interval_ms: 9_000 }],
        });
    };
    let other = |forge: &mut Forge, after_ms: u64| {
        forge.robots_answer("http://b.test", 20_000, RobotsAnswer::Absent { status: 404 });
        // The last one began 20 ms before it ended.
        forge.page(&format!("{A}/3"), after_ms - 20);
    };
    check(
        |forge| {
            grouped(forge);
            other(forge, 9_000);
        },
        &[],
    );
    check(
        |forge| {
            grouped(forge);
            other(forge, 8_900);
        },
        &[(Breach::GroupInterval, 1)],
    );
    check(|forge| other(forge, 8_900), &[]);
    let ended = |forge: &mut Forge| {
        grouped(forge);
        forge.promise(promise(forge.now_ms, Stop::Clean));
        other(forge, 8_900);
    };
    check(ended, &[]);
}

/// With `--ip-delay 0` hosts of one address are contacted at once: the ledger has them in the order in which they ended.
#[test]
fn an_address_that_is_not_left_alone_may_be_contacted_twice_at_once() {
    let overlapping = |server_ms: u64, reach: Reach| {
        let mut forge = Forge::host(A);
        forge.promise(Promise { server_ms, ..promise(forge.now_ms, Stop::Clean) });
        forge.robots_answer("http://b.test", 5_000, RobotsAnswer::Absent { status: 404 });
        let address = super::forge::address_of("shared");
        let at = |url: &str, started_ms: u64| Visit { address, reach, ..Visit::new(url, started_ms) };
        let begun = forge.now_ms + 5_000;
        forge.visit(&at(&format!("{A}/3"), begun)).visit(&at("http://b.test/", begun + 19));
        forge.breaches()
    };
    assert_eq!(overlapping(0, Reach::Allowed), BTreeMap::new());
    assert_eq!(overlapping(1, Reach::Allowed), [(Breach::ServerDelay, 1)].into());
    assert_eq!(overlapping(0, Reach::Public), [(Breach::ServerDelay, 1)].into(), "there the floor holds");
}

#[test]
fn a_long_contact_that_ends_after_others_of_its_domain_is_judged_by_its_start() {
    let long = |forge: &mut Forge, started_ms: u64| {
        forge.robots_answer("http://b.a.example", 5_000, RobotsAnswer::Absent { status: 404 });
        let begun = forge.now_ms - 20;
        let visit = Visit { took_ms: 60_000, ..Visit::new(&format!("{A}/3"), begun - started_ms) };
        forge.visit(&visit);
    };
    check(|forge| long(forge, 250), &[]);
    check(|forge| long(forge, 100), &[(Breach::DomainRate, 1)]);
}

#[test]
fn a_final_answer_is_asked_for_once() {
    check(|forge| _ = forge.page(&format!("{A}/2"), 1_000), &[(Breach::FetchedTwice, 1)]);
    check(|forge| _ = forge.page("http://A.example/2?utm_source=x", 1_000), &[(Breach::FetchedTwice, 1)]);
    let failed = |forge: &mut Forge| {
        let visit = Visit { end: timed_out(), ..Visit::new(&format!("{A}/3"), forge.now_ms + 1_000) };
        forge.visit(&visit).page(&format!("{A}/3"), 10_000);
    };
    check(failed, &[]);
}

#[test]
fn after_a_crash_everybody_is_owed_the_full_delay() {
    let crash = |forge: &mut Forge, wait_ms: u64| {
        forge.now_ms += 3_600_000;
        forge.promise(promise(forge.now_ms, Stop::Unclean));
        forge.page(&format!("{A}/3"), wait_ms);
    };
    check(|forge| crash(forge, 1_000), &[]);
    check(|forge| crash(forge, 900), &[(Breach::HostDelay, 1)]);
    check(
        |forge| crash(forge, 50),
        &[(Breach::DomainRate, 1), (Breach::HostDelay, 1), (Breach::ServerDelay, 1)],
    );
}

#[test]
fn delays_are_those_that_were_promised_at_the_time() {
    let mut forge = Forge::host(A);
    forge.page(&format!("{A}/1"), 1_000);
    let mut gentle = promise(forge.now_ms, Stop::Clean);
    gentle.delay.host_ms = 4_000;
    forge.promise(gentle);
    forge.page(&format!("{A}/2"), 4_000).page(&format!("{A}/3"), 3_000);
    let found = forge.audit().findings;
    assert_eq!(found.counts, [(Breach::HostDelay, 1)].into());
    assert!(found.kept[0].url.ends_with("/3"), "{found:?}");
}

/// Whoever was contacted before is owed the new delay from the new promise on.
#[test]
fn a_longer_delay_of_before_is_taken_back_by_a_promise() {
    let wait = |ms| {
        move |forge: &mut Forge| {
            let mut long = promise(forge.now_ms, Stop::Clean);
            (long.delay.host_ms, long.server_ms, long.delay.group_ms) = (3_600_000, 3_600_000, 3_600_000);
            forge.promise(long);
            forge.page(&format!("{A}/3"), 3_600_000);
            forge.promise(promise(forge.now_ms, Stop::Clean));
            forge.page(&format!("{A}/4"), ms).page(&format!("{A}/5"), 1_000);
        }
    };
    check(wait(1_000), &[]);
    check(wait(900), &[(Breach::HostDelay, 1)]);
}

#[test]
fn a_journal_without_its_beginning_proves_from_then_on() {
    let mut forge = Forge::host(A);
    forge.page(&format!("{A}/1"), 1_000);
    forge.entries.drain(..6);
    let assumed = promise(START_MS, Stop::Clean);
    let audit = |forge: &Forge| audit(|_| Ok(forge.journal()), Some(&assumed)).unwrap();
    let early = audit(&forge);
    assert_eq!((early.first_entry, early.counts.unproven_rules), (7, 1));
    assert_eq!(early.findings.total(), 0);
    forge.page(&format!("{A}/2"), 2 * DAY_MS);
    assert_eq!(audit(&forge).findings.counts, [(Breach::RobotsMissing, 1)].into());
}

#[test]
fn without_a_promise_no_delay_is_proven() {
    let mut forge = Forge::host(A);
    forge.page(&format!("{A}/1"), 1);
    forge.entries.drain(..2);
    let audit = forge.audit();
    assert_eq!((audit.counts.unproven_delays, audit.findings.total()), (2, 0));
}

/// Two hundred hosts in fifty domains, never too early, with a few planted breaches.
fn large() -> Forge {
    let (mut forge, mut rng) = (Forge::new(), Rng::new(11));
    let host = |n: u64| format!("http://h{}.d{}.example", n / 50, n % 50);
    (0..200).for_each(|n| _ = forge.robots(&host(n), 300, "User-agent: *\nDisallow: /no"));
    for page in 0..2_000 {
        forge.page(&format!("{}/{page}", host(page % 200)), 300);
        if rng.one_in(100) {
            forge.page(&format!("{}/no/{page}", host(page % 200)), 300);
        }
    }
    forge
}

#[test]
fn in_little_memory_the_same_is_found_in_several_passes() {
    let forge = large();
    let at_once = forge.audit();
    assert_eq!(at_once.passes, 1);
    assert!(at_once.findings.counts[&Breach::Robots] > 5 && at_once.findings.counts[&Breach::HostDelay] > 5);
    let in_turns = audit_within(10_000, |_| Ok(forge.journal()), None).unwrap();
    assert!(in_turns.passes > 8, "{}", in_turns.passes);
    assert_eq!(in_turns.findings, at_once.findings);
    assert_eq!(in_turns.counts, at_once.counts);
}

#[test]
fn of_many_findings_the_first_are_kept_and_all_are_counted() {
    let mut forge = Forge::host(A);
    let many = FINDINGS_KEPT as u64 + 100;
    (0..many).for_each(|n| _ = forge.page(&format!("{A}/{n}"), 900));
    let findings = forge.audit().findings;
    assert_eq!((findings.total(), findings.kept.len()), (many, FINDINGS_KEPT));
}

#[test]
fn what_is_excluded_or_taken_down_is_contacted_no_more() {
    let target = || Target::Host("a.example".parse().unwrap());
    let said = |forge: &mut Forge, command: Command| {
        let at = Timestamp::from_ms(forge.now_ms);
        forge.write(&Record::Control { at, command, instead_of: Changes::default() });
    };
    let later = |forge: &mut Forge| _ = forge.page(&format!("{A}/3"), 6_000);
    check(
        |forge| {
            said(forge, Command::Takedown(target()));
            forge.page(&format!("{A}/3"), 1_000);
        },
        &[],
    );
    for command in [Command::Takedown(target()), Command::Exclude(target())] {
        check(
            |forge| {
                said(forge, command);
                later(forge);
            },
            &[(Breach::Excluded, 1)],
        );
    }
    let other = || Target::Pattern("/2$".parse().unwrap());
    check(
        |forge| {
            said(forge, Command::Takedown(target()));
            said(forge, Command::Exclude(other()));
            said(forge, Command::Readmit(target()));
            later(forge);
        },
        &[],
    );
}
