use super::world::{Answer, Ask, DAY, HOUR, SECOND, START, World, plain};
use crate::host::HostRecord;
use crate::identity::host_key;
use crate::limits::{ERRANDS_PER_HOST, HOSTS_WOKEN};
use crate::stored_host::StoredHost;
use crate::{
    Barred, Draw, Exclusion, FailureKind, Judge, ParkReason, Pending, Redirect, RobotsAnswer, RobotsErrand,
    RobotsRecord, Stays, Stop, UrlState,
};
use robots::Robots;
use robots::limits::ROBOTS_BYTES;
use std::sync::Arc;

const PAGE: &str = "http://a.example/1";
const ROBOTS: &str = "http://a.example/robots.txt";

fn robots(answer: &Answer) -> impl Fn(&Ask<'_>) -> Answer + 'static {
    let answer = answer.clone();
    move |ask| if ask.url == ROBOTS { answer.clone() } else { plain(ask) }
}

fn to(url: &str) -> Answer {
    Answer::To(Redirect::OtherKey(url.to_owned()))
}

fn asked(world: &World, url: &str) -> usize {
    world.log.iter().filter(|contact| contact.url == url).count()
}

/// To whom a query tells no pages apart.
#[derive(Debug)]
struct WithoutQuery;

impl Judge for WithoutQuery {
    fn fingerprint(&self) -> u64 {
        2
    }

    fn judge(&self, _: &Pending) -> Stays {
        Stays::In
    }

    fn shuns(&self, _: &str) -> bool {
        false
    }

    fn plainest(&self, pending: &Pending) -> Option<String> {
        pending.url.split_once('?').map(|(page, _)| page.to_owned())
    }
}

#[test]
fn a_form_that_rules_forbid_gives_way_to_the_plainest() {
    let rules = "User-agent: *\nDisallow: /*?from\nDisallow: /no".to_owned();
    let mut world = World::new(robots(&Answer::Rules(rules)));
    world.frontier.adopt(Arc::new(WithoutQuery)).unwrap();
    let forms = ["http://a.example/1?from=b", "http://a.example/no?from=b", "http://a.example/2?q"];
    let mut world = world.seed(&forms);
    world.run();
    assert_eq!(world.pages(), [PAGE, forms[2]]);
    assert!(matches!(world.state(forms[0]), UrlState::Fetched { .. }));
    assert!(matches!(world.state(forms[1]), UrlState::Excluded { rule: Exclusion::Robots { line: 3 }, .. }));
}

/// The clock of a run before was ahead, as after a false date at boot.
#[test]
fn rules_that_nobody_knows_the_age_of_are_asked_for_anew() {
    let mut world = World::new(plain).seed(&[PAGE]);
    world.run();
    let mut frontier = world.restored(Stop::Clean);
    frontier.distrust_rules(world.now);
    let (_, disk) = world.cut();
    world.restart(frontier, disk);
    for n in 2..5 {
        world.find(&format!("http://a.example/{n}"), 1);
    }
    world.run();
    assert_eq!((asked(&world, ROBOTS), world.pages().len()), (2, 4));
}

/// They hold no longer than the name under which they were read, also where there are no others to be had.
#[test]
fn rules_that_count_for_nothing_are_no_stale_case() {
    let mut world =
        World::new(|ask| if ask.is_robots() && ask.before > 0 { Answer::Status(500) } else { plain(ask) })
            .seed(&[PAGE]);
    world.run_for(HOUR);
    let mut frontier = world.restored(Stop::Clean);
    frontier.distrust_rules(world.now);
    let (_, disk) = world.cut();
    world.restart(frontier, disk);
    world.find("http://a.example/2", 1);
    world.run();
    assert_eq!(world.pages(), [PAGE]);
    let UrlState::Parked { reason, .. } = world.state("http://a.example/2") else { panic!() };
    assert_eq!((reason, asked(&world, ROBOTS)), (ParkReason::RobotsUnreachable, 6));
}

#[test]
fn rules_are_asked_for_first_and_judge_at_the_draw() {
    let rules = Answer::Rules("User-agent: *\nDisallow: /no\n".into());
    let mut world = World::new(robots(&rules)).seed(&[PAGE, "http://a.example/no/2", "http://a.example/3"]);
    world.run();
    assert_eq!(world.log[0].url, ROBOTS);
    assert_eq!(world.pages(), [PAGE, "http://a.example/3"]);
    let UrlState::Excluded { rule, .. } = world.state("http://a.example/no/2") else { panic!() };
    assert_eq!(rule, Exclusion::Robots { line: 2 });
    assert_eq!(asked(&world, ROBOTS), 1);
}

#[test]
fn a_long_run_of_forbidden_urls_is_passed_over_without_a_contact() {
    let rules = Answer::Rules("User-agent: *\nDisallow: /no\n".into());
    let mut world = World::new(robots(&rules));
    for n in 0..2000 {
        world.find(&format!("http://a.example/no/{n}"), 1);
    }
    world.find(PAGE, 1);
    world.run_for(5 * SECOND);
    assert_eq!(world.pages(), [PAGE]);
    assert_eq!(world.frontier.excluded()["robots"], 2000);
}

#[test]
fn rules_are_asked_for_again_after_a_day() {
    let mut world = World::new(plain).seed(&[PAGE]);
    world.run_for(DAY - SECOND);
    world.find("http://a.example/2", 1);
    world.run_for(SECOND - 1);
    assert_eq!(asked(&world, ROBOTS), 1, "younger than a day");
    world.run_for(HOUR);
    world.find("http://a.example/3", 1);
    world.run_for(HOUR);
    let order: Vec<&str> = world.log.iter().map(|contact| contact.url.as_str()).collect();
    assert_eq!(order, [ROBOTS, PAGE, "http://a.example/2", ROBOTS, "http://a.example/3"]);
}

#[test]
fn each_authority_has_rules_of_its_own() {
    let rules = |ask: &Ask<'_>| match ask.url {
        ROBOTS => Answer::Rules("User-agent: *\nDisallow: /".into()),
        _ => plain(ask),
    };
    let urls = ["http://a.example/1", "https://a.example/2", "http://a.example:8080/3"];
    let mut world = World::new(rules).seed(&urls);
    world.run();
    assert_eq!(world.pages(), &urls[1..]);
    for authority in ["http://a.example", "https://a.example", "http://a.example:8080"] {
        assert_eq!(asked(&world, &format!("{authority}/robots.txt")), 1, "{authority}");
    }
    assert!(world.gaps("a.example").iter().all(|gap| *gap == 1000), "one host, one clock");
}

