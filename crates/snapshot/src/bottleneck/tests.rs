use super::Bottleneck;
use crate::{Ending, Offline, Room, Snapshot, Strain, Waits, WaitsFor};

/// A crawl in full swing: of ten slots three are taken, twenty hosts wait for their delay.
fn swing() -> Snapshot {
    let strain = Strain {
        slots: 10,
        entries_uncommitted_most: 4096,
        unparsed_most: 512,
        waits: [(WaitsFor::Delay, waits(20))].into(),
        ..Strain::default()
    };
    Snapshot { discovered: 1_000, queued: 900, hosts: 30, in_flight: 3, strain, ..Snapshot::default() }
}

fn waits(hosts: u64) -> Waits {
    Waits { hosts, urls: 7 * hosts, first_ms: 5 }
}

fn check(change: impl FnOnce(&mut Snapshot), expected: &Bottleneck) {
    let mut snapshot = swing();
    change(&mut snapshot);
    assert_eq!(Bottleneck::of(&snapshot), *expected, "{snapshot:#?}");
}

fn alone(what: WaitsFor, hosts: u64) -> impl FnOnce(&mut Snapshot) {
    move |snapshot| {
        snapshot.in_flight = 0;
        snapshot.strain.waits = [(what, waits(hosts))].into();
    }
}

#[test]
fn what_hosts_wait_for() {
    check(|_| {}, &Bottleneck::Politeness { hosts: 23, urls: 900, at_rest: 0 });
    check(alone(WaitsFor::Delay, 1), &Bottleneck::OneHost { urls: 900 });
    let killed = |it: &mut Snapshot| {
        alone(WaitsFor::Delay, 1)(it);
        (it.queued, it.strain.undecided) = (0, 30);
    };
    check(killed, &Bottleneck::Merge { undecided: 30 });
    check(alone(WaitsFor::Delay, 2), &Bottleneck::Politeness { hosts: 2, urls: 900, at_rest: 0 });
    check(alone(WaitsFor::Robots, 4), &Bottleneck::Robots(waits(4)));
    check(alone(WaitsFor::Overload, 4), &Bottleneck::Overload(waits(4)));
    check(alone(WaitsFor::Retry, 4), &Bottleneck::Retries(waits(4)));
    let robots = |it: &mut Snapshot| {
        it.queued = 7 * 44;
        it.strain.waits.insert(WaitsFor::Robots, waits(24));
    };
    check(robots, &Bottleneck::Robots(waits(24)));
    check(
        |it| _ = it.strain.waits.insert(WaitsFor::Robots, waits(23)),
        &Bottleneck::Politeness { hosts: 23, urls: 900 - 7 * 23, at_rest: 23 },
    );
}

/// One site and what is left of three that are gone: the site has most of what waits.
#[test]
fn dead_hosts_do_not_outvote_the_one_that_is_crawled() {
    let dead = Waits { hosts: 3, urls: 3, first_ms: 5 };
    let waits = [(WaitsFor::Delay, waits(1)), (WaitsFor::Retry, dead)];
    let crawled = |it: &mut Snapshot| (it.queued, it.in_flight, it.strain.waits) = (48, 0, waits.into());
    check(crawled, &Bottleneck::Politeness { hosts: 1, urls: 45, at_rest: 3 });
    let asked = |it: &mut Snapshot| {
        (it.queued, it.in_flight, it.strain.waits) = (48, 1, [(WaitsFor::Retry, dead)].into());
    };
    check(asked, &Bottleneck::Politeness { hosts: 1, urls: 45, at_rest: 3 });
    let finished = |it: &mut Snapshot| {
        (it.queued, it.in_flight, it.strain.waits) = (3, 0, [(WaitsFor::Retry, dead)].into());
    };
    check(finished, &Bottleneck::Retries(dead));
}

/// A host that rests until tomorrow is asked at no delay.
#[test]
fn hosts_at_rest_are_not_told_as_polite_ones() {
    let rests = Waits { hosts: 1, urls: 50, first_ms: 86_400_000 };
    let mut snapshot = swing();
    (snapshot.queued, snapshot.in_flight) = (123, 0);
    snapshot.strain.waits = [(WaitsFor::Delay, waits(1)), (WaitsFor::Overload, rests)].into();
    let said = Bottleneck::of(&snapshot).to_string();
    assert_eq!(
        said,
        "politeness: 1 host with 73 URLs, asked at their delays, and 1 host left alone for other reasons"
    );
    snapshot.strain.waits = [(WaitsFor::Delay, waits(2))].into();
    assert!(
        Bottleneck::of(&snapshot)
            .to_string()
            .ends_with("with 123 URLs, asked at their delays, and there are no others")
    );
}

#[test]
fn a_host_that_is_being_asked_is_one_host_too() {
    let asked = |snapshot: &mut Snapshot| {
        (snapshot.in_flight, snapshot.strain.waits) = (1, [].into());
    };
    check(asked, &Bottleneck::OneHost { urls: 900 });
}

