//! The machine by hand: what it asks for, and what it does with the answers.

use super::examples::{START, config, found, received, url};
use super::hand::{Hand, OK};
use crate::limits::{COMMIT_ENTRIES, KEEP_ALIVE_MS, TURNS_AT_ONCE};
use crate::{Action, CrawlConfig, Event, Exit, Memory, Parsed, Says, Storage, Work};
use frontier::FailureKind;
use frontier::{CaptureSeq, Hunger, Origin, UrlState, Yield};
use snapshot::LedOut;

const SEED: &str = "http://a.example/";

#[test]
fn a_crawl_of_one_page() {
    let mut hand = Hand::new(config(), &[SEED]);
    hand.run(100, OK);
    assert_eq!(hand.exit, Some(Exit::Done));
    assert_eq!((hand.crawler.tally.pages, hand.crawler.tally.captures), (1, 2));
    assert_eq!(hand.checkpoints.len(), 1, "the last");
}

#[test]
fn after_the_exit_nothing_is_left_to_do() {
    let mut hand = Hand::new(config(), &[SEED]);
    hand.poll();
    while hand.committing.is_some() {
        hand.end_commit();
        hand.poll();
    }
    assert_eq!(hand.fetches.len(), 1);
    hand.handle(full());
    hand.poll();
    assert_eq!(hand.exit, Some(Exit::DiskFull));
    hand.answer(OK);
    assert!(hand.crawler.poll(hand.now + 1_000_000).is_none());
    assert_eq!(hand.crawler.next_deadline(hand.now), None);
}

/// A write has found no room.
fn full() -> Event {
    Event::Storage(Storage::Full { because: "by hand".to_owned() })
}

#[test]
fn what_a_full_disk_did_not_take_is_not_counted() {
    let mut hand = Hand::new(config(), &[SEED, "http://a.example/2", "http://a.example/3"]);
    // Robots.txt and the first page; then a page and a failure.
    for _ in 0..2 {
        hand.go_on();
        hand.answer(OK);
    }
    hand.go_on();
    let durable = hand.crawler.snapshot(hand.now);
    hand.answer(OK);
    hand.poll();
    assert!(hand.committing.is_some());
    hand.now = hand.now + 10_000;
    hand.poll();
    hand.fail(FailureKind::Protocol);
    assert_eq!(hand.crawler.snapshot(hand.now).captures, durable.captures + 1);
    hand.handle(full());
    hand.poll();
    let end = hand.crawler.snapshot(hand.now);
    assert_eq!((hand.exit, end.no_room.as_deref()), (Some(Exit::DiskFull), Some("by hand")));
    assert_eq!((end.pages, end.captures, end.bytes), (durable.pages, durable.captures, durable.bytes));
    assert_eq!((end.statuses, end.failures), (durable.statuses, durable.failures));
}

#[test]
fn a_limit_counts_final_answers_of_pages_only() {
    for (head, pages, exit) in [
        (OK, 3, Exit::LimitReached),
        ("HTTP/1.1 404 None", 3, Exit::LimitReached),
        ("HTTP/1.1 301 Moved\r\nLocation: http://b.example/", 0, Exit::Done),
        ("HTTP/1.1 301 Moved", 0, Exit::Done),
        ("HTTP/1.1 500 Broken", 0, Exit::Done),
    ] {
        let seeds = ["http://a.example/1", "http://a.example/2", "http://b.example/", "http://c.example/"];
        let mut hand = Hand::new(CrawlConfig { limit: Some(3), ..config() }, &seeds);
        hand.run(1000, head);
        assert_eq!((hand.crawler.tally.pages, hand.exit), (pages, Some(exit)), "{head}");
    }
}

#[test]
fn names_of_hosts_that_wait_for_a_slot_are_asked_for_ahead() {
    let seeds = ["http://a.example/", "http://b.example/", "http://c.example/"];
    let mut full = Hand::new(CrawlConfig { concurrency: 1, ..config() }, &seeds);
    full.run(3, OK);
    full.ahead.sort();
    assert_eq!(full.ahead, ["a.example", "b.example", "c.example"]);
    let mut roomy = Hand::new(CrawlConfig { concurrency: 9, ..config() }, &seeds);
    roomy.run(3, OK);
    assert!(roomy.ahead.is_empty(), "what is due is asked for in its turn");
}

