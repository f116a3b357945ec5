use super::world::{Answer, Ask, CONFIG, DAY, HOUR, SECOND, START, TOOK, World, plain};
use crate::{
    Budget, DelayPolicy, DelayRule, Draw, FailureKind, Frontier, FrontierConfig, HostDelay, Learned,
    Overload, ParkReason, Reach, RetryPolicy, Stop, UrlState, WaitingFor,
};

const THREE: [&str; 3] = ["http://a.example/1", "http://a.example/2", "http://a.example/3"];

fn with_delay(host_ms: u64) -> FrontierConfig {
    FrontierConfig { delay: DelayPolicy { host_ms, ..CONFIG.delay }, ..CONFIG }
}

#[track_caller]
fn check_delay(reach: Reach, host_ms: u64, crawl_delay: Option<u64>, took: u64, delay: u64) {
    let policy = DelayPolicy { host_ms, ..DelayPolicy::default() };
    let learned = Learned { crawl_delay_ms: crawl_delay, last_response_ms: took, ..Learned::default() };
    assert_eq!(policy.host_delay(Budget::Unlimited, reach, learned).ms, delay);
}

#[test]
fn the_delay_of_a_host() {
    use Reach::{Allowed, Public};
    check_delay(Public, 1000, None, 20, 1000);
    check_delay(Public, 0, None, 20, 500);
    check_delay(Public, 100, None, 20, 500);
    check_delay(Allowed, 100, None, 5, 100);
    check_delay(Allowed, 0, None, 5000, 0);
    check_delay(Allowed, 0, Some(2000), 5, 2000);
    check_delay(Public, 1000, None, 700, 7000);
    check_delay(Public, 1000, None, 90_000, 30_000);
    check_delay(Public, 1000, Some(300_000), 90_000, 300_000);
    check_delay(Public, 1000, None, u64::MAX, 30_000);
}

#[track_caller]
fn check_rule(host_ms: u64, budget: Budget, learned: Learned, by: DelayRule, ms: u64) {
    let policy = DelayPolicy { host_ms, stranger_factor: 40, ..DelayPolicy::default() };
    assert_eq!(policy.host_delay(budget, Reach::Public, learned), HostDelay { ms, by });
}

#[test]
fn what_makes_a_delay_as_long_as_it_is() {
    let nothing = Learned::default();
    check_rule(1000, Budget::Unlimited, nothing, DelayRule::Asked, 1000);
    check_rule(500, Budget::Unlimited, nothing, DelayRule::Asked, 500);
    check_rule(10, Budget::Unlimited, nothing, DelayRule::Floor, 500);
    check_rule(1000, Budget::Pages(10), nothing, DelayRule::Budget, 40_000);
    check_rule(1000, Budget::Pages(400), nothing, DelayRule::Asked, 1000);
    let slow = Learned { last_response_ms: 700, ..nothing };
    check_rule(1000, Budget::Unlimited, slow, DelayRule::Response, 7000);
    let refused = |times| Learned { overload: Overload::counted(times), ..nothing };
    check_rule(1000, Budget::Unlimited, refused(2), DelayRule::Overload, 4000);
    check_rule(1000, Budget::Unlimited, refused(9), DelayRule::Overload, 64_000);
    let asks = Learned { crawl_delay_ms: Some(7000), ..slow };
    check_rule(1000, Budget::Unlimited, asks, DelayRule::CrawlDelay, 7000);
    let asks_less = Learned { crawl_delay_ms: Some(900), ..nothing };
    check_rule(1000, Budget::Unlimited, asks_less, DelayRule::Asked, 1000);
}

#[test]
fn a_host_is_left_alone_from_end_to_start() {
    let mut world = World::new(plain).seed(&THREE);
    world.run();
    assert_eq!(world.gaps("a.example"), [1000; 3]);
    assert_eq!(world.log[0].url, "http://a.example/robots.txt");
}

#[test]
fn a_public_host_has_a_floor_an_allowed_one_the_delay_asked_for() {
    let mut world = World::with(with_delay(0), plain).seed(&THREE);
    world.run();
    assert_eq!(world.gaps("a.example"), [500; 3]);
    let mut world = World::with(with_delay(0), plain).allowed().seed(&THREE);
    world.run();
    assert_eq!(world.gaps("a.example"), [0; 3]);
}

