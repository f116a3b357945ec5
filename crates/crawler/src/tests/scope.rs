//! Rules that change: between runs, and while a crawl runs.

use super::examples::{
    SEED, START, capture, config, config_without, found, location, page, received, response, robots, url,
};
use crate::limits::CAPTURES_DERIVED_AHEAD;
use crate::scope::ScopeJudge;
use crate::unfinished::Remainder;
use crate::{
    Action, Commitment, CrawlConfig, Crawler, Discoveries, Event, OrderId, Parsed, Record, Rules, Wants,
};
use archive::{Archive, ArchiveConfig, CaptureMeta, Entry, Kept, Opened, Purpose};
use control::{Command, Target};
use disk::{MemDisk, SharedDisk};
use frontier::{CaptureSeq, Judge, Kind, Origin, Pending, RobotsAnswer, Stop};
use robots::Robots;
use std::collections::BTreeSet;
use std::sync::Arc;
use stdx::{Timestamp, WallTime};
use weburl::{Folding, KeyHash, Scope, ScopeRules};

const PAGES: u64 = 1_000;
/// Entries of their attempts: the first is that of the seeds.
const CAPTURES: std::ops::RangeInclusive<u64> = 2..=PAGES + 1;
const NOW: Timestamp = Timestamp::from_ms(START.as_ms() + 10_000_000);

fn address(n: u64) -> String {
    format!("http://a.example/{n}")
}

fn entry(record: &Record) -> Entry {
    Entry { record: record.encode(), capture: None }
}

fn fetched(n: u64) -> Entry {
    let meta = CaptureMeta { via: None, hops: 0, purpose: Purpose::Page };
    let kept = Kept { capture: capture(&address(n), "HTTP/1.1 200 OK", "text"), meta };
    Entry { record: page(&address(n), n, response(200, None, None)).encode(), capture: Some(kept) }
}

fn archived(entries: &[Entry]) -> SharedDisk {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let wall = WallTime::from_unix_ms(START.as_ms());
    let config = ArchiveConfig::new("drumlin", "test", SEED, weburl::surt);
    let Opened { mut archive, .. } = Archive::open(disk.clone(), config, wall).unwrap();
    archive.commit(wall, entries).unwrap();
    disk
}

#[test]
fn the_plainest_form_of_a_url_is_its_key_by_its_own_scheme_if_that_is_in() {
    let judge = ScopeJudge::new(&config_without("/basket$"));
    let plainest = |form: &str| {
        judge.plainest(&Pending {
            key: KeyHash(0),
            url: form.to_owned(),
            depth: 0,
            hops: 0,
            attempts: 0,
            kind: Kind::Page,
            due: Timestamp::ZERO,
            order: 0,
            origin: Origin::Document("http://a.example/".to_owned()),
        })
    };
    assert_eq!(plainest("https://a.example//b?utm_source=c&d=1").as_deref(), Some("https://a.example/b?d=1"));
    assert_eq!(plainest("https://a.example/b?d=1"), None);
    assert_eq!(plainest("http://a.example/basket?utm_source=c"), None);
}

/// The archive of a crawl with nothing left to derive, by the rules with this fingerprint.
fn crawled(fingerprint: u64) -> SharedDisk {
    let seeds = received(None, Origin::Seed, (0..PAGES).map(|n| found(&address(n), 0)).collect());
    let parsed = |capture| Record::Parsed { capture, says: None, out_of_scope: Vec::new() };
    let parsed = CAPTURES.map(|capture| entry(&parsed(CaptureSeq(capture))));
    let rows = entry(&Record::Rows { captures: vec![(1, PAGES + 1)] });
    let last = [rows, entry(&Record::Scope { fingerprint })];
    let entries = [entry(&seeds)].into_iter().chain((0..PAGES).map(fetched)).chain(parsed).chain(last);
    archived(&entries.collect::<Vec<_>>())
}

fn resumed(disk: &SharedDisk) -> Crawler {
    let ledger = archive::ledger(disk.clone()).unwrap();
    let mut crawler = Crawler::recover(config(), disk.clone(), None, ledger).unwrap();
    crawler.resume(Stop::Clean, NOW, |_| false).unwrap();
    crawler
}

