//! The machine by hand: what it asks for, and what it does with the answers.

use super::examples::{START, address, capture, config, found, received, url};
use crate::limits::{COMMIT_ENTRIES, KEEP_ALIVE_MS};
use crate::{
    Action, Commitment, CrawlConfig, Crawler, Event, Exit, FetchJob, Fetched, Memory, Outcome, Parsed,
    RecoveryError, ResolveOutcome, Resolved, Storage,
};
use archive::{Entry, ReplayEntry};
use control::{Receipt, Refusal};
use disk::MemDisk;
use frontier::{Origin, Stop, UrlState};
use std::sync::Arc;
use stdx::Timestamp;

/// A web of endless pages on one host and nothing forbidden. Work is done when it is asked for, except commits.
pub(super) struct Hand {
    pub(super) crawler: Crawler,
    pub(super) now: Timestamp,
    seeds: Vec<&'static str>,
    next_seq: u64,
    /// Entries of commits that are under way.
    committing: Option<Vec<Entry>>,
    commits: Vec<usize>,
    pub(super) fetches: Vec<FetchJob>,
    checkpoints: Vec<u64>,
    /// Whether checkpoints are written at once; if not, their end is told by the test.
    quick_disk: bool,
    /// How many checkpoints there were when each parse was asked for.
    parses: Vec<usize>,
    pub(super) exit: Option<Exit>,
    /// Names that were asked for ahead.
    ahead: Vec<String>,
    /// What operators were answered.
    pub(super) answers: Vec<Result<Receipt, Refusal>>,
}

impl Hand {
    pub(super) fn new(config: CrawlConfig, seeds: &[&'static str]) -> Self {
        let none = || std::iter::empty::<Result<ReplayEntry, RecoveryError>>();
        let mut crawler = Crawler::recover(config, Arc::new(MemDisk::new()), None, none()).unwrap();
        crawler.resume(Stop::Clean, START, |_| false, none()).unwrap();
        Self {
            crawler,
            now: START,
            seeds: seeds.to_vec(),
            next_seq: 1,
            committing: None,
            commits: Vec::new(),
            fetches: Vec::new(),
            checkpoints: Vec::new(),
            quick_disk: true,
            parses: Vec::new(),
            exit: None,
            ahead: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Performs everything there is to do now.
    pub(super) fn poll(&mut self) {
        while let Some(action) = self.crawler.poll(self.now) {
            self.perform(action);
        }
        self.crawler.check_invariants();
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::MoreSeeds => {
                let seeds = std::mem::take(&mut self.seeds).into_iter().map(url).collect();
                self.handle(Event::Seeds(seeds));
            }
            Action::AskAhead { names } => self.ahead.extend(names),
            Action::Resolve(job) => {
                let outcome = ResolveOutcome::Addresses { addresses: vec![address()], ttl_ms: 3_600_000 };
                self.handle(Event::Resolved(Resolved { ticket: job.ticket, outcome }));
            }
            Action::Fetch(job) => self.fetches.push(job),
            Action::Commit(entries) => {
                assert!(self.committing.is_none(), "one commit at a time");
                self.commits.push(entries.len());
                self.committing = Some(entries);
            }
            Action::Checkpoint(checkpoint) => {
                self.checkpoints.push(checkpoint.covers);
                if self.quick_disk {
                    self.handle(Event::Checkpointed);
                }
            }
            Action::Parse(job) => {
                self.parses.push(self.checkpoints.len());
                self.handle(Event::Parsed(Parsed::nothing(job.capture)));
            }
            Action::Work(work) => self.handle(Event::Worked(Box::new(work.perform()))),
            Action::Fail(error) => panic!("a disk in memory does not fail: {error}"),
            Action::CloseRows => self.handle(Event::RowsDone),
            Action::Finish => self.handle(Event::Finished),
            Action::Expire { .. } => unreachable!("captures are kept"),
            Action::Send(_) | Action::ReadJournal { .. } => unreachable!("it is alone"),
            Action::Answer { answer, .. } => self.answers.push(answer),
            Action::Exit(exit) => self.exit = Some(exit),
        }
    }

    pub(super) fn handle(&mut self, event: Event) {
        self.crawler.handle(self.now, event);
    }

    pub(super) fn end_commit(&mut self) {
        let Some(entries) = self.committing.take() else { return };
        let locations = entries.iter().zip(self.next_seq..);
        let locations = locations
            .map(|(entry, seq)| entry.capture.as_ref().map(|_| super::examples::location(seq)))
            .collect();
        let journal_bytes = entries.iter().map(|entry| entry.record.len() as u64).sum();
        let commitment = Commitment { first_seq: self.next_seq, locations, journal_bytes };
        self.next_seq += entries.len() as u64;
        self.handle(Event::Committed(commitment));
    }

    /// Answers the oldest fetch.
    pub(super) fn answer(&mut self, head: &str) {
        let job = self.fetches.remove(0);
        let head = if job.url.path() == "/robots.txt" { "HTTP/1.1 404 None" } else { head };
        let outcome = Outcome::Captured(capture(job.url.as_str(), head, "body"));
        let (started, ended) = (self.now, self.now);
        let address = job.address.ip();
        self.handle(Event::Fetched(Fetched { ticket: job.ticket, address, started, ended, outcome }));
    }

    /// Goes on until the exit or for so many steps.
    pub(super) fn run(&mut self, steps: u32, head: &str) {
        for _ in 0..steps {
            self.poll();
            if self.exit.is_some() {
                return;
            }
            self.end_commit();
            while !self.fetches.is_empty() {
                self.answer(head);
            }
            self.poll();
            if self.committing.is_none() && self.fetches.is_empty() && self.exit.is_none() {
                let Some(next) = self.crawler.next_deadline(self.now) else {
                    assert!(!self.quick_disk, "there is something to wait for");
                    return;
                };
                assert!(next > self.now, "not polled again for nothing");
                self.now = next;
            }
        }
    }
}

pub(super) const OK: &str = "HTTP/1.1 200 OK";
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
    hand.handle(Event::Storage(Storage::Full));
    hand.poll();
    assert_eq!(hand.exit, Some(Exit::DiskFull));
    hand.answer(OK);
    assert!(hand.crawler.poll(hand.now + 1_000_000).is_none());
    assert_eq!(hand.crawler.next_deadline(hand.now), None);
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
    assert_eq!((hand.fetches.len(), hand.crawler.next_deadline(hand.now)), (0, None), "it waits to be told");
    hand.handle(Event::Memory(Memory::Enough));
    hand.poll();
    assert_eq!(hand.fetches.len(), 1);
    hand.run(20, "HTTP/1.1 200 OK");
    assert_eq!(hand.exit, Some(Exit::Done));
}

#[test]
fn no_more_of_a_robots_txt_is_asked_for_than_is_read() {
    let mut hand = Hand::new(config(), &["http://a.example/"]);
    hand.poll();
    hand.end_commit();
    hand.poll();
    let [robots] = hand.fetches.as_slice() else { panic!("robots.txt first: {:?}", hand.fetches) };
    assert_eq!((robots.url.path(), robots.limits.body_bytes), ("/robots.txt", 500 * 1024 + 1));
    hand.answer("HTTP/1.1 200 OK");
    hand.now = hand.now + 10_000;
    hand.poll();
    assert_eq!(hand.fetches[0].limits.body_bytes, config().body_bytes);
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
