//! Rules that have changed between runs.

use super::examples::{START, config, found, location, page, received, response};
use crate::limits::CAPTURES_DERIVED_AHEAD;
use crate::{Action, Commitment, Crawler, Event, Parsed, Record};
use archive::ReplayEntry;
use disk::MemDisk;
use frontier::{CaptureSeq, Origin, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;
use stdx::WallTime;

const PAGES: u64 = 1_000;
/// Entries of their attempts: the first is that of the seeds.
const CAPTURES: std::ops::RangeInclusive<u64> = 2..=PAGES + 1;
/// Of rules that are not those of today.
const OTHER_RULES: u64 = 99;

/// A crawl with nothing left to derive, by other rules.
fn journal() -> impl Iterator<Item = (u64, Record)> {
    let url = |n: u64| format!("http://a.example/{n}");
    let seeds = received(None, Origin::Seed, (0..PAGES).map(|n| found(&url(n), 0)).collect());
    let pages = (0..PAGES).map(move |n| page(&url(n), n, response(200, None, None)));
    let parsed =
        |capture| Record::Parsed { capture: CaptureSeq(capture), says: None, out_of_scope: Vec::new() };
    let rows = Record::Rows { captures: vec![(1, PAGES + 1)] };
    let last = [rows, Record::Scope { fingerprint: OTHER_RULES }];
    (1..).zip([seeds].into_iter().chain(pages).chain(CAPTURES.map(parsed)).chain(last))
}

fn entries() -> impl Iterator<Item = ReplayEntry> {
    journal().map(|(seq, record)| ReplayEntry {
        seq,
        record: record.encode(),
        location: CAPTURES.contains(&seq).then(|| location(seq)),
        committed: WallTime::from_unix_ms(START.as_ms()),
    })
}

#[test]
fn links_of_all_pages_are_derived_anew_some_at_a_time() {
    let recovered = Crawler::recover(config(), Arc::new(MemDisk::new()), None, entries().map(Ok));
    let mut crawler = recovered.unwrap();
    let now = START + 10_000_000;
    crawler.resume(Stop::Clean, now, |_| false, entries().map(Ok)).unwrap();
    let (mut parsing, mut derived) = (Vec::new(), BTreeSet::new());
    while crawler.judged_by == Some(OTHER_RULES) {
        match crawler.poll(now) {
            Some(Action::Parse(job)) => parsing.push(job.capture),
            Some(Action::MoreSeeds) => crawler.handle(now, Event::Seeds(Vec::new())),
            Some(Action::Commit(entries)) => {
                let first_seq =
                    crawler.outbox.next_seq - crawler.outbox.waiting() as u64 - entries.len() as u64;
                let locations = vec![None; entries.len()];
                let commitment = Commitment { first_seq, locations, journal_bytes: 0 };
                crawler.handle(now, Event::Committed(commitment));
            }
            Some(Action::Work(work)) => crawler.handle(now, Event::Worked(Box::new(work.perform()))),
            Some(other) => panic!("{other:?}"),
            None => {
                let capture = parsing.pop().expect("it waits for a parser");
                assert!(derived.insert(capture), "{capture:?} twice");
                crawler.handle(now, Event::Parsed(Parsed::nothing(capture)));
            }
        }
        let waiting = crawler.unfinished.unparsed();
        assert!(waiting <= CAPTURES_DERIVED_AHEAD + config().parses, "{waiting} captures wait in memory");
    }
    assert!(derived.into_iter().map(|capture| capture.0).eq(CAPTURES));
}
