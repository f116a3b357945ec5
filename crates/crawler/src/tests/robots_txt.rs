//! What a robots.txt leads to.

use super::examples::{capture, config};
use super::hand::{Hand, OK};
use crate::Record;

/// A kill between two commits must not lose them: whoever has the rules does not ask again.
#[test]
fn sitemaps_are_in_the_journal_before_the_rules_that_name_them() {
    let mut hand = Hand::new(config(), &["http://a.example/"]);
    hand.go_on();
    hand.answer_with(|url| capture(url, OK, "Sitemap: http://a.example/s.xml"));
    hand.poll();
    let entries = hand.committing.as_ref().expect("a commit is under way");
    let records: Vec<Record> =
        entries.iter().map(|entry| Record::decode(0, &entry.record).unwrap()).collect();
    let [attempt, found, rules] = records.as_slice() else { panic!("{records:?}") };
    assert!(matches!(attempt, Record::Attempt { .. }), "{attempt:?}");
    assert!(matches!(found, Record::Discovered { .. }), "{found:?}");
    assert!(matches!(rules, Record::Robots { .. }), "{rules:?}");
}