#[test]
fn the_rules_of_many_ports_do_not_pile_up() {
    let mut world = World::new(plain);
    for port in 1..200 {
        world.find(&format!("http://a.example:{port}/"), 1);
    }
    world.run();
    assert_eq!(world.frontier.fetched(), 199);
    assert_eq!(world.frontier.hosts[0].record.robots.len(), crate::limits::ROBOTS_PER_HOST);
}

#[test]
fn unreachable_rules_forbid_are_retried_and_park_after_five() {
    for answer in [
        Answer::Status(500),
        Answer::Status(429),
        Answer::Fails(FailureKind::ResponseTimeout),
        Answer::RetryAfter(503, 2 * HOUR),
    ] {
        let mut world = World::new(robots(&answer)).seed(&[PAGE]);
        world.run();
        assert_eq!((asked(&world, ROBOTS), world.pages().len()), (5, 0), "{answer:?}");
        let UrlState::Parked { reason, .. } = world.state(PAGE) else { panic!("{:?}", world.state(PAGE)) };
        assert_eq!(reason, ParkReason::RobotsUnreachable);
        assert!(world.gaps("a.example").iter().all(|gap| *gap >= 10_000));
    }
}

#[test]
fn rules_that_come_at_last_are_obeyed() {
    let late = |ask: &Ask<'_>| match ask.url {
        ROBOTS if ask.before < 4 => Answer::Status(502),
        _ => plain(ask),
    };
    let mut world = World::new(late).seed(&[PAGE]);
    world.run();
    assert_eq!((asked(&world, ROBOTS), world.frontier.fetched()), (5, 1));
}

