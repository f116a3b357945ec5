//! What operators say, by hand.

use super::examples::{config, url};
use super::hand::{Hand, OK};
use crate::{Action, CrawlConfig, Event, Exit, Found, Kind, Operator, OrderId, Parsed, Rules};
use control::limits::RETRIES;
use control::{Bound, Changes, Command, Effect, Refusal, Selection, Setting, Stage, Target};
use std::sync::Arc;
use weburl::{Folding, Rule, Scope, ScopeRules, Verdict};

const SEEDS: [&str; 4] =
    ["http://a.example/1", "http://a.example/2", "http://b.example/1", "http://b.example/2"];

fn hand(seeds: &[&'static str]) -> Hand {
    Hand::new(CrawlConfig { concurrency: 8, ..config() }, seeds)
}

fn order(hand: &mut Hand, command: Command) {
    hand.handle(Event::Ordered { order: OrderId(0), command });
}

/// Gives a command and waits for its answer.
fn obeyed(hand: &mut Hand, command: Command) -> Effect {
    let before = hand.answers.len();
    order(hand, command);
    while hand.answers.len() == before {
        hand.poll();
        hand.end_commit();
    }
    hand.poll();
    hand.answers[before].clone().expect("it is done").effect
}

fn refused(hand: &mut Hand, command: Command) -> Refusal {
    order(hand, command);
    hand.poll();
    hand.answers.pop().expect("at once").expect_err("it is refused")
}

fn host(name: &str) -> Target {
    Target::Host(name.parse().expect("a host"))
}

fn asked_of(hand: &Hand, host: &str) -> usize {
    hand.fetches.iter().filter(|job| job.url.host() == host).count()
}

#[test]
fn a_command_is_answered_when_the_journal_has_it() {
    let mut hand = hand(&SEEDS);
    hand.poll();
    order(&mut hand, Command::Pause);
    hand.poll();
    assert!(hand.answers.is_empty(), "its entry is not durable");
    hand.end_commit();
    hand.poll();
    if hand.answers.is_empty() {
        hand.end_commit();
        hand.poll();
    }
    assert_eq!(hand.answers.len(), 1);
}

#[test]
fn a_paused_crawl_begins_nothing_and_does_not_end() {
    let mut hand = hand(&SEEDS);
    assert_eq!(obeyed(&mut hand, Command::Pause), Effect::Done);
    assert_eq!(obeyed(&mut hand, Command::Pause), Effect::AlreadySo);
    for _ in 0..20 {
        hand.now = hand.now + 3_600_000;
        hand.poll();
        hand.end_commit();
    }
    assert!(hand.fetches.is_empty() && hand.exit.is_none());
    assert!(hand.crawler.snapshot(hand.now).paused);
    obeyed(&mut hand, Command::Resume);
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 4));
}

#[test]
fn what_is_under_way_when_a_crawl_is_paused_ends() {
    let mut hand = hand(&SEEDS);
    while hand.fetches.is_empty() {
        hand.poll();
        hand.end_commit();
    }
    let under_way = hand.fetches.len();
    obeyed(&mut hand, Command::Pause);
    assert_eq!(hand.fetches.len(), under_way);
    while !hand.fetches.is_empty() {
        hand.answer(OK);
    }
    for _ in 0..20 {
        hand.poll();
        hand.end_commit();
    }
    assert!(hand.fetches.is_empty());
    assert_eq!(hand.crawler.snapshot(hand.now).in_flight, 0);
}

#[test]
fn an_excluded_host_is_let_go_and_never_asked() {
    let mut hand = hand(&SEEDS);
    obeyed(&mut hand, Command::Exclude(host("b.example")));
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 2), "only what a.example has");
    let verdict = hand.crawler.config().rules.scope.judge_seed(&url("http://b.example/1"));
    assert_eq!(verdict, Verdict::Out(Rule::Banned("host b.example".to_owned())));
}

#[test]
fn a_host_excluded_while_it_is_asked_is_not_asked_again() {
    let mut hand = hand(&SEEDS);
    while asked_of(&hand, "b.example") == 0 {
        hand.poll();
        hand.end_commit();
    }
    obeyed(&mut hand, Command::Exclude(Target::Domain("b.example".parse().expect("a domain"))));
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 2), "its robots.txt was under way");
}

