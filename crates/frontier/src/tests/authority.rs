//! Authorities that fail while others of their host answer, and hosts in trouble.

use super::world::{Answer, Ask, HOUR, SECOND, World, open, plain, replay};
use crate::host::HostRecord;
use crate::limits::ROBOTS_PER_HOST;
use crate::{
    Address, Attempt, CaptureSeq, Contact, End, Everything, Failure, FailureKind, LookUp, Need, ParkReason,
    Reach, RobotsAnswer, RobotsRecord, Stop, Subject, UrlState,
};
use disk::MemDisk;
use std::cell::Cell;
use std::sync::Arc;
use stdx::Timestamp;

const ALIVE: &str = "http://a.example";

/// Where everything fails in this way, but for what is asked of [`ALIVE`].
fn broken(failure: &Answer) -> impl Fn(&Ask<'_>) -> Answer + 'static {
    let failure = failure.clone();
    move |ask| {
        let is_alive = ask.is_name() || ask.url.strip_prefix(ALIVE).is_some_and(|rest| rest.starts_with('/'));
        if is_alive { plain(ask) } else { failure.clone() }
    }
}

/// An authority that says that it has no rules.
fn absent(authority: &str) -> RobotsRecord {
    let (authority, fetched_at) = (authority.to_owned(), Timestamp::ZERO);
    RobotsRecord { authority, fetched_at, answer: RobotsAnswer::Absent { status: 404 } }
}

/// HTTP and HTTPS are two forms of one URL: paths tell authorities apart.
fn pages(world: &mut World, authority: &str, count: usize) -> Vec<String> {
    let scheme = authority.split(':').next().unwrap();
    let urls: Vec<String> = (0..count).map(|n| format!("{authority}/{scheme}/{n}")).collect();
    for url in &urls {
        world.find(url, 1);
    }
    urls
}

#[track_caller]
fn check_parked(world: &mut World, urls: &[String], expected: impl Fn(ParkReason) -> bool) {
    for url in urls {
        match world.state(url) {
            UrlState::Parked { reason, .. } => assert!(expected(reason), "{url}: {reason}"),
            other => panic!("{url}: {other:?}"),
        }
    }
}

#[test]
fn a_port_where_nobody_answers_takes_no_other_along() {
    for failure in [
        Answer::Fails(FailureKind::ConnectRefused),
        Answer::Fails(FailureKind::ConnectTimeout),
        Answer::Fails(FailureKind::Certificate),
        Answer::Fails(FailureKind::Tls),
        Answer::Status(503),
        Answer::Rules("User-agent: *\nCrawl-delay: 400\n".into()),
    ] {
        for first in [ALIVE, "https://a.example"] {
            let mut world = World::new(broken(&failure));
            world.find(&format!("{first}/first"), 1);
            let dead = pages(&mut world, "https://a.example", 30);
            let alive = pages(&mut world, ALIVE, 30);
            world.run();
            for url in &alive {
                let state = world.state(url);
                assert!(matches!(state, UrlState::Fetched { .. }), "{failure:?}, {first} first: {state:?}");
            }
            let too_slow = matches!(failure, Answer::Rules(_));
            check_parked(&mut world, &dead, |reason| match reason {
                ParkReason::CrawlDelay => too_slow,
                ParkReason::RobotsUnreachable | ParkReason::Failed(_) => !too_slow,
                _ => false,
            });
            let asked = world.log.iter().filter(|contact| contact.url.starts_with("https:")).count();
            assert_eq!(asked, if too_slow { 1 } else { 5 }, "{failure:?}");
            world.frontier.check_invariants();
        }
    }
}

/// It has nothing else to be fetched at that moment.
#[test]
fn a_port_that_is_too_slow_takes_no_other_along_that_has_been_fetched() {
    let mut world = World::new(broken(&Answer::Rules("User-agent: *\nCrawl-delay: 400\n".into())));
    world.find(&format!("{ALIVE}/first"), 1);
    world.run();
    let slow = pages(&mut world, "https://a.example", 2);
    world.run();
    check_parked(&mut world, &slow, |reason| reason == ParkReason::CrawlDelay);
    world.find(&format!("{ALIVE}/later"), 1);
    world.run();
    assert!(matches!(world.state(&format!("{ALIVE}/later")), UrlState::Fetched { .. }));
}

/// Rules that were learned say that a host answers, unless it has failed there since.
#[test]
fn an_authority_that_rests_answers_for_no_other() {
    let mut record = HostRecord::new("a.example", Timestamp::ZERO);
    assert!(!record.answers_beside("https://a.example"));
    record.learn(absent(ALIVE));
    assert!(record.answers_beside("https://a.example"));
    assert!(!record.answers_beside(ALIVE), "it is no other");
    record.park_authority(ALIVE, ParkReason::RobotsUnreachable);
    assert!(!record.answers_beside("https://a.example"));
    record.wake(ALIVE);
    assert!(record.answers_beside("https://a.example"));
}

#[test]
fn a_port_whose_rules_are_known_is_tried_beside_any_number_of_dead_ones() {
    let mut record = HostRecord::new("a.example", Timestamp::ZERO);
    record.learn(absent("http://a.example:8080"));
    for port in 1..=ROBOTS_PER_HOST {
        record.park_authority(&format!("http://a.example:{port}"), ParkReason::RobotsUnreachable);
    }
    let rests = |authority: &str| record.rests(authority, Timestamp::ZERO).is_some();
    assert!(!rests("http://a.example:8080") && !rests(ALIVE));
    assert!(rests("http://a.example:1") && rests("http://a.example:9999"));
}

/// It may be the address that is dead, and not the port.
#[test]
fn an_authority_that_fails_is_tried_at_the_next_address() {
    // Of those that are refused the name is asked for anew.
    let mut world = World::new(broken(&Answer::Fails(FailureKind::Certificate)));
    world.find(&format!("{ALIVE}/first"), 1);
    world.run();
    let [first, second] = [1, 2].map(|n| Address { ip: [192, 0, 2, n].into(), reach: Reach::Public });
    let id = world.frontier.resident("a.example").unwrap();
    let host = world.frontier.host(id);
    (host.addresses, host.addresses_until) = (vec![first, second].into(), Timestamp::NEVER);
    pages(&mut world, "https://a.example", 1);
    world.run();
    let failed = world.log.iter().filter(|contact| contact.url.starts_with("https:")).count();
    assert_eq!(failed, 5);
    assert_eq!(world.frontier.host(id).addresses, [second, first], "one more after each");
}

/// A name is asked for again after its time to live, and when its host comes back from disk.
#[test]
fn a_name_that_is_asked_for_again_is_tried_where_it_was_left() {
    let mut world = World::new(broken(&Answer::Fails(FailureKind::ConnectRefused)));
    world.find(&format!("{ALIVE}/first"), 1);
    world.run();
    let [first, second] = [1, 2].map(|n| Address { ip: [192, 0, 2, n].into(), reach: Reach::Public });
    let id = world.frontier.resident("a.example").unwrap();
    let mut check = |last: Address, failed: bool, expected: [Address; 2]| {
        let record = &mut world.frontier.host(id).record;
        (record.address, record.address_failed) = (Some(last.ip), failed);
        world.frontier.resolved(id, vec![first, second], Timestamp::NEVER);
        assert_eq!(world.frontier.host(id).addresses, expected, "{last:?} failed: {failed}");
    };
    check(first, false, [first, second]);
    check(first, true, [second, first]);
    check(second, true, [first, second]);
    check(second, false, [second, first]);
    check(Address { ip: [192, 0, 2, 9].into(), ..first }, false, [first, second]);
}

/// An address that takes connections and lets nothing come of them is as dead as one that takes none.
#[test]
fn who_says_nothing_is_tried_at_the_next_address() {
    for kind in [FailureKind::ResponseTimeout, FailureKind::Disconnected, FailureKind::Protocol] {
        let mut world = World::new(move |ask| if ask.is_name() { plain(ask) } else { Answer::Fails(kind) });
        world.find(&format!("{ALIVE}/first"), 1);
        world.run_for(SECOND);
        let [first, second] = [1, 2].map(|n| Address { ip: [192, 0, 2, n].into(), reach: Reach::Public });
        let id = world.frontier.resident("a.example").unwrap();
        assert_eq!(world.frontier.host(id).record.robots_failures, 1);
        world.frontier.host(id).record.address = Some(first.ip);
        world.frontier.resolved(id, vec![first, second], Timestamp::NEVER);
        assert_eq!(world.frontier.host(id).addresses, [second, first], "{kind}");
        let due = world.frontier.next_due().unwrap();
        world.run_for(due.since_ms(world.now) + SECOND);
        assert_eq!(world.frontier.host(id).addresses, [first, second], "{kind}, a second time");
    }
}

/// Its site may have moved, and only its `https` be left to do.
#[test]
fn the_name_of_an_authority_that_is_not_reached_is_asked_for_anew() {
    let mut world = World::new(broken(&Answer::Fails(FailureKind::ConnectRefused)));
    world.find(&format!("{ALIVE}/first"), 1);
    world.run();
    assert_eq!(world.lookups, 1);
    pages(&mut world, "https://a.example", 1);
    world.try_decide().unwrap();
    let due = world.frontier.next_due().unwrap();
    world.run_for(due.since_ms(world.now) + SECOND);
    assert!(world.log.iter().any(|contact| contact.url.starts_with("https:")));
    let due = world.frontier.next_due().unwrap();
    let need = world.next_turn(due).unwrap().need;
    assert_eq!(need, Need::Resolve { name: "a.example".to_owned(), look_up: LookUp::Anew });
}

/// However often the name is asked for, and in whatever order its addresses come.
#[test]
fn an_address_that_failed_is_left_until_another_has_been_contacted() {
    let mut world = World::new(broken(&Answer::Fails(FailureKind::ConnectRefused)));
    world.find(&format!("{ALIVE}/first"), 1);
    world.run();
    pages(&mut world, "https://a.example", 1);
    world.run_for(SECOND);
    let id = world.frontier.resident("a.example").unwrap();
    let failed = Address { ip: world.frontier.host(id).record.address.unwrap(), reach: Reach::Public };
    let other = Address { ip: [198, 51, 100, 1].into(), ..failed };
    for addresses in [[failed, other], [other, failed], [failed, other]] {
        world.frontier.resolved(id, addresses.to_vec(), Timestamp::NEVER);
        assert_eq!(world.frontier.host(id).addresses, [other, failed]);
    }
    pages(&mut world, ALIVE, 1);
    world.run_for(SECOND);
    world.frontier.resolved(id, vec![other, failed], Timestamp::NEVER);
    assert_eq!(world.frontier.host(id).addresses, [failed, other], "it was contacted there, and answered");
}

/// A large site drops a connection now and then.
#[test]
fn failures_between_which_pages_are_answered_are_none_in_a_row() {
    let asked = Cell::new(0);
    let mut world = World::new(move |ask| {
        if ask.is_name() || !ask.url.starts_with("https:") || ask.url.ends_with("/robots.txt") {
            return plain(ask);
        }
        asked.set(asked.get() + 1);
        if asked.get() % 20 == 0 { Answer::Fails(FailureKind::ConnectTimeout) } else { plain(ask) }
    });
    pages(&mut world, ALIVE, 3);
    pages(&mut world, "https://a.example", 200);
    world.run();
    assert_eq!((world.frontier.fetched(), world.frontier.parked()), (203, 0));
}

#[test]
fn a_host_of_which_no_authority_answers_is_given_up() {
    let mut world =
        World::new(|ask| if ask.is_name() { plain(ask) } else { Answer::Fails(FailureKind::ConnectRefused) });
    let mut urls = pages(&mut world, ALIVE, 3);
    urls.extend(pages(&mut world, "https://a.example", 3));
    world.run();
    assert_eq!((world.log.len(), world.frontier.parked()), (5, 6));
}

#[test]
fn an_authority_that_comes_back_goes_on() {
    let mut world = World::new(|ask| match ask.url {
        "https://a.example/robots.txt" if ask.before < 3 => Answer::Fails(FailureKind::ConnectRefused),
        _ => plain(ask),
    });
    pages(&mut world, ALIVE, 3);
    pages(&mut world, "https://a.example", 3);
    world.run();
    assert_eq!((world.frontier.fetched(), world.frontier.parked()), (6, 0));
    assert!(world.frontier.hosts[0].record.resting.is_empty());
}

#[test]
fn ports_without_end_come_to_an_end() {
    let mut world = World::new(broken(&Answer::Fails(FailureKind::ConnectRefused)));
    pages(&mut world, ALIVE, 1);
    (1..200).for_each(|port| world.find(&format!("http://a.example:{}/", 8000 + port), 1));
    world.run();
    assert_eq!((world.frontier.fetched(), world.frontier.parked()), (1, 199));
    let record = &world.frontier.hosts[0].record;
    assert_eq!(record.resting.len(), crate::limits::ROBOTS_PER_HOST);
}

/// Links to them among those of a site that answers, or all of them at once and first.
#[test]
fn ports_where_nobody_listens_cost_their_host_nothing() {
    for (ports, alive_before_each) in [(20, 20), (40, 20), (100, 20), (25, 0), (60, 0)] {
        let mut world = World::new(broken(&Answer::Fails(FailureKind::ConnectRefused)));
        world.find(&format!("{ALIVE}/first"), 1);
        world.run();
        for port in 0..ports {
            world.find(&format!("{ALIVE}:{}/", 8000 + port), 1);
            (0..alive_before_each).for_each(|n| world.find(&format!("{ALIVE}/{port}/{n}"), 1));
        }
        (0..30).for_each(|n| world.find(&format!("{ALIVE}/last/{n}"), 1));
        world.run();
        let alive = 1 + ports * alive_before_each + 30;
        assert_eq!((world.frontier.fetched(), world.frontier.parked()), (alive, ports), "{ports} ports");
        let mut asked = std::collections::BTreeMap::new();
        for contact in world.log.iter().filter(|contact| contact.url.contains(":80")) {
            *asked.entry(contact.url.clone()).or_insert(0) += 1;
        }
        assert!(asked.values().all(|times| *times <= 5), "{ports} ports: {asked:?}");
        world.frontier.check_invariants();
    }
}

/// Which is tried however many ports are dead, since it is where most hosts are.
#[test]
fn the_port_of_a_scheme_is_tried_beside_any_number_of_dead_ones() {
    let mut world = World::new(|ask| {
        let is_dead = ask.url.contains(":80");
        if is_dead && !ask.is_name() { Answer::Fails(FailureKind::ConnectRefused) } else { plain(ask) }
    });
    world.find(&format!("{ALIVE}/first"), 1);
    (0..60).for_each(|port| world.find(&format!("{ALIVE}:{}/", 8000 + port), 1));
    world.run();
    let late = pages(&mut world, "https://a.example", 3);
    world.run();
    for url in late {
        assert!(matches!(world.state(&url), UrlState::Fetched { .. }), "{url}");
    }
}

#[test]
fn a_host_whose_pages_all_fail_rests_and_loses_none() {
    for failure in [Answer::Status(502), Answer::Fails(FailureKind::Disconnected)] {
        // Down for twenty minutes from the tenth page on.
        let (from, until) = (20 * SECOND, 20 * 60 * SECOND);
        let start = super::world::START;
        let clock = std::rc::Rc::new(std::cell::Cell::new(start));
        let (now, failing) = (clock.clone(), failure.clone());
        let mut world = World::new(move |ask| {
            let since = now.get().since_ms(start);
            let down = (from..until).contains(&since) && !ask.is_name() && !ask.is_robots();
            if down { failing.clone() } else { plain(ask) }
        });
        pages(&mut world, ALIVE, 200);
        while world.frontier.fetched() < 200 && world.now < start + 3 * HOUR {
            clock.set(world.now);
            world.run_for(SECOND / 2);
        }
        assert_eq!((world.frontier.fetched(), world.frontier.parked()), (200, 0), "{failure:?}");
        let asked = world.log.len();
        assert!(asked < 200 + 30, "{failure:?}: {asked} requests");
    }
}

#[test]
fn a_retry_after_is_obeyed_whatever_the_status() {
    for status in [200, 301, 403, 500] {
        let mut world = World::new(move |ask| match ask.url {
            "http://a.example/http/0" if ask.before == 0 => Answer::RetryAfter(status, HOUR),
            _ => plain(ask),
        });
        pages(&mut world, ALIVE, 2);
        world.run();
        let contacts = world.contacts("a.example");
        let asked = contacts.iter().position(|contact| contact.url == "http://a.example/http/0").unwrap();
        let gap = contacts[asked + 1].started.since_ms(contacts[asked].ended);
        assert!(gap >= HOUR, "{status}: {gap}");
    }
}

#[test]
fn a_retry_after_of_nothing_does_not_end_the_rest_of_a_host_that_goes_on_failing() {
    let mut world =
        World::new(
            |ask| {
                if ask.is_name() || ask.is_robots() { plain(ask) } else { Answer::RetryAfter(503, 0) }
            },
        );
    pages(&mut world, ALIVE, 20);
    world.run_for(60 * SECOND);
    assert!(world.log.len() < 8, "{} requests in a minute", world.log.len());
}

#[test]
fn the_longest_retry_after_is_a_year() {
    let mut world = World::new(|ask| match ask.url {
        "http://a.example/robots.txt" if ask.before == 0 => Answer::RetryAfter(503, u64::MAX),
        _ => plain(ask),
    });
    pages(&mut world, ALIVE, 1);
    world.run();
    assert_eq!(world.frontier.fetched(), 1);
}

/// Discoveries of a replay have no verdict yet: that there is something at another authority is not seen when the host fails for the
/// last time.
#[test]
fn what_an_authority_answered_after_the_last_failure_of_another_is_answered_after_a_crash() {
    let mut world = World::new(|ask| match ask.url {
        url if url.starts_with(ALIVE) => Answer::Fails(FailureKind::ConnectRefused),
        _ => plain(ask),
    });
    pages(&mut world, ALIVE, 1);
    while world.log.len() < 4 {
        world.run_for(SECOND);
    }
    let found = pages(&mut world, "https://a.example", 1);
    world.run();
    assert!(matches!(world.state(&found[0]), UrlState::Fetched { .. }));
    let disk = MemDisk::new();
    let mut frontier = open(world.config, &disk, None);
    replay(&mut frontier, &world.journal).unwrap();
    frontier.resume(Stop::Unclean, world.now, Arc::new(Everything)).unwrap();
    world.restart(frontier, disk);
    world.run();
    assert_eq!((world.frontier.fetched(), world.frontier.parked(), world.frontier.pending()), (1, 1, 0));
    world.check_answered_once();
}

/// The way to one address may be gone where that to another is not.
#[test]
fn a_host_that_was_tried_in_vain_while_nobody_is_heard_is_tried_at_its_next_address() {
    let mut world = World::new(plain);
    world.find(&format!("{ALIVE}/first"), 1);
    world.run();
    let [first, second] = [1, 2].map(|n| Address { ip: [192, 0, 2, n].into(), reach: Reach::Public });
    let id = world.frontier.resident("a.example").unwrap();
    world.frontier.resolved(id, vec![first, second], Timestamp::NEVER);
    let at = world.now;
    let attempt = Attempt {
        subject: Subject::Robots { authority: ALIVE.to_owned() },
        url: format!("{ALIVE}/robots.txt"),
        contact: Some(Contact { address: first, started: at, ended: at }),
        at,
        end: End::Failed(Failure { kind: FailureKind::Offline, detail: String::new() }),
    };
    world.frontier.apply(&attempt, CaptureSeq(9)).unwrap();
    assert_eq!(world.frontier.host(id).addresses, [second, first]);
    world.frontier.resolved(id, vec![first, second], Timestamp::NEVER);
    assert_eq!(world.frontier.host(id).addresses, [second, first], "after its time to live, too");
}
