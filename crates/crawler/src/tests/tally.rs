//! Counts that a checkpoint keeps are bounded.

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