/// Rules that lie on an excluded host are not asked for there; once it is readmitted, they are.
#[test]
fn rules_on_an_excluded_host_are_waited_for_until_it_is_readmitted() {
    let mut hand = hand(&SEEDS[..2]);
    hand.robots = "HTTP/1.1 301 Moved\r\nLocation: http://b.example/robots.txt";
    obeyed(&mut hand, Command::Exclude(host("b.example")));
    hand.run(8, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (None, 0));
    obeyed(&mut hand, Command::Readmit(host("b.example")));
    hand.robots = "HTTP/1.1 404 None";
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 2));
}

#[test]
fn what_no_host_can_be_called_is_not_excluded() {
    let mut hand = hand(&SEEDS);
    for command in [Command::Exclude(host("*.b.example")), Command::Takedown(host("*"))] {
        assert!(matches!(refused(&mut hand, command), Refusal::Malformed { reason } if reason.contains('*')));
    }
}

#[test]
fn only_what_is_excluded_can_be_readmitted() {
    let mut hand = hand(&SEEDS);
    let readmit = || Command::Readmit(host("b.example"));
    assert_eq!(refused(&mut hand, readmit()), Refusal::NotExcluded { target: host("b.example") });
    obeyed(&mut hand, Command::Exclude(host("b.example")));
    assert_eq!(obeyed(&mut hand, readmit()), Effect::Rereading);
    assert_eq!(hand.crawler.config().rules.scope.judge_seed(&url("http://b.example/1")), Verdict::In);
}

#[test]
fn what_is_taken_down_is_excluded_and_withheld_until_it_is_readmitted() {
    let mut hand = hand(&SEEDS);
    let page = url("http://b.example/1");
    assert_eq!(hand.crawler.takedown_of(&page), None);
    assert_eq!(obeyed(&mut hand, Command::Takedown(host("b.example"))), Effect::Withheld);
    assert_eq!(obeyed(&mut hand, Command::Takedown(host("b.example"))), Effect::AlreadySo);
    let takedown = hand.crawler.takedown_of(&page).expect("it is covered");
    assert_eq!((takedown.target, takedown.stage), (host("b.example"), Stage::Withheld));
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 2), "only what a.example has");
    assert_eq!(hand.crawler.takedown_of(&url("http://a.example/1")), None);
}

#[test]
fn an_exclusion_can_become_a_takedown() {
    let mut hand = hand(&SEEDS);
    obeyed(&mut hand, Command::Exclude(host("b.example")));
    assert_eq!(obeyed(&mut hand, Command::Takedown(host("b.example"))), Effect::Withheld);
    assert_eq!(hand.crawler.takedowns().withheld().count(), 1);
    obeyed(&mut hand, Command::Readmit(host("b.example")));
    assert!(hand.crawler.takedowns().is_empty());
}

#[test]
fn what_is_purged_is_taken_down_all_the_same() {
    let mut hand = hand(&SEEDS);
    obeyed(&mut hand, Command::Takedown(host("b.example")));
    let through = hand.crawler.takedowns().iter().next().expect("one").entry;
    hand.handle(Event::Purged { through });
    obeyed(&mut hand, Command::Takedown(host("a.example")));
    let stage = |name: &str| hand.crawler.takedown_of(&url(name)).map(|takedown| takedown.stage);
    assert_eq!(stage("http://b.example/1"), Some(Stage::Purged));
    assert_eq!(stage("http://a.example/1"), Some(Stage::Withheld), "it was said later");
}

#[test]
fn settings_change_while_it_runs() {
    let mut hand = hand(&SEEDS);
    let changes = Changes {
        delay_ms: Some(7_000),
        concurrency: Some(1),
        limit: Some(Bound::AtMost(2)),
        ..Changes::default()
    };
    obeyed(&mut hand, Command::Set(changes));
    let begun = hand.now;
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::LimitReached), 2));
    assert!(hand.now.since_ms(begun) >= 7_000, "both are on hosts that are asked twice, robots.txt first");
    assert_eq!(hand.crawler.config().frontier.delay.host_ms, 7_000);
}