#[test]
fn a_slot_under_the_limit_is_reserved_at_dispatch_and_given_back() {
    let seeds = ["http://a.example/1", "http://b.example/1", "http://c.example/1"];
    let limited = CrawlConfig { limit: Some(1), concurrency: 9, server_delay_ms: 0, ..config() };
    let mut hand = Hand::new(limited, &seeds);
    hand.run(3, OK);
    let pages = |hand: &Hand| hand.fetches.iter().filter(|job| job.url.path() == "/1").count();
    while pages(&hand) == 0 {
        hand.end_commit();
        hand.poll();
        while hand.fetches.first().is_some_and(|job| job.url.path() == "/robots.txt") {
            hand.answer(OK);
        }
        hand.now = hand.now + 100;
        hand.poll();
    }
    hand.now = hand.now + 60_000;
    hand.poll();
    assert_eq!(pages(&hand), 1, "one slot, one flight");
    hand.answer("HTTP/1.1 500 Broken");
    hand.now = hand.now + 1000;
    hand.poll();
    assert_eq!(pages(&hand), 1, "another host takes the slot");
    hand.answer(OK);
    hand.run(100, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::LimitReached), 1));
}

#[test]
fn once_bytes_or_time_are_used_up_nothing_is_begun() {
    let seeds = ["http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"];
    let begun = |limits: CrawlConfig| {
        let mut hand = Hand::new(CrawlConfig { concurrency: 1, ..limits }, &seeds);
        hand.go_on();
        hand.answer(OK);
        hand.now = hand.now + 10_000;
        for _ in 0..10 {
            hand.poll();
            hand.end_commit();
        }
        hand.fetches.len()
    };
    assert_eq!(begun(config()), 1);
    assert_eq!(begun(CrawlConfig { size_limit: Some(1), ..config() }), 0);
    assert_eq!(begun(CrawlConfig { time_limit_ms: Some(10_000), ..config() }), 0);
}

/// A page that has been answered, and behind it links for four commits.
fn with_links_waiting(config: CrawlConfig) -> Hand {
    let mut hand = Hand::new(config, &[SEED]);
    while hand.fetches.first().is_none_or(|job| job.url.path() != "/") {
        hand.run(1, OK);
        hand.poll();
    }
    while hand.committing.is_some() {
        hand.end_commit();
        hand.poll();
    }
    hand.answer(OK);
    for n in 0..4 * COMMIT_ENTRIES {
        let discoveries = vec![found(&format!("http://a.example/{n}"), 1)];
        hand.crawler.journal(received(None, Origin::Document(SEED.to_owned()), discoveries), None).unwrap();
    }
    hand
}

#[test]
fn while_links_wait_for_a_slow_disk_nothing_is_parsed() {
    let mut hand = with_links_waiting(CrawlConfig { link_bytes: 10_000, ..config() });
    for left in (0..4).rev() {
        hand.poll();
        assert!(hand.crawler.outbox.waiting_bytes() > 10_000 || left == 0, "there is something to wait for");
        assert_eq!(hand.parses.len(), usize::from(left == 0));
        hand.end_commit();
    }
}

#[test]
fn a_checkpoint_that_is_due_comes_before_more_is_parsed() {
    let mut hand = with_links_waiting(CrawlConfig { checkpoint_bytes: 1000, ..config() });
    let before = hand.checkpoints.len();
    for left in (0..4).rev() {
        hand.poll();
        hand.end_commit();
        assert!(left == 0 || hand.parses.is_empty(), "the journal catches up first");
    }
    hand.poll();
    assert_eq!((hand.checkpoints.len(), hand.parses.clone()), (before + 1, vec![before + 1]));
}

