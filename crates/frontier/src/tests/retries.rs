use super::world::{Answer, Ask, DAY, SECOND, START, World, key, plain};
use crate::{Exclusion, FailureKind, LookUp, Need, ParkReason, Reach, RetryPolicy, UrlState};
use weburl::KeyHash;

const PAGE: &str = "http://a.example/1";
const OTHER: &str = "http://a.example/2";

fn failing(url: &'static str, answer: &Answer) -> impl Fn(&Ask<'_>) -> Answer + 'static {
    let answer = answer.clone();
    move |ask| if ask.url == url { answer.clone() } else { plain(ask) }
}

#[track_caller]
fn check_parked(world: &mut World, url: &str, expected: ParkReason) {
    match world.state(url) {
        UrlState::Parked { reason, .. } => assert_eq!(reason, expected),
        other => panic!("{url}: {other:?}"),
    }
}

#[test]
fn backoff_grows_with_jitter_to_its_cap() {
    let policy = RetryPolicy::default();
    for (failures, wait) in [(1, 10_000), (2, 30_000), (3, 90_000), (4, 270_000), (9, 3_600_000)] {
        let waits: Vec<u64> = (0..200).map(|n| policy.backoff_ms(failures, KeyHash(n))).collect();
        assert!(waits.iter().all(|w| (wait..=wait + wait / 4).contains(w)), "{failures}: {waits:?}");
        assert!(waits.iter().any(|w| *w != waits[0]), "there is jitter");
        assert_eq!(policy.backoff_ms(failures, KeyHash(5)), policy.backoff_ms(failures, KeyHash(5)));
    }
}

/// However long its address was to hold: its site may have moved, and its name may have come back.
#[test]
fn the_name_of_a_host_that_failed_is_asked_for_anew() {
    let need = |look_up| Need::Resolve { name: "a.example".to_owned(), look_up };
    for (url, kind) in [
        ("dns:a.example", FailureKind::NameNotFound),
        ("http://a.example/robots.txt", FailureKind::ConnectRefused),
    ] {
        let mut world = World::new(failing(url, &Answer::Fails(kind))).seed(&[PAGE]);
        world.try_decide().unwrap();
        assert_eq!(world.next_turn(START).unwrap().need, need(LookUp::Known));
        let mut world = World::new(failing(url, &Answer::Fails(kind))).seed(&[PAGE]);
        world.run_for(SECOND);
        let due = world.frontier.next_due().unwrap();
        assert_eq!(world.next_turn(due).unwrap().need, need(LookUp::Anew), "{url}");
    }
}

#[test]
fn a_url_is_parked_after_the_fifth_attempt_and_its_host_goes_on() {
    for (answer, reason) in [
        (Answer::Status(500), ParkReason::Status(500)),
        (Answer::Fails(FailureKind::Disconnected), ParkReason::Failed(FailureKind::Disconnected)),
        (Answer::Fails(FailureKind::Local), ParkReason::Failed(FailureKind::Local)),
        (Answer::Status(503), ParkReason::Status(503)),
    ] {
        let mut world = World::new(failing(PAGE, &answer)).seed(&[PAGE, OTHER]);
        world.run();
        assert_eq!(world.pages().iter().filter(|url| **url == PAGE).count(), 5, "{answer:?}");
        check_parked(&mut world, PAGE, reason);
        assert!(matches!(world.state(OTHER), UrlState::Fetched { .. }));
    }
}

#[test]
fn where_we_are_turned_away_the_host_rests_longer_each_time_and_only_the_url_is_parked() {
    let turned_away = failing(PAGE, &Answer::Fails(FailureKind::Blocked));
    let mut world = World::new(turned_away).seed(&[PAGE]);
    world.run();
    check_parked(&mut world, PAGE, ParkReason::Failed(FailureKind::Blocked));
    let starts: Vec<_> = world.contacts("a.example").iter().skip(1).map(|c| (c.started, c.ended)).collect();
    let rests: Vec<u64> = starts.windows(2).map(|pair| pair[1].0.since_ms(pair[0].1)).collect();
    assert_eq!(rests.len(), 4);
    let policy = RetryPolicy::default();
    for (n, rest) in (1..).zip(rests) {
        assert!(
            rest >= policy.overload_wait_ms(n, None, Reach::Public),
            "after refusal {n} it rested {rest} ms"
        );
    }
    let mut world = World::new(failing(PAGE, &Answer::Fails(FailureKind::Blocked))).seed(&[PAGE, OTHER]);
    world.run();
    assert!(matches!(world.state(OTHER), UrlState::Fetched { .. }));
}

#[test]
fn the_waits_of_a_url_are_its_backoff() {
    let mut world = World::new(failing(PAGE, &Answer::Status(500))).seed(&[PAGE]);
    world.run();
    let starts: Vec<_> = world.contacts("a.example").iter().skip(1).map(|c| (c.started, c.ended)).collect();
    let waits = starts.windows(2).map(|pair| pair[1].0.since_ms(pair[0].1));
    let policy = RetryPolicy::default();
    let expected: Vec<u64> = (1..5).map(|failures| policy.backoff_ms(failures, key(PAGE))).collect();
    assert_eq!(waits.collect::<Vec<_>>(), expected);
}

