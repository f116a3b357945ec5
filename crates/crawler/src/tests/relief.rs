//! Memory while a journal is replayed.

use super::examples::{START, config, failed, page, robots};
use crate::Crawler;
use archive::ReplayEntry;
use disk::MemDisk;
use frontier::{FailureKind, RobotsAnswer, Stop};
use robots::Robots;
use std::sync::Arc;
use stdx::WallTime;

const HOSTS: u64 = 2_000;
const RULES: usize = 1_000;

/// Hosts with long rules were asked for them and for a page, one after the other, and are to be asked for that again.
fn entries() -> impl Iterator<Item = archive::Result<ReplayEntry>> {
    let rules: Vec<String> = (0..RULES).map(|n| format!("Disallow: /a/long/way/to/{n}")).collect();
    let rules = Robots::parse(format!("User-agent: *\n{}", rules.join("\n")).as_bytes(), "drumlin");
    let records = (0..HOSTS).flat_map(move |n| {
        let answer = RobotsAnswer::Rules(Box::new(rules.clone()));
        let end = failed(FailureKind::ResponseTimeout);
        [robots(&format!("http://{n}.example"), n, answer), page(&format!("http://{n}.example/"), n, end)]
    });
    let committed = WallTime::from_unix_ms(START.as_ms());
    (1..)
        .zip(records)
        .map(move |(seq, record)| Ok(ReplayEntry { seq, record: record.encode(), location: None, committed }))
}

#[test]
fn a_replay_keeps_to_the_memory_of_the_crawl() {
    let mut config = config();
    config.frontier.memory.resident_bytes = 64 << 10;
    let mut crawler = Crawler::recover(config, Arc::new(MemDisk::new()), None, entries()).unwrap();
    let (resident, room) = (crawler.shards.resident_bytes(), crawler.shards.room_bytes());
    assert!(resident <= room + room / 8, "{resident} bytes where {room} may be");
    crawler.resume(Stop::Unclean, START, |_| false).unwrap();
    crawler.check_invariants();
}