#[test]
fn slots_that_are_all_taken() {
    check(|it| it.in_flight = 10, &Bottleneck::Network { in_flight: 10, slots: 10 });
    check(|it| (it.in_flight, it.strain.look_ups) = (10, 6), &Bottleneck::Dns { look_ups: 6 });
    check(
        |it| (it.in_flight, it.strain.look_ups) = (10, 5),
        &Bottleneck::Network { in_flight: 10, slots: 10 },
    );
    check(|it| it.strain.captures_uncommitted = 7, &Bottleneck::Disk { captures: 7, entries: 0 });
}

#[test]
fn look_ups_that_everybody_waits_for_with_slots_to_spare() {
    let slow = |snapshot: &mut Snapshot| {
        (snapshot.in_flight, snapshot.strain.look_ups) = (6, 5);
        snapshot.strain.waits = [(WaitsFor::Delay, waits(2))].into();
    };
    check(slow, &Bottleneck::Dns { look_ups: 5 });
}

#[test]
fn what_is_behind_the_network() {
    check(|it| it.unparsed = 512, &Bottleneck::Parser { unparsed: 512 });
    check(|it| it.strain.entries_uncommitted = 4096, &Bottleneck::Disk { captures: 0, entries: 4096 });
    check(|it| it.strain.memory = Room::Short, &Bottleneck::Memory { in_flight: 3 });
    let parsers = |it: &mut Snapshot| (it.strain.memory, it.unparsed) = (Room::Short, 90);
    check(parsers, &Bottleneck::Parser { unparsed: 90 });
    let disk = |it: &mut Snapshot| (it.strain.memory, it.strain.captures_uncommitted) = (Room::Short, 5);
    check(disk, &Bottleneck::Disk { captures: 5, entries: 0 });
}

#[test]
fn what_is_left_where_all_that_is_known_has_been_fetched() {
    let fetched = |unparsed, captures| {
        move |it: &mut Snapshot| {
            (it.queued, it.in_flight, it.unparsed) = (0, 0, unparsed);
            it.strain = Strain { captures_uncommitted: captures, unparsed_most: 512, ..Strain::default() };
        }
    };
    check(fetched(90, 0), &Bottleneck::Parser { unparsed: 90 });
    check(fetched(1, 1), &Bottleneck::Parser { unparsed: 1 });
    check(fetched(2, 5), &Bottleneck::Disk { captures: 5, entries: 0 });
    let undecided = |it: &mut Snapshot| (fetched(90, 0)(it), it.strain.undecided = 4).0;
    check(undecided, &Bottleneck::Merge { undecided: 4 });
}

#[test]
fn what_ends_a_crawl_or_stops_it_for_a_while() {
    let over = |parked| {
        move |it: &mut Snapshot| {
            (it.queued, it.in_flight, it.parked) = (0, 0, parked);
            it.strain.waits.clear();
        }
    };
    check(over(0), &Bottleneck::NothingLeft);
    check(|it| (over(0)(it), it.discovered = 0).0, &Bottleneck::Begins);
    check(
        |it| (over(0)(it), it.discovered = 0, it.ending = Some(Ending::Saving)).0,
        &Bottleneck::NothingLeft,
    );
    check(over(3), &Bottleneck::AllParked { parked: 3 });
    check(|it| it.disk_low = true, &Bottleneck::DiskFull);
    check(|it| it.paused = true, &Bottleneck::Paused);
    let offline = Offline { since_ms: 7, because: "connect: timed out".to_owned() };
    check(|it| it.strain.offline = Some(offline.clone()), &Bottleneck::Offline(offline.clone()));
    check(|it| (it.limit, it.pages) = (Some(5), 5), &Bottleneck::Limit { pages: 5 });
    check(
        |it| (it.limit, it.pages) = (Some(6), 5),
        &Bottleneck::Politeness { hosts: 23, urls: 900, at_rest: 0 },
    );
}

/// A disk without any room stops a crawl that keeps none free, too.
#[test]
fn a_full_disk_is_told_without_a_setting() {
    assert!(!Bottleneck::DiskFull.to_string().contains("low_disk"));
}

/// A host may rest for either, and the two are told as one.
#[test]
fn a_rest_is_put_down_to_all_that_may_have_brought_it_about() {
    for text in [Bottleneck::Overload(waits(1)).to_string(), WaitsFor::Overload.name().to_owned()] {
        assert!(["429", "503", "Retry-After", "refusals"].iter().all(|word| text.contains(word)), "{text}");
    }
}

#[test]
fn nobody_waits_and_nobody_is_asked() {
    let idle = |put_off, undecided| {
        move |it: &mut Snapshot| {
            (it.in_flight, it.strain.put_off, it.strain.undecided) = (0, put_off, undecided);
            it.strain.waits.clear();
        }
    };
    check(idle(900, 0), &Bottleneck::Budget { put_off: 900 });
    check(idle(0, 50), &Bottleneck::Merge { undecided: 50 });
    check(idle(0, 0), &Bottleneck::Nothing);
}
