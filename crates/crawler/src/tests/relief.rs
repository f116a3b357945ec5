//! Memory while a journal is replayed.

use super::examples::{START, config, robots};
use crate::Crawler;
use archive::ReplayEntry;
use disk::MemDisk;
use frontier::{RobotsAnswer, Stop};
use robots::Robots;
use std::sync::Arc;
use stdx::WallTime;

const HOSTS: u64 = 2_000;
const RULES: usize = 1_000;

/// Hosts with long rules were asked for them, one after the other.
fn entries() -> impl Iterator<Item = archive::Result<ReplayEntry>> {
    let rules: Vec<String> = (0..RULES).map(|n| format!("Disallow: /a/long/way/to/{n}")).collect();
    let rules = Robots::parse(format!("User-agent: *\n{}", rules.join("\n")).as_bytes(), "drumlin");
    (1..=HOSTS).map(move |seq| {
        let answer = RobotsAnswer::Rules(Box::new(rules.clone()));
        let record = robots(&format!("http://{seq}.example"), seq, answer).encode();
        Ok(ReplayEntry { seq, record, location: None, committed: WallTime::from_unix_ms(START.as_ms()) })
    })
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