#[test]
fn a_crawl_delay_beats_all_delays() {
    let rules = |ask: &Ask<'_>| {
        if ask.is_robots() {
            Answer::Rules("User-agent: *\nCrawl-delay: 300".into())
        } else {
            Answer::Slow(200, 5000)
        }
    };
    let mut world = World::with(with_delay(0), rules).allowed().seed(&THREE);
    world.run();
    assert_eq!(world.gaps("a.example"), [300_000; 3]);
}

#[test]
fn a_crawl_delay_beyond_300_s_parks_the_host() {
    let rules = |ask: &Ask<'_>| {
        if ask.is_robots() {
            Answer::Rules("User-agent: *\nCrawl-delay: 301".into())
        } else {
            Answer::Status(200)
        }
    };
    let mut world = World::new(rules).seed(&THREE);
    world.run();
    assert_eq!(world.pages(), Vec::<&str>::new());
    assert_eq!(world.frontier.parked(), 3);
    assert!(matches!(world.state(THREE[0]), UrlState::Parked { reason: ParkReason::CrawlDelay, .. }));
}

#[test]
fn a_slow_host_is_asked_less_often() {
    let slow = |ask: &Ask<'_>| match ask.url {
        "http://a.example/1" => Answer::Slow(200, 800),
        "http://a.example/2" => Answer::Slow(200, 20_000),
        _ => plain(ask),
    };
    let mut world = World::new(slow).seed(&THREE);
    world.run();
    assert_eq!(world.gaps("a.example"), [1000, 8000, 30_000]);
}

#[test]
fn the_hosts_of_a_domain_do_not_add_up() {
    let mut world = World::new(plain);
    for n in 0..20 {
        world.find(&format!("http://h{n}.group.example/"), 1);
        world.find(&format!("http://h{n}.group.example/2"), 1);
    }
    world.run();
    let mut starts: Vec<_> = world.log.iter().map(|contact| contact.started).collect();
    starts.sort_unstable();
    assert_eq!(starts.len(), 60);
    let least = starts.windows(2).map(|pair| pair[1].since_ms(pair[0])).min();
    assert_eq!(least, Some(250), "four a second, from start to start");
    let whole = starts[59].since_ms(starts[0]);
    assert_eq!(whole, 59 * 250, "and no slower while there is work");
}

#[test]
fn a_host_that_is_to_come_again_does_so_then_or_when_delays_change() {
    let mut world = World::new(plain).seed(&["http://a.example/"]);
    world.decide();
    let host = world.next_turn(START).unwrap().host;
    world.frontier.come_again(host, START + 9 * SECOND);
    world.frontier.check_invariants();
    let waits = |world: &World| {
        let [waiting] = &world.frontier.waiting(9)[..] else { panic!("one host waits") };
        (waiting.for_what, waiting.until.since_ms(START))
    };
    assert_eq!(waits(&world), (WaitingFor::Server, 9 * SECOND));
    assert_eq!(world.frontier.next_due(), Some(START + 9 * SECOND));
    assert!(world.next_turn(START + 9 * SECOND - 1).is_none());

    world.frontier.keep_away(START + SECOND);
    world.frontier.check_invariants();
    assert_eq!(waits(&world), (WaitingFor::Restart, 2 * SECOND), "a second's delay from then on");
    assert!(world.next_turn(START + 2 * SECOND).is_some());
}

#[test]
fn after_a_restart_nobody_waits_for_a_longer_delay_of_before() {
    for stop in [Stop::Clean, Stop::Unclean] {
        let mut world = World::with(with_delay(HOUR), plain).seed(&THREE);
        world.run_for(10 * SECOND);
        let waits = |frontier: &Frontier| {
            let [waiting] = &frontier.waiting(9)[..] else { panic!("one host waits") };
            waiting.until
        };
        assert!(waits(&world.frontier) > START + HOUR);
        world.config = CONFIG;
        let until = world.now + CONFIG.delay.host_ms;
        assert_eq!(waits(&world.restored(stop)), until, "{stop:?}");
    }
}

#[test]
fn hosts_of_a_domain_that_have_their_turns_together_draw_apart() {
    let mut world = World::new(plain).seed(&["http://a.group.example/", "http://b.group.example/"]);
    world.decide();
    let hosts = [(); 2].map(|()| world.next_turn(START).unwrap().host);
    assert_ne!(hosts[0], hosts[1]);
    assert!(matches!(world.frontier.draw(hosts[0], START).unwrap(), Draw::Robots(_)));
    assert_eq!(world.frontier.draw(hosts[1], START).unwrap(), Draw::Nothing);
    assert_eq!(world.frontier.next_due(), Some(START + 250));
    world.frontier.check_invariants();
}