/// Two hosts at a server that is left alone for ten seconds: one of them has its turn and waits when delays change.
#[test]
fn who_has_its_turn_when_delays_change_is_left_alone_for_the_new_ones() {
    let mut hand = Hand::new(CrawlConfig { server_delay_ms: 10_000, ..config() }, &SEEDS);
    hand.go_on();
    let asked = hand.now;
    hand.answer(OK);
    while hand.now < asked + 8_000 {
        hand.poll();
        hand.end_commit();
        hand.now = hand.now + 1_000;
    }
    hand.poll();
    assert!(hand.fetches.is_empty() && hand.crawler.servers.queued() == 2, "both wait for the server");
    obeyed(&mut hand, Command::Set(Changes { delay_ms: Some(60_000), ..Changes::default() }));
    let told = hand.now;
    assert_eq!(hand.crawler.servers.queued(), 0);
    hand.go_on();
    assert!(hand.now >= told + 60_000, "{} ms are less than the new delay", hand.now.since_ms(told));
}

#[test]
fn a_delay_that_was_too_long_is_taken_back() {
    let hour = 3_600_000;
    let mut hand = Hand::new(CrawlConfig { patience_ms: 2 * hour, ..config() }, &SEEDS);
    hand.go_on();
    hand.answer(OK);
    let set =
        |delay_ms| Changes { delay_ms: Some(delay_ms), ip_delay_ms: Some(delay_ms), ..Changes::default() };
    obeyed(&mut hand, Command::Set(Changes { domain_delay_ms: Some(hour), ..set(hour) }));
    obeyed(&mut hand, Command::Set(Changes { domain_delay_ms: Some(250), ..set(1_000) }));
    obeyed(&mut hand, Command::Seeds(vec!["http://new.example/".to_owned()]));
    let told = hand.now;
    hand.run(1000, OK);
    assert_eq!(hand.exit, Some(Exit::Done));
    assert!(hand.now.since_ms(told) < 60_000, "{} ms", hand.now.since_ms(told));
}

#[test]
fn a_limit_below_what_is_under_way_ends_the_crawl_and_lets_nothing_begin() {
    let seeds = ["http://a.example/1", "http://b.example/1", "http://c.example/1", "http://d.example/1"];
    let mut hand = Hand::new(CrawlConfig { server_delay_ms: 0, ..config() }, &seeds);
    hand.go_on();
    while (hand.crawler.tally.pages, hand.crawler.pages_in_flight) != (1, 1) {
        hand.answer(OK);
        hand.go_on();
    }
    obeyed(&mut hand, Command::Set(Changes { limit: Some(Bound::AtMost(1)), ..Changes::default() }));
    hand.run(1000, "HTTP/1.1 503 Busy");
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::LimitReached), 1));
}

#[test]
fn retries_that_are_done_hold_up_no_other() {
    let mut hand = hand(&SEEDS);
    for _ in 0..=RETRIES {
        assert_eq!(
            obeyed(&mut hand, Command::Retry(Selection::All)),
            Effect::Retrying { parked: 0, refused: 0 }
        );
        hand.now = hand.now + 1_000;
        hand.poll();
    }
}

/// A shard that nothing has concerned before an exclusion takes what it is given as judged by it.
#[test]
fn links_that_a_parser_found_by_rules_of_before_are_found_once_more() {
    let rules =
        Rules { scope: ScopeRules::new(Scope::Any), folding: Folding::ALL, seed: config().rules.seed };
    let config = CrawlConfig { rules: Arc::new(rules), ..config() };
    let mut hand = Hand::new(config, &["http://a.example/1"]);
    let mut parsing = None;
    while parsing.is_none() {
        while let Some(action) = hand.crawler.poll(hand.now) {
            match action {
                Action::Parse(job) => parsing = Some(job.capture),
                other => hand.perform(other),
            }
        }
        hand.end_commit();
        while !hand.fetches.is_empty() {
            hand.answer(OK);
        }
        hand.now = hand.now + 1_000;
    }
    obeyed(&mut hand, Command::Exclude(host("b.example")));
    let (page, rules) = (url("http://b.example/"), hand.crawler.config().rules.clone());
    let (key, shard) = (rules.key(&page), rules.shard(page.host()));
    let link = Found { url: page.as_str(), key, shard, steps: 1, hops: 0, kind: Kind::Page };
    let parsed = Parsed { links: [link].into_iter().collect(), ..Parsed::nothing(parsing.unwrap()) };
    hand.handle(Event::Parsed(parsed));
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 1), "what is excluded is not asked");
    assert_eq!(hand.parses.len(), 1, "it was parsed by the rules of now");
}

