//! A page has one vote.

use super::examples::key;
use crate::vote::voted;
use crate::{Found, FoundLinks};
use frontier::{CaptureSeq, Kind};
use std::collections::BTreeMap;

const OWN: u8 = 7;

fn links(shards: &[u8]) -> FoundLinks {
    let url = "http://1.example/";
    let link = |&shard| Found { key: key(url), url, shard, steps: 1, hops: 0, kind: Kind::Page };
    shards.iter().map(link).collect()
}

#[test]
fn a_page_that_links_to_nobody_else_has_none() {
    assert_eq!(voted(CaptureSeq(1), OWN, &links(&[])), None);
    assert_eq!(voted(CaptureSeq(1), OWN, &links(&[OWN, OWN])), None);
    assert_eq!(voted(CaptureSeq(1), OWN, &links(&[OWN, 9, OWN])), Some(1));
}

#[test]
fn the_same_capture_votes_the_same_whatever_the_order_of_its_links() {
    for capture in (0..20).map(CaptureSeq) {
        let shard_of = |shards: &[u8]| voted(capture, OWN, &links(shards)).map(|link| shards[link]);
        assert_eq!(shard_of(&[1, 2, 3, OWN]), shard_of(&[3, 2, OWN, 1]));
    }
}

/// Ten links to one of four domains are no better than one.
#[test]
fn each_domain_that_a_page_links_to_has_one_lot() {
    let shards = [1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4];
    let mut votes: BTreeMap<u8, u32> = BTreeMap::new();
    for capture in (0..4_000).map(CaptureSeq) {
        *votes.entry(shards[voted(capture, OWN, &links(&shards)).unwrap()]).or_default() += 1;
    }
    assert!(votes.len() == 4 && votes.values().all(|votes| (850..1_150).contains(votes)), "{votes:?}");
}
