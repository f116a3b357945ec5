//! What is counted over all runs.

use super::examples::config;
use super::hand::{Hand, OK};
use crate::limits::RULES_COUNTED;
use crate::tally::Tally;

#[test]
fn rules_beyond_those_that_are_counted_are_counted_together() {
    let mut tally = Tally::default();
    let excluded = |n: usize| (format!("excluded host {n}.example"), 2);
    tally.note_out_of_scope(&(0..RULES_COUNTED + 3).map(excluded).collect::<Vec<_>>());
    tally.note_out_of_scope(&[excluded(0), excluded(RULES_COUNTED)]);
    assert_eq!(tally.out_of_scope.len(), RULES_COUNTED + 1);
    assert_eq!((tally.out_of_scope["excluded host 0.example"], tally.out_of_scope["other rules"]), (4, 8));
}

/// The next run goes on from the last checkpoint: what was shown after it would go backwards.
#[test]
fn the_time_of_a_run_ends_with_its_last_checkpoint() {
    let mut hand = Hand::new(config(), &["http://a.example/"]);
    hand.cut_ms = 7_000;
    hand.run(100, OK);
    assert!(hand.exit.is_some() && hand.crawler.tally.elapsed_ms > 0);
    let shown = hand.crawler.snapshot(hand.now + 60_000).elapsed_ms;
    assert_eq!(shown, hand.crawler.tally.elapsed_ms);
}