/// A crawl without room in memory that has fetched all it knows, and its pages, which are with the parser.
fn all_fetched(seeds: &[&'static str]) -> (Hand, Vec<CaptureSeq>) {
    let mut config = CrawlConfig { concurrency: 9, server_delay_ms: 0, ..config() };
    config.frontier.memory.resident_bytes = 100;
    let (mut hand, mut pages) = (Hand::new(config, seeds), Vec::new());
    for _ in 0..200 {
        while let Some(action) = hand.crawler.poll(hand.now) {
            match action {
                Action::Parse(job) => pages.push(job.capture),
                action => hand.perform(action),
            }
        }
        hand.end_commit();
        while !hand.fetches.is_empty() {
            hand.answer(OK);
        }
        hand.now = hand.now + 100;
    }
    (hand, pages)
}

#[test]
fn a_page_whose_host_is_in_the_hands_of_a_job_holds_nobody_up() {
    let (mut hand, pages) = all_fetched(&[SEED, "http://b.example/"]);
    let shard = hand.crawler.shard_of(&url(SEED));
    let discoveries = vec![found("http://a.example/next", 1)];
    hand.crawler.journal(received(None, Origin::Document(SEED.to_owned()), discoveries), None).unwrap();
    hand.crawler.shards.get(shard).unwrap().grant(0);
    let job = hand.crawler.shards.start_job(shard, hand.now, Hunger::Starving).unwrap().unwrap();
    assert!(hand.crawler.shards.if_open(shard).unwrap().has_in_hands(SEED), "its host is not in memory");

    let unparsed = |hand: &Hand| hand.crawler.unfinished.unparsed();
    assert_eq!((pages.len(), unparsed(&hand)), (2, 2));
    let says = Says { shard, url: SEED.to_owned(), gave: Yield::Nothing };
    hand.handle(Event::Parsed(Parsed { says: Some(says), ..Parsed::nothing(pages[0]) }));
    assert_eq!(unparsed(&hand), 2, "it waits for the job");
    hand.handle(Event::Parsed(Parsed::nothing(pages[1])));
    assert_eq!(unparsed(&hand), 1, "this one does not");
    hand.handle(Event::Worked(Box::new(Work { shard, job }.perform())));
    assert_eq!(unparsed(&hand), 0);
}

#[test]
fn nobody_is_contacted_by_a_clock_that_was_read_before_a_cut() {
    let config = CrawlConfig { checkpoint_bytes: 1, server_delay_ms: 0, ..config() };
    let mut hand = Hand::new(config, &["http://a.example/1", "http://a.example/2", "http://a.example/3"]);
    hand.cut_ms = 1000;
    let mut contacts_at_cuts = 0;
    for _ in 0..100 {
        hand.end_commit();
        hand.now = hand.now + 1000;
        let cuts = hand.checkpoints.len();
        hand.poll();
        contacts_at_cuts += if hand.checkpoints.len() > cuts { hand.fetches.len() } else { 0 };
        while let Some(job) = hand.fetches.first() {
            assert!(job.begin_by >= hand.now, "{} is drawn after the cut", job.url);
            hand.answer(OK);
        }
    }
    assert!(hand.exit.is_some() && contacts_at_cuts > 0);
}

#[test]
fn turns_of_one_reading_of_the_clock_are_bounded_and_all_come() {
    const HOSTS: usize = 2 * TURNS_AT_ONCE;
    let seeds: Vec<&str> = (0..HOSTS).map(|n| format!("http://h{n}.a.example/").leak() as &str).collect();
    let mut config = CrawlConfig { concurrency: HOSTS, ..config() };
    config.frontier.memory.resident_bytes = 16 << 20;
    let mut hand = Hand::new(config, &seeds);
    hand.handle(Event::Memory(Memory::Short));
    hand.poll();
    hand.end_commit();
    hand.poll();
    hand.handle(Event::Memory(Memory::Enough));
    let (mut names, mut most) = (0, 0);
    while let Some(action) = hand.crawler.poll(hand.now) {
        most = most.max(1 + hand.crawler.actions.len());
        match action {
            Action::Resolve(_) => names += 1,
            other => hand.perform(other),
        }
    }
    assert_eq!((names, most), (HOSTS, TURNS_AT_ONCE));
}

#[test]
fn a_checkpoint_waits_for_the_one_before_and_so_does_the_exit() {
    let mut hand = Hand::new(CrawlConfig { checkpoint_bytes: 1, ..config() }, &[SEED]);
    hand.quick_disk = false;
    hand.run(20, OK);
    assert_eq!((hand.checkpoints.len(), hand.exit), (1, None), "the first is not written yet");
    assert!(hand.parses.is_empty(), "and the journal does not run away from it");
    hand.handle(Event::Checkpointed);
    hand.poll();
    assert_eq!((hand.checkpoints.len(), hand.exit), (2, None));
    hand.quick_disk = true;
    hand.handle(Event::Checkpointed);
    hand.run(20, OK);
    assert_eq!(hand.exit, Some(Exit::Done));
}

#[test]
fn commits_go_on_while_the_files_of_a_checkpoint_are_made_durable() {
    let mut hand = Hand::new(CrawlConfig { checkpoint_bytes: 1, ..config() }, &[SEED]);
    hand.quick_sync = false;
    hand.run(20, OK);
    assert_eq!((hand.cuts.len(), hand.checkpoints.len()), (1, 0), "what names files waits for them");
    assert!(hand.commits.len() > hand.cuts[0], "and nothing else does");
    hand.handle(Event::MadeDurable);
    hand.poll();
    assert_eq!(hand.checkpoints.len(), 1);
}

#[test]
fn when_slots_are_full_only_an_event_brings_more() {
    let seeds = ["http://a.example/", "http://b.example/", "http://c.example/"];
    let narrow = CrawlConfig { concurrency: 1, server_delay_ms: 0, time_limit_ms: Some(50_000), ..config() };
    let mut hand = Hand::new(narrow, &seeds);
    hand.poll();
    hand.end_commit();
    hand.poll();
    assert_eq!(hand.fetches.len(), 1);
    assert_eq!(hand.crawler.next_deadline(hand.now + 9000), Some(START + 50_000), "the time limit");
    hand.now = START + 50_000;
    hand.poll();
    assert_eq!(hand.crawler.next_deadline(hand.now), None, "draining");
}

#[test]
fn little_space_stops_dispatch_and_leaves_when_nothing_flies() {
    let mut hand = Hand::new(config(), &[SEED, "http://b.example/"]);
    hand.poll();
    hand.end_commit();
    hand.poll();
    let flying = hand.fetches.len();
    assert!(flying > 0);
    hand.handle(Event::Storage(Storage::Low));
    hand.now = hand.now + 60_000;
    hand.poll();
    assert_eq!((hand.fetches.len(), hand.exit), (flying, None));
    hand.run(20, OK);
    assert_eq!(hand.exit, Some(Exit::DiskFull));
    assert_eq!(hand.checkpoints.len(), 1, "and it is saved");
}

#[test]
fn hosts_that_stand_in_a_servers_queue_do_not_keep_a_crawl_open() {
    let seeds = ["http://a.example/", "http://b.example/", "http://c.example/"];
    let mut hand = Hand::new(config(), &seeds);
    hand.poll();
    hand.end_commit();
    hand.poll();
    assert_eq!(hand.fetches.len(), 1, "one server");
    hand.handle(Event::Drain);
    hand.run(20, OK);
    assert_eq!(hand.exit, Some(Exit::Interrupted));
}

#[test]
fn a_seed_is_at_depth_0_although_a_link_was_first() {
    let mut hand = Hand::new(CrawlConfig { depth: Some(5), ..config() }, &["http://a.example/1"]);
    hand.poll();
    let discoveries = vec![found("http://a.example/2", 3)];
    hand.crawler.journal(received(None, Origin::Document(SEED.to_owned()), discoveries), None).unwrap();
    hand.handle(Event::Seeds(vec![url("http://a.example/2")]));
    hand.run(100, OK);
    assert_eq!(hand.exit, Some(Exit::Done));
    let known = hand.crawler.look_up(&url("http://a.example/2")).unwrap().unwrap();
    assert!(matches!(known.state, Some(UrlState::Fetched { depth: 0, .. })), "{:?}", known.state);
}

#[test]
fn while_memory_is_short_nothing_new_is_begun() {
    let mut hand = Hand::new(config(), &["http://a.example/"]);
    hand.handle(Event::Memory(Memory::Short));
    hand.poll();
    hand.end_commit();
    hand.poll();
    hand.now = hand.crawler.next_deadline(hand.now).expect("seeds that wait to be merged");
    hand.poll();
    assert_eq!((hand.fetches.len(), hand.crawler.next_deadline(hand.now)), (0, None), "it waits to be told");
    hand.handle(Event::Memory(Memory::Enough));
    hand.poll();
    assert_eq!(hand.fetches.len(), 1);
    hand.run(20, "HTTP/1.1 200 OK");
    assert_eq!(hand.exit, Some(Exit::Done));
}

/// What is discovered now is merged once a slot is hungry, and while memory is short none is.
#[test]
fn a_crawl_that_is_short_of_memory_waits_for_it_whatever_its_patience() {
    let mut hand = Hand::new(CrawlConfig { patience_ms: 5_000, ..config() }, &["http://a.example/"]);
    hand.go_on();
    hand.answer(OK);
    hand.go_on();
    let discoveries = vec![found("http://a.example/2", 1)];
    hand.crawler.journal(received(None, Origin::Document(SEED.to_owned()), discoveries), None).unwrap();
    hand.handle(Event::Memory(Memory::Short));
    hand.answer(OK);
    for _ in 0..3 {
        hand.poll();
        hand.end_commit();
    }
    hand.now = hand.now + 3_000;
    hand.poll();
    assert_eq!((hand.exit, hand.fetches.len()), (None, 0));
    hand.handle(Event::Memory(Memory::Enough));
    hand.run(100, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 2));
}

