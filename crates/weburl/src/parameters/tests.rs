use super::*;

#[test]
fn tables_are_sorted_as_the_search_needs_them() {
    for table in [TRACKING, TRACKING_UNLESS_NUMBERS, SESSION, AMBIGUOUS] {
        assert!(table.is_sorted(), "{table:?}");
        assert!(
            table
                .iter()
                .all(|name| name.len() <= LONGEST_NAME && !name.bytes().any(|b| b.is_ascii_uppercase()))
        );
    }
}