/// A capture of the present run, with a parser for as long as the test lasts.
const LATER: CaptureSeq = CaptureSeq(1 << 40);

/// Parses what is handed out, until all has been judged by the rules of now; says what that was.
fn derive(crawler: &mut Crawler, mut parsing: Vec<CaptureSeq>) -> Vec<u64> {
    let mut derived = Vec::new();
    while crawler.judged_by != Some(crawler.fingerprint) || crawler.orders.wants_rereading() {
        match crawler.poll(NOW) {
            Some(Action::Parse(job)) => parsing.extend(Some(job.capture).filter(|capture| *capture != LATER)),
            Some(action) => perform(crawler, action),
            None => {
                let capture = parsing.pop().expect("it waits for a parser");
                derived.push(capture.0);
                crawler.handle(NOW, Event::Parsed(Parsed::nothing(capture)));
            }
        }
        let waiting = crawler.unfinished.unparsed();
        assert!(waiting <= CAPTURES_DERIVED_AHEAD + config().parses, "{waiting} captures wait in memory");
    }
    derived
}

fn perform(crawler: &mut Crawler, action: Action) {
    match action {
        Action::MoreSeeds => crawler.handle(NOW, Event::Seeds(Vec::new())),
        Action::Work(work) => crawler.handle(NOW, Event::Worked(Box::new(work.perform()))),
        Action::Commit(entries) => {
            let first_seq = crawler.outbox.next_seq - (crawler.outbox.waiting() + entries.len()) as u64;
            let locations = vec![None; entries.len()];
            crawler.handle(NOW, Event::Committed(Commitment { first_seq, locations, journal_bytes: 0 }));
        }
        Action::Resolve(_) | Action::AskAhead { .. } | Action::Answer { .. } => {}
        other => panic!("{other:?}"),
    }
}

const OTHER_RULES: u64 = 99;

#[test]
fn a_rereading_ends_although_parsers_always_have_something() {
    let mut crawler = resumed(&crawled(OTHER_RULES));
    let wants = Wants { links: false, row: false };
    let location = Some(location(LATER.0));
    let later =
        Remainder { kind: Kind::Page, depth: 0, hops: 0, location, wants, again: false, row_made: false };
    crawler.unfinished.want_links(LATER, later);
    assert_eq!(derive(&mut crawler, Vec::new()).len() as u64, PAGES);
    assert_eq!(crawler.unfinished.unparsed(), 1);
}

#[test]
fn links_of_all_pages_are_derived_anew_some_at_a_time() {
    let mut crawler = resumed(&crawled(OTHER_RULES));
    let derived = derive(&mut crawler, Vec::new());
    let once: BTreeSet<u64> = derived.iter().copied().collect();
    assert!(once.into_iter().eq(CAPTURES) && derived.len() as u64 == PAGES);
}

#[test]
fn what_an_operator_widens_is_found_again_at_once() {
    let mut crawler = resumed(&crawled(config().fingerprint()));
    assert_eq!(derive(&mut crawler, Vec::new()), [0; 0], "nothing has changed");
    let seeds = |seed: &str| Command::Seeds(vec![seed.to_owned()]);
    crawler.handle(NOW, Event::Ordered { order: OrderId(1), command: seeds("http://late.example/") });
    let mut parsing = Vec::new();
    while let Some(action) = crawler.poll(NOW) {
        match action {
            Action::Parse(job) => parsing.push(job.capture),
            other => perform(&mut crawler, other),
        }
    }
    assert_eq!(parsing.len(), config().parses);
    let reread = crawler.snapshot(NOW).strain.reread.expect("it is being read");
    assert!(*CAPTURES.start() < reread.entry && reread.entry < reread.of, "{reread:?}");
    // Those that parsers have are asked for once more.
    crawler.handle(NOW, Event::Ordered { order: OrderId(2), command: seeds("http://later.example/") });
    let derived = derive(&mut crawler, parsing);
    let once: BTreeSet<u64> = derived.iter().copied().collect();
    assert!(once.into_iter().eq(CAPTURES));
    assert_eq!(derived.len() as u64, PAGES + config().parses as u64);
    assert_eq!(crawler.snapshot(NOW).strain.reread, None);
}