#[test]
fn a_redirected_robots_txt_is_fetched_by_the_host_it_names_in_its_own_turn() {
    let rules = |ask: &Ask<'_>| match ask.url {
        ROBOTS => to("http://b.example/rules"),
        "http://b.example/rules" => Answer::Rules("User-agent: *\nDisallow: /no".into()),
        _ => plain(ask),
    };
    let urls = [PAGE, "http://a.example/no", "http://b.example/no"];
    let mut world = World::new(rules).seed(&urls);
    world.run();
    assert_eq!(world.pages().iter().filter(|url| **url == "http://b.example/rules").count(), 1);
    assert!(matches!(world.state(urls[0]), UrlState::Fetched { .. }));
    assert!(matches!(world.state(urls[1]), UrlState::Excluded { .. }));
    assert!(matches!(world.state(urls[2]), UrlState::Fetched { .. }), "they are the rules of another host");
    for host in ["a.example", "b.example"] {
        assert!(world.gaps(host).iter().all(|gap| *gap >= 1000), "{host}");
    }
}

#[test]
fn while_rules_are_fetched_elsewhere_a_host_fetches_no_page_but_runs_errands() {
    let rules = |ask: &Ask<'_>| match ask.url {
        ROBOTS => to("http://b.example/rules"),
        "http://b.example/robots.txt" => to("http://a.example/rules"),
        "http://a.example/rules" | "http://b.example/rules" => Answer::Status(404),
        _ => plain(ask),
    };
    let mut world = World::new(rules).seed(&[PAGE, "http://b.example/1"]);
    world.run();
    assert_eq!(world.frontier.fetched(), 2);
    let at = |url: &str| world.log.iter().position(|contact| contact.url == url).unwrap();
    assert!(at("http://b.example/rules") < at(PAGE));
    assert!(at("http://a.example/rules") < at("http://b.example/1"));
}

#[test]
fn a_host_waits_for_the_rules_it_asked_for_whatever_else_is_learned() {
    let mut world = World::new(plain).seed(&[PAGE]);
    world.decide();
    world.frontier.await_robots("http://a.example");
    let learn = |world: &mut World, authority: &str| {
        let answer = RobotsAnswer::Absent { status: 404 };
        let record = RobotsRecord { authority: authority.to_owned(), fetched_at: START, answer };
        world.frontier.apply_robots(record).unwrap();
        world.frontier.next_due()
    };
    assert_eq!(learn(&mut world, "http://a.example:8080"), None);
    assert!(learn(&mut world, "http://a.example").is_some());
}

#[test]
fn robots_that_redirect_to_each_other_end_as_absent() {
    let round = |ask: &Ask<'_>| match ask.url {
        ROBOTS => to("http://b.example/robots.txt"),
        "http://b.example/robots.txt" => to(ROBOTS),
        _ => plain(ask),
    };
    let mut world = World::new(round).seed(&[PAGE]);
    world.run_for(HOUR);
    assert_eq!(world.frontier.fetched(), 1);
    assert_eq!((asked(&world, ROBOTS), asked(&world, "http://b.example/robots.txt")), (3, 3));
}

#[test]
fn a_redirect_to_a_host_that_may_not_be_contacted_is_unreachable() {
    let barred = |ask: &Ask<'_>| match ask.url {
        ROBOTS => to("http://b.example/robots.txt"),
        "dns:b.example" => Answer::Fails(FailureKind::AddressRefused),
        _ => plain(ask),
    };
    let mut world = World::new(barred).seed(&[PAGE]);
    world.run();
    assert_eq!(world.contacts("b.example").len(), 0);
    let UrlState::Parked { reason, .. } = world.state(PAGE) else { panic!("{:?}", world.state(PAGE)) };
    assert_eq!(reason, ParkReason::RobotsUnreachable);
    assert_eq!(asked(&world, ROBOTS), 5);
}

