use super::{FORMAT, Told};
use snapshot::Snapshot;

fn missing(exit: Option<&str>, unparsed: u64) -> Option<String> {
    let snapshot = Snapshot { unparsed, ..Snapshot::default() };
    Told { format: FORMAT, exit: exit.map(str::to_owned), snapshot, written: None }.missing_rows()
}

#[test]
fn rows_are_missing_after_a_crash_and_where_the_end_says_so() {
    assert_eq!(missing(Some("done"), 0), None);
    assert_eq!(missing(Some("interrupted"), 1).as_deref(), Some("1 archived page has no row yet"));
    assert_eq!(missing(Some("disk-full"), 1_200).as_deref(), Some("1,200 archived pages have no row yet"));
    assert!(missing(None, 0).is_some_and(|said| said.contains("did not end")));
}
