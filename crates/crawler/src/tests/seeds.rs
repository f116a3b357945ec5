//! Seeds: a list that comes a part at a time.

use super::examples::config;
use super::hand::{Hand, OK};
use crate::CrawlConfig;

const HOSTS: usize = 60;

#[test]
fn a_crawl_that_is_never_idle_takes_in_its_seeds() {
    let seeds: Vec<&'static str> = (0..HOSTS).map(|nth| &*format!("http://{nth}.example/").leak()).collect();
    let mut hand = Hand::new(CrawlConfig { server_delay_ms: 0, server_floor_ms: 0, ..config() }, &seeds);
    hand.chunk = HOSTS / 3;
    while hand.fetches.is_empty() {
        hand.end_commit();
        hand.poll();
    }
    for _ in 0..5 {
        assert!(hand.committing.is_some(), "the journal is never idle");
        // By the time this is durable, something else waits for it.
        hand.answer(OK);
        hand.end_commit();
        hand.now = hand.now + 1_000;
        hand.poll();
    }
    assert_eq!(hand.seeds.len(), 0, "seeds are left");
}