#[test]
fn final_statuses_are_final() {
    for status in [200, 204, 301, 304, 400, 401, 403, 404, 410, 451, 501, 505] {
        let mut world = World::new(failing(PAGE, &Answer::Status(status))).seed(&[PAGE]);
        world.run();
        assert!(matches!(world.state(PAGE), UrlState::Fetched { .. }), "{status}");
    }
}

#[test]
fn a_host_that_fails_is_parked_with_all_it_has() {
    for kind in [FailureKind::ConnectRefused, FailureKind::ConnectTimeout, FailureKind::Certificate] {
        let down = move |ask: &Ask<'_>| if ask.is_name() { plain(ask) } else { Answer::Fails(kind) };
        let mut world = World::new(down).seed(&[PAGE, OTHER, "http://b.example/"]);
        world.run_for(DAY);
        for url in [PAGE, OTHER] {
            check_parked(&mut world, url, ParkReason::Host(kind));
        }
        assert_eq!(world.contacts("a.example").len(), 5, "{kind}");
        world.find("http://a.example/3", 1);
        check_parked(&mut world, "http://a.example/3", ParkReason::Host(kind));
        assert_eq!(world.frontier.next_due(), None);
    }
}

#[test]
fn a_page_is_not_to_blame_for_its_host() {
    let flaky = |ask: &Ask<'_>| match ask.url {
        PAGE if ask.before < 4 => Answer::Fails(FailureKind::ConnectTimeout),
        _ => plain(ask),
    };
    let mut world = World::new(flaky).seed(&[PAGE, OTHER]);
    world.run();
    assert_eq!(world.pages(), [PAGE, PAGE, PAGE, PAGE, PAGE, OTHER]);
    assert_eq!(world.frontier.fetched(), 2);
}

#[test]
fn an_answer_forgets_the_failures_of_a_host() {
    let flaky = |ask: &Ask<'_>| match (ask.url, ask.before) {
        (PAGE | OTHER, 0..3) => Answer::Fails(FailureKind::ConnectRefused),
        _ => plain(ask),
    };
    let mut world = World::new(flaky).seed(&[PAGE, OTHER]);
    world.run();
    assert_eq!(world.frontier.fetched(), 2, "three failures, an answer, three failures");
}

#[test]
fn a_name_that_does_not_resolve_parks_its_host_without_a_contact() {
    for kind in [FailureKind::NameNotFound, FailureKind::NameServer] {
        let mut world = World::new(failing("dns:a.example", &Answer::Fails(kind))).seed(&[PAGE, OTHER]);
        world.run_for(DAY);
        assert_eq!((world.lookups, world.log.len()), (5, 0), "{kind}");
        check_parked(&mut world, OTHER, ParkReason::Host(kind));
    }
}

/// Nobody is there to be asked.
#[test]
fn a_name_that_cannot_be_asked_for_is_not_to_blame() {
    let answer = Answer::Fails(FailureKind::Local);
    let mut world = World::new(failing("dns:a.example", &answer)).seed(&[PAGE]);
    world.run_for(DAY);
    assert!(world.lookups > 5);
    assert_eq!((world.log.len(), world.frontier.parked()), (0, 0));
}

#[test]
fn a_name_server_that_flaps_parks_nobody() {
    let flaps = |ask: &Ask<'_>| match ask.url {
        "dns:a.example" if ask.before < 4 => Answer::Fails(FailureKind::NameServer),
        _ => plain(ask),
    };
    let mut world = World::new(flaps).seed(&[PAGE]);
    world.run();
    assert_eq!(world.frontier.fetched(), 1);
}

#[test]
fn a_refused_address_of_a_host_that_had_another_may_be_wrong() {
    let web = |wrong: u32| {
        move |ask: &Ask<'_>| match ask.url {
            "dns:a.example" if (1..=wrong).contains(&ask.before) => {
                Answer::Fails(FailureKind::AddressRefused)
            }
            _ => plain(ask),
        }
    };
    for (wrong, fetched) in [(4, 2), (5, 1)] {
        let mut world = World::new(web(wrong)).seed(&[PAGE]);
        world.run();
        world.run_for(2 * DAY);
        world.find(OTHER, 1);
        world.run();
        assert_eq!(world.frontier.fetched(), fetched, "{wrong}");
    }
}

#[test]
fn a_refused_address_excludes_the_host() {
    let private = failing("dns:a.example", &Answer::Fails(FailureKind::AddressRefused));
    let mut world = World::new(private).seed(&[PAGE]);
    world.run();
    assert_eq!(world.lookups, 1);
    world.find(OTHER, 1);
    for url in [PAGE, OTHER] {
        let UrlState::Excluded { rule, .. } = world.state(url) else { panic!("{:?}", world.state(url)) };
        assert_eq!(rule, Exclusion::AddressRefused);
    }
    assert_eq!(world.frontier.excluded()["address-refused"], 2);
}