/// Its server is free for it now, and its domain in a moment.
#[test]
fn a_domains_next_moment_is_kept_for_the_host_that_asks_first() {
    let urls = ["http://a.group.example/", "http://b.group.example/", "http://c.group.example/"];
    let mut world = World::new(plain).seed(&urls);
    world.decide();
    let hosts = [(); 3].map(|()| world.next_turn(START).unwrap().host);
    let frontier = &mut world.frontier;
    assert_eq!(frontier.reserve_domain(hosts[0], 250, START), None, "it may begin now");
    assert!(matches!(frontier.draw(hosts[0], START).unwrap(), Draw::Robots(_)));
    assert_eq!(frontier.reserve_domain(hosts[1], 249, START), None, "it does not come so soon");
    let moment = frontier.reserve_domain(hosts[1], 250, START).unwrap();
    assert_eq!(moment.at, START + 250);
    assert_eq!(frontier.reserve_domain(hosts[2], 250, START + 1), None, "another has the next one");
    assert!(matches!(frontier.draw_at(hosts[1], Some(moment), START + 250).unwrap(), Draw::Robots(_)));
    assert_eq!(frontier.draw(hosts[2], START + 499).unwrap(), Draw::Nothing);
    assert_eq!(frontier.next_due(), Some(START + 500));
    world.frontier.check_invariants();
}

/// Nobody is contacted by a moment that has been another's meanwhile.
#[test]
fn a_moment_that_was_missed_is_none() {
    let mut world = World::new(plain).seed(&[
        "http://a.group.example/",
        "http://b.group.example/",
        "http://c.group.example/",
    ]);
    world.decide();
    let hosts = [(); 3].map(|()| world.next_turn(START).unwrap().host);
    let frontier = &mut world.frontier;
    assert!(matches!(frontier.draw(hosts[0], START).unwrap(), Draw::Robots(_)));
    let moment = frontier.reserve_domain(hosts[1], 250, START).unwrap();
    assert!(matches!(frontier.draw(hosts[2], START + 600).unwrap(), Draw::Robots(_)));
    assert_eq!(frontier.draw_at(hosts[1], Some(moment), START + 601).unwrap(), Draw::Nothing);
    world.frontier.check_invariants();
}

#[test]
fn a_domain_of_ones_own_runs_at_the_delay_asked_for() {
    let mut world = World::with(with_delay(0), plain).allowed();
    for n in 0..20 {
        world.find(&format!("http://h{n}.group.example/"), 1);
    }
    world.run_for(2 * TOOK);
    assert_eq!(world.log.len(), 40);
}

#[test]
fn overload_holds_the_whole_host() {
    for status in [429, 503] {
        let overload = move |ask: &Ask<'_>| match ask.url {
            "http://a.example/1" if ask.before == 0 => Answer::Status(status),
            _ => plain(ask),
        };
        let mut world = World::new(overload).seed(&THREE);
        world.run();
        assert_eq!(world.gaps("a.example"), [1000, 60_000, 1875, 1750], "{status}");
        assert_eq!(world.frontier.fetched(), 3);
    }
}

#[test]
fn overloads_in_a_row_double_the_wait_and_answers_ease_it() {
    let overload = |ask: &Ask<'_>| match (ask.url, ask.before) {
        ("http://a.example/1", 0..2) | ("http://a.example/2", 0) => Answer::Status(503),
        _ => plain(ask),
    };
    let mut world = World::new(overload).seed(&THREE);
    world.run();
    let waits: Vec<u64> = world.gaps("a.example").into_iter().filter(|gap| *gap > 10_000).collect();
    assert_eq!(waits, [60_000, 120_000, 120_000]);
}

#[test]
fn on_the_public_internet_no_operator_makes_rests_shorter() {
    let hasty = RetryPolicy { max_ms: 0, overload_ms: 0, ..CONFIG.retry };
    let config = FrontierConfig { retry: hasty, ..CONFIG };
    let overload = |ask: &Ask<'_>| match (ask.url, ask.before) {
        ("http://a.example/1", 0..4) => Answer::Status(503),
        _ => plain(ask),
    };
    let rests = |world: World| {
        let mut world = world.seed(&["http://a.example/1"]);
        world.run();
        world.gaps("a.example")[1..].to_vec()
    };
    assert_eq!(rests(World::with(config, overload)), [60_000, 120_000, 240_000, 300_000]);
    let own = rests(World::with(config, overload).allowed());
    assert!(own.iter().all(|rest| *rest < 60_000), "{own:?}");
    assert_eq!(
        hasty.overload_wait_ms(9, Some(0), Reach::Public),
        300_000,
        "what was asked for was not enough"
    );
}