#[test]
fn errands_at_a_host_that_is_given_up_come_back() {
    let dead = |ask: &Ask<'_>| match ask.url {
        ROBOTS => to("http://b.example/robots.txt"),
        url if url.contains("b.example") && !ask.is_name() => Answer::Fails(FailureKind::ConnectRefused),
        _ => plain(ask),
    };
    let mut world = World::new(dead).seed(&[PAGE, "http://b.example/"]);
    world.run();
    assert_eq!(world.frontier.parked(), 2);
    assert_eq!(world.frontier.next_due(), None);
}

#[test]
fn an_errand_that_was_not_begun_comes_again_or_back() {
    let mut world = World::new(plain).seed(&["http://h.example/1"]);
    world.decide();
    let errand = RobotsErrand {
        authority: "http://asker.example".to_owned(),
        url: "http://h.example/rules".to_owned(),
        hops: 1,
    };
    assert!(world.frontier.run_errand(errand.clone()));
    let turn = |world: &mut World, now| {
        let host = world.next_turn(now).expect("its turn").host;
        (host, world.frontier.draw(host, now).unwrap())
    };
    let (host, drawn) = turn(&mut world, START);
    assert_eq!(drawn, Draw::Robots(errand.clone()));
    world.frontier.not_begun(host, Some(errand.clone()));
    world.frontier.check_invariants();
    assert_eq!(world.frontier.next_due(), Some(START + 250), "its domain's clock counts from the draw");
    let (host, drawn) = turn(&mut world, START + 250);
    assert_eq!(drawn, Draw::Robots(errand.clone()));
    world.frontier.bar(host, Barred::Excluded(Exclusion::AddressRefused));
    world.frontier.not_begun(host, Some(errand.clone()));
    world.frontier.check_invariants();
    assert_eq!(world.frontier.take_unanswered(), [errand]);
}

#[test]
fn errands_have_a_bound() {
    let errand = |asker: usize, url: &str| {
        let authority = format!("http://h{asker}.example");
        RobotsErrand { authority, url: url.to_owned(), hops: 1 }
    };
    let mut world = World::new(plain).seed(&[PAGE]);
    world.run();
    for url in ["http://a.example/rules", "http://asleep.example/rules"] {
        let given = (0..ERRANDS_PER_HOST + 9).filter(|n| world.frontier.run_errand(errand(*n, url)));
        assert_eq!(given.count(), ERRANDS_PER_HOST, "{url}");
    }
    let elsewhere = |n: usize| errand(n, &format!("http://h{n}.example/rules"));
    let woken = (0..2 * HOSTS_WOKEN).filter(|n| world.frontier.run_errand(elsewhere(*n)));
    assert_eq!(woken.count(), HOSTS_WOKEN - 1, "one is to be woken already");
}

/// It was to be woken, and has come into memory by itself before the job began.
#[test]
fn an_errand_whose_host_is_awake_by_now_is_given_to_it() {
    let mut world = World::new(plain).seed(&[PAGE]);
    world.run();
    let url = "http://a.example/rules".to_owned();
    let errand = RobotsErrand { authority: "http://h.example".to_owned(), url, hops: 1 };
    let key = host_key("a.example", world.frontier.config.seed);
    assert!(world.frontier.host_ids.contains_key(&key));
    world.frontier.errands.insert(key, [errand].into());
    world.frontier.merge_now().unwrap();
    assert!(world.frontier.errands.is_empty());
    let host = world.frontier.resident("a.example").expect("it is awake");
    assert_eq!(world.frontier.host_ref(host).errands.len(), 1);
}

