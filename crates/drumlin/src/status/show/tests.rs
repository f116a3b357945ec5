use super::clock;

#[test]
fn a_clock_that_was_ahead_once_is_told() {
    assert_eq!(clock(None), "");
    assert!(clock(Some(7_200_000)).starts_with("clock       2 h 00 m behind the crawl's timeline"));
}