#[test]
fn retry_after_is_obeyed_however_long() {
    for after in [5 * SECOND, 40 * DAY] {
        let overload = move |ask: &Ask<'_>| match ask.url {
            "http://a.example/1" if ask.before == 0 => Answer::RetryAfter(503, after),
            _ => plain(ask),
        };
        let mut world = World::new(overload).seed(&THREE);
        world.run_for(SECOND + 2 * TOOK);
        let waiting = world.frontier.waiting(9);
        assert_eq!((waiting.len(), waiting[0].for_what), (1, WaitingFor::RetryAfter));
        assert_eq!(waiting[0].until.since_ms(world.log[1].ended), after);
        world.run();
        assert_eq!(world.gaps("a.example")[1], after);
        assert_eq!(world.frontier.fetched(), 3);
    }
}

/// The delay was longer than the host asked for, and is made shorter than that while it is waited for.
#[test]
fn what_a_host_asks_for_behind_a_longer_delay_is_obeyed_when_that_becomes_shorter() {
    let overload = |ask: &Ask<'_>| match ask.url {
        "http://a.example/1" if ask.before == 0 => Answer::RetryAfter(404, 40 * SECOND),
        _ => plain(ask),
    };
    for again in [false, true] {
        let mut world = World::with(with_delay(60 * SECOND), overload).seed(&THREE);
        world.run_for(70 * SECOND);
        assert_eq!(world.log.len(), 2, "robots.txt and a page");
        if again {
            let (frontier, disk) = (world.restored(Stop::Clean), world.cut().1);
            world.restart(frontier, disk);
        }
        world.frontier.set_delay(with_delay(SECOND).delay);
        world.frontier.keep_away(world.now);
        world.run();
        assert_eq!(world.gaps("a.example")[1], 40 * SECOND);
    }
}

#[test]
fn a_retry_after_of_ages_is_read_as_a_year() {
    let never = |ask: &Ask<'_>| match ask.url {
        "http://a.example/1" => Answer::RetryAfter(429, u64::MAX),
        _ => plain(ask),
    };
    let mut world = World::new(never).seed(&THREE);
    world.run_for(DAY);
    assert_eq!(world.frontier.waiting(1)[0].until.since_ms(world.log[1].ended), 365 * DAY);
}

#[test]
fn a_failed_contact_is_a_contact() {
    let reset = |ask: &Ask<'_>| match ask.url {
        "http://a.example/1" => Answer::Fails(FailureKind::Disconnected),
        _ => plain(ask),
    };
    let mut world = World::new(reset).seed(&THREE);
    world.run_for(HOUR);
    assert!(world.gaps("a.example").into_iter().all(|gap| gap >= 1000));
}

#[test]
fn a_trailing_dot_is_not_another_host() {
    let mut world = World::new(plain).seed(&["http://a.example/1", "http://a.example./2"]);
    world.run();
    let mut starts: Vec<_> = world.log.iter().map(|contact| (contact.started, contact.ended)).collect();
    starts.sort_unstable();
    assert!(starts.windows(2).all(|pair| pair[1].0.since_ms(pair[0].1) >= 1000), "{:?}", world.log);
    assert_eq!(world.frontier.hosts(), 1);
}

#[test]
fn the_delay_of_a_host_that_was_only_looked_up_is_that_of_its_address() {
    let mut world = World::with(with_delay(0), plain).seed(&THREE[..1]);
    world.decide();
    let turn = world.next_turn(world.now).unwrap();
    let address = crate::Address { ip: "127.0.0.1".parse().unwrap(), reach: crate::Reach::Allowed };
    world.frontier.resolved(turn.host, vec![address], world.now + DAY);
    let url = weburl::Url::parse(THREE[0]).unwrap();
    let host = world.frontier.look_up(super::world::key(THREE[0]), &url, world.now).unwrap().host.unwrap();
    assert_eq!((host.contacts, host.delay), (0, HostDelay { ms: 0, by: DelayRule::Asked }));
}