#[test]
fn what_cannot_change_while_it_runs_is_refused() {
    let mut hand = hand(&SEEDS);
    let set = |changes: Changes| Command::Set(changes);
    assert_eq!(refused(&mut hand, set(Changes::default())), Refusal::NoChange);
    let depth = Changes { depth: Some(Bound::AtMost(1)), ..Changes::default() };
    assert_eq!(refused(&mut hand, set(depth)), Refusal::OnlyAtStart { setting: Setting::Depth });
    let none = Changes { limit: Some(Bound::AtMost(0)), ..Changes::default() };
    assert_eq!(refused(&mut hand, set(none)), Refusal::TooLittle { what: "limit".to_owned(), least: 1 });
    let endless = Some(Bound::AtMost(u64::MAX));
    for changes in [
        Changes { limit: endless, ..Changes::default() },
        Changes { size_limit: endless, ..Changes::default() },
        Changes { time_limit_ms: endless, ..Changes::default() },
    ] {
        let refusal = refused(&mut hand, set(changes));
        assert!(matches!(refusal, Refusal::TooMuch { asked: u64::MAX, .. }), "{refusal}");
    }
    let more = Changes { concurrency: Some(9), ..Changes::default() };
    let too_much = refused(&mut hand, set(more));
    assert_eq!(too_much, Refusal::TooMuch { what: "requests at once".to_owned(), asked: 9, most: 8 });
    let bad = refused(&mut hand, Command::Seeds(vec!["not a URL".to_owned()]));
    assert!(matches!(bad, Refusal::BadSeed { .. }), "{bad}");
}

#[test]
fn seeds_given_later_are_seeds_and_widen_the_scope() {
    let mut hand = hand(&["http://a.example/1"]);
    obeyed(&mut hand, Command::Exclude(host("x.example")));
    let seeds = ["http://new.example/", "http://x.example/"].map(str::to_owned).to_vec();
    assert_eq!(obeyed(&mut hand, Command::Seeds(seeds)), Effect::Seeded { taken: 1, excluded: 1 });
    assert_eq!(hand.crawler.config().rules.scope.judge(&url("http://new.example/deep")), Verdict::In);
    hand.run(1000, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 2));
}

#[test]
fn links_are_found_again_only_where_seeds_widen_the_scope() {
    let mut hand = hand(&["http://a.example/1"]);
    for (seed, widens) in [("http://a.example/2", false), ("http://new.example/", true)] {
        let seeds = vec![seed.to_owned()];
        assert_eq!(hand.crawler.is_widened_by(&seeds), widens, "{seed}");
        obeyed(&mut hand, Command::Seeds(seeds.clone()));
        assert!(!hand.crawler.is_widened_by(&seeds), "{seed}, said again");
    }
}

#[test]
fn stop_saves_and_leaves() {
    let mut hand = hand(&SEEDS);
    order(&mut hand, Command::Stop);
    hand.run(1000, OK);
    assert_eq!(hand.exit, Some(Exit::Interrupted));
    assert!(matches!(hand.answers.as_slice(), [Ok(_)]));
}

#[test]
fn a_crawl_that_names_nobody_keeps_to_one_domain() {
    let with = |operator| {
        let mut config = config();
        config.operator = operator;
        Hand::new(config, &SEEDS[..1])
    };
    let seeds = |seeds: &[&str]| Command::Seeds(seeds.iter().map(|seed| (*seed).to_owned()).collect());
    let (near, far) = ("http://www.a.example/", "http://b.example/1");
    let mut nameless = with(Operator::Nameless);
    let refusal = Refusal::NoContact { seed: far.to_owned(), home: "a.example".to_owned() };
    assert_eq!(refused(&mut nameless, seeds(&[near, far])), refusal);
    assert_eq!(obeyed(&mut nameless, seeds(&[near])), Effect::Seeded { taken: 1, excluded: 0 });
    assert_eq!(obeyed(&mut with(Operator::Named), seeds(&[far])), Effect::Seeded { taken: 1, excluded: 0 });
}