/// Else a host that has no room in memory would ask for them each time that its turn has come, and for nothing else.
#[test]
fn rules_as_long_as_they_are_read_leave_memory_with_their_host() {
    let mut lines = (0..).map(|n| format!("Allow:/{n}\n"));
    let mut text = "User-agent: *\n".to_owned();
    while text.len() < ROBOTS_BYTES - 12 {
        text.extend(lines.next());
    }
    let answer = RobotsAnswer::Rules(Box::new(Robots::parse(text.as_bytes(), "drumlin")));
    let robots = RobotsRecord { authority: "http://a.example".into(), fetched_at: START, answer };
    let mut host = HostRecord::new("a.example", START);
    host.robots.push(robots);
    let bytes = host.encode();
    assert!(bytes.len() > ROBOTS_BYTES / 2, "{} bytes", bytes.len());
    assert_eq!(StoredHost::new(&bytes, START).record().unwrap().robots.len(), 1);
}

/// Else a damaged one asks for all memory.
#[test]
fn what_a_record_says_that_its_rules_take_is_not_believed() {
    let mut host = HostRecord::new("a.example", START);
    host.robots_bytes = u64::MAX;
    let bytes = host.encode();
    assert_eq!(StoredHost::new(&bytes, START).record().unwrap().robots_bytes, 0);
}

#[test]
fn while_there_are_no_new_rules_the_old_ones_are_obeyed() {
    let down_from_day_two = |ask: &Ask<'_>| match ask.url {
        ROBOTS if ask.before == 0 => Answer::Rules("User-agent: *\nDisallow: /no\nCrawl-delay: 20\n".into()),
        ROBOTS => Answer::Status(500),
        _ => plain(ask),
    };
    let mut world = World::new(down_from_day_two).seed(&[PAGE]);
    world.run_for(2 * DAY);
    let urls = ["http://a.example/2", "http://a.example/no/3", "http://a.example/4"];
    for url in &urls {
        world.find(url, 1);
    }
    world.run_for(HOUR / 2);
    assert_eq!(world.pages(), [PAGE, urls[0], urls[2]]);
    assert_eq!(asked(&world, ROBOTS), 2, "it was tried");
    assert!(world.gaps("a.example").iter().all(|gap| *gap >= 20 * SECOND), "their crawl-delay holds");
    world.run_for(HOUR);
    world.find("http://a.example/5", 1);
    world.run_for(HOUR / 2);
    assert_eq!(asked(&world, ROBOTS), 3, "it is tried again after an hour");
    world.run_for(31 * DAY);
    world.find("http://a.example/6", 1);
    world.run_for(DAY);
    let UrlState::Parked { reason, .. } = world.state("http://a.example/6") else { panic!() };
    assert_eq!(reason, ParkReason::RobotsUnreachable, "not for ever");
}

#[test]
fn an_errand_wakes_a_host_whose_name_ends_with_a_dot() {
    let dotted = |ask: &Ask<'_>| match ask.url {
        ROBOTS => to("http://b.example./robots.txt"),
        _ => plain(ask),
    };
    let mut world = World::new(dotted).seed(&[PAGE]);
    world.run();
    assert_eq!(world.frontier.fetched(), 1);
}

/// It runs an errand of its own for others when its rules, which lie elsewhere, are known.
#[test]
fn a_host_that_is_given_up_while_it_waits_for_its_server_is_not_contacted() {
    let mut world = World::new(plain).seed(&[PAGE]);
    world.decide();
    let host = world.next_turn(START).expect("its turn").host;
    let rules = Robots::parse(b"User-agent: *\nCrawl-delay: 301\n", "drumlin");
    let answer = RobotsAnswer::Rules(Box::new(rules));
    let record = RobotsRecord { authority: "http://a.example".into(), fetched_at: START, answer };
    world.frontier.apply_robots(record).unwrap();
    assert_eq!(world.frontier.parked(), 1);
    assert_eq!(world.frontier.draw(host, START).unwrap(), Draw::Nothing);
    assert_eq!((world.frontier.hosts_taken(), world.frontier.next_due()), (0, None));
    world.frontier.check_invariants();
}