#[test]
fn of_a_robots_txt_as_much_is_asked_for_as_is_read_whatever_is_kept_of_a_page() {
    for body_bytes in [1_000, 16 << 20] {
        let mut hand = Hand::new(CrawlConfig { body_bytes, ..config() }, &["http://a.example/"]);
        hand.poll();
        hand.end_commit();
        hand.poll();
        let [robots] = hand.fetches.as_slice() else { panic!("robots.txt first: {:?}", hand.fetches) };
        assert_eq!((robots.url.path(), robots.limits.body_bytes), ("/robots.txt", 500 * 1024 + 1));
        hand.answer("HTTP/1.1 200 OK");
        hand.now = hand.now + 10_000;
        hand.poll();
        assert_eq!(hand.fetches[0].limits.body_bytes, body_bytes);
    }
}

#[test]
fn files_of_preferences_are_asked_for_where_they_are_wanted() {
    for wanted in [false, true] {
        let config = CrawlConfig { preference_files: wanted, depth: Some(1), ..config() };
        let mut hand = Hand::new(config, &["http://a.example/"]);
        hand.run(100, OK);
        assert_eq!(hand.exit, Some(Exit::Done));
        for path in ["/.well-known/tdmrep.json", "/ai.txt"] {
            let known = hand.crawler.look_up(&url(&format!("http://a.example{path}"))).unwrap();
            let is_fetched = matches!(known.and_then(|known| known.state), Some(UrlState::Fetched { .. }));
            assert_eq!(is_fetched, wanted, "{path}");
        }
    }
}

