use super::super::lists::LISTS;
use super::super::neighbours::NEIGHBOURS;
use super::{OTHERS, iso_639_3};

#[test]
fn every_language_that_is_found_has_a_long_code() {
    for (short, long) in [("de", "deu"), ("zh", "cmn"), ("no", "nob"), ("ak", "aka"), ("lo", "lao")] {
        assert_eq!(iso_639_3(short), Some(long));
    }
    for code in LISTS.iter().map(|list| list.code).chain(NEIGHBOURS.iter().map(|neighbour| neighbour.code)) {
        assert_eq!(iso_639_3(code.0), Some(code.1));
    }
    assert_eq!(iso_639_3("xx"), None);
    assert_eq!(iso_639_3("eng"), None);
}

#[test]
fn what_statistics_know_is_not_listed_again() {
    assert!(OTHERS.is_sorted());
    for (short, long) in OTHERS {
        assert_eq!(iso_639_3(short), Some(long));
        assert_eq!(whatlang::Lang::from_code(long), None, "{long}");
    }
}