/// Whoever stops before a word is acted on has not done what it says.
#[test]
fn what_is_widened_at_the_very_end_is_owed() {
    let mut crawler = resumed(&crawled(config().fingerprint()));
    derive(&mut crawler, Vec::new());
    let seeds = Command::Seeds(vec!["http://late.example/".to_owned()]);
    crawler.handle(NOW, Event::Ordered { order: OrderId(1), command: seeds });
    crawler.handle(NOW, Event::Drain);
    while let Some(action) = crawler.poll(NOW) {
        match action {
            Action::CloseRows => crawler.handle(NOW, Event::RowsDone),
            Action::MakeDurable { .. } => crawler.handle(NOW, Event::MadeDurable),
            Action::Checkpoint(_) => crawler.handle(NOW, Event::Checkpointed),
            Action::Finish => crawler.handle(NOW, Event::Finished),
            Action::Exit(_) => break,
            other => perform(&mut crawler, other),
        }
    }
    assert!(crawler.orders.wants_rereading() && crawler.wants_rereading(), "nothing has been read");
}

/// No capture tells of seeds: what an exclusion let go of them the journal has.
#[test]
fn seeds_that_were_let_go_are_found_again_when_they_are_readmitted() {
    let mut discoveries = Discoveries::default();
    let seeds = [found("http://a.example/", 0), found("http://b.example/", 0)];
    for seed in &seeds {
        discoveries.push(config().rules.shard(url(&seed.url).host()), seed.into());
    }
    let seeds = Record::Discovered { from: None, origin: Origin::Seed, discoveries };
    let mut crawler = resumed(&archived(&[entry(&seeds)]));
    let mut now = NOW;
    let mut say = |command: Command| {
        crawler.handle(now, Event::Ordered { order: OrderId(1), command });
        for _ in 0..60 {
            while let Some(action) = crawler.poll(now) {
                perform(&mut crawler, action);
            }
            now = now + 1_000;
        }
        crawler.snapshot(now).queued
    };
    let target = || Target::Host("b.example".parse().unwrap());
    assert_eq!([Command::Exclude(target()), Command::Readmit(target())].map(&mut say), [1, 2]);
}

/// What waits of a crawl that has a seed and has seen one robots.txt, which names a sitemap, and that was about this.
fn waiting(before: &CrawlConfig) -> u64 {
    let rules = Robots::parse(b"Sitemap: http://a.example/s.xml", "drumlin");
    let rules = robots("http://a.example", 0, RobotsAnswer::Rules(Box::new(rules)));
    let scope = Record::Scope { fingerprint: before.fingerprint() };
    let seed = received(None, Origin::Seed, vec![found("http://a.example/", 0)]);
    let mut crawler = resumed(&archived(&[seed, rules, scope].map(|record| entry(&record))));
    let mut now = NOW;
    for _ in 0..60 {
        while let Some(action) = crawler.poll(now) {
            perform(&mut crawler, action);
        }
        now = now + 1_000;
    }
    assert_eq!(crawler.judged_by, Some(crawler.fingerprint));
    crawler.snapshot(now).queued
}

#[test]
fn sitemaps_that_were_left_aside_are_found_by_wider_rules() {
    assert_eq!(waiting(&config()), 1, "nothing has changed");
    let mut elsewhere = ScopeRules::new(Scope::Host);
    elsewhere.add_seed(&url("http://b.example/"));
    let elsewhere = Arc::new(Rules { scope: elsewhere, folding: Folding::ALL, seed: SEED });
    for before in [
        CrawlConfig { depth: Some(1), sitemaps: false, ..config() },
        CrawlConfig { sitemaps: false, ..config() },
        CrawlConfig { preference_files: true, ..config() },
        CrawlConfig { rules: elsewhere, ..config() },
    ] {
        assert_eq!(waiting(&before), 2, "{before:?}");
    }
}

/// What a run lets go by its own rules is found again by the rules of before, however short it was.
#[test]
fn a_run_with_other_rules_leaves_nothing_settled() {
    let before = CrawlConfig { depth: Some(1), ..config() };
    let scope = Record::Scope { fingerprint: before.fingerprint() };
    let changed = resumed(&archived(&[entry(&scope)]));
    assert_ne!(changed.judged_by, Some(before.fingerprint()));
    assert_ne!(changed.judged_by, Some(changed.fingerprint));
}