#[test]
fn a_connection_is_kept_where_the_host_may_be_due_before_the_server_closes_it() {
    for (host_ms, keep_alive) in [(KEEP_ALIVE_MS, true), (KEEP_ALIVE_MS + 1, false)] {
        let mut config = config();
        config.frontier.delay.host_ms = host_ms;
        let mut hand = Hand::new(config, &[SEED]);
        for path in ["/robots.txt", "/"] {
            hand.poll();
            hand.end_commit();
            hand.poll();
            assert_eq!((hand.fetches[0].url.path(), hand.fetches[0].keep_alive), (path, keep_alive));
            hand.answer(OK);
            hand.now = hand.now + 10_000;
        }
    }
}

#[test]
fn the_end_says_what_it_removes_and_a_crawl_that_goes_on_does_not() {
    let mut hand = Hand::new(CrawlConfig { checkpoint_bytes: 1, ..config() }, &[SEED]);
    hand.quick_disk = false;
    let mut said = Vec::new();
    while hand.exit.is_none() {
        assert!(said.len() < 5, "it comes to its end");
        hand.run(20, OK);
        if hand.exit.is_none() {
            said.push(hand.stages_of(Event::Checkpointed));
        }
    }
    let removing: &[&str] = &["removing what the last cut replaced"];
    assert_eq!(said, [&[], removing, removing]);
}

#[test]
fn seeds_that_redirect_out_of_scope_are_named() {
    let seeds = ["http://a.example/", "http://b.example/"];
    let mut hand = Hand::new(config(), &seeds);
    hand.run(100, "HTTP/1.1 301 Moved\r\nLocation: https://www.c.example/");
    let LedOut { seeds, first } = hand.crawler.snapshot(hand.now).led_out;
    let named: Vec<_> =
        first.iter().map(|led| (led.seed.as_str(), led.to.as_str(), led.rule.as_str())).collect();
    let out = |seed| (seed, "https://www.c.example/", "outside scope domain");
    assert_eq!((seeds, named), (2, vec![out("http://b.example/"), out("http://a.example/")]));
}
