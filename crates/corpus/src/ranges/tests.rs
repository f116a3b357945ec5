use super::Ranges;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn check(inserted: &[u64], expected: &str) {
    let ranges: Ranges = inserted.iter().copied().collect();
    assert_eq!(ranges.to_string(), expected);
    assert_eq!(expected.parse::<Ranges>().as_ref(), Ok(&ranges));
    assert_eq!(ranges.iter().collect::<BTreeSet<_>>(), inserted.iter().copied().collect());
}

#[test]
fn neighbours_join() {
    check(&[], "");
    check(&[7], "7");
    check(&[1, 2], "1-2");
    check(&[1, 3], "1,3");
    check(&[1, 3, 2], "1-3");
    check(&[5, 4, 9, 8, 1], "1,4-5,8-9");
    check(&[u64::MAX, 0, u64::MAX - 1], "0,18446744073709551614-18446744073709551615");
}

#[test]
fn a_span_swallows_what_it_touches() {
    let mut ranges: Ranges = "1-2,4,6-9,20".parse().unwrap();
    ranges.insert_span(3..=10);
    assert_eq!(ranges.to_string(), "1-10,20");
    ranges.insert_span(0..=u64::MAX);
    assert_eq!(ranges.to_string(), "0-18446744073709551615");
    assert_eq!(ranges.count(), u64::MAX);
}

#[test]
fn other_spellings_are_refused() {
    for text in [
        "1,", ",", "2-1", "1-1", "3,1", "1,2", "1-5,5", "1-5,6-7", "01", "+1", " 1", "1-", "-1", "1-2-3", "x",
    ] {
        assert!(text.parse::<Ranges>().is_err(), "{text}");
    }
    assert!("18446744073709551616".parse::<Ranges>().is_err());
    assert!("18446744073709551615,0".parse::<Ranges>().is_err());
}

/// Small numbers, so that ranges meet, and some at the upper end.
fn numbers() -> impl Strategy<Value = Vec<u64>> {
    let near_the_end = (u64::MAX - 20)..=u64::MAX;
    prop::collection::vec(prop_oneof![8 => 0..60u64, 1 => near_the_end], 0..80)
}

proptest! {
    #[test]
    fn is_a_set(inserted in numbers(), probes in numbers()) {
        let mut ranges = Ranges::new();
        let mut model = BTreeSet::new();
        for &number in &inserted {
            prop_assert_eq!(ranges.insert(number), model.insert(number));
        }
        prop_assert_eq!(ranges.iter().collect::<Vec<_>>(), model.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(ranges.count(), model.len() as u64);
        for probe in probes {
            prop_assert_eq!(ranges.contains(probe), model.contains(&probe));
        }
        let spans: Vec<_> = ranges.spans().collect();
        prop_assert!(spans.windows(2).all(|pair| *pair[1].start() > pair[0].end() + 1));
    }

    #[test]
    fn is_read_as_it_is_written(inserted in numbers()) {
        let ranges: Ranges = inserted.into_iter().collect();
        prop_assert_eq!(ranges.to_string().parse::<Ranges>(), Ok(ranges));
    }

    #[test]
    fn has_one_spelling(text in "[0-9,-]{0,12}") {
        if let Ok(ranges) = text.parse::<Ranges>() {
            prop_assert_eq!(ranges.to_string(), text);
        }
    }

    #[test]
    fn union_and_intersection(left in numbers(), right in numbers()) {
        let (a, b): (Ranges, Ranges) = (left.iter().copied().collect(), right.iter().copied().collect());
        let mut both = a.clone();
        both.extend(&b);
        prop_assert_eq!(&both, &left.iter().chain(&right).copied().collect::<Ranges>());
        let common: Ranges = left.into_iter().filter(|&n| b.contains(n)).collect();
        prop_assert_eq!(&a.intersection(&b), &common);
        prop_assert_eq!(b.intersection(&a), common);
    }
}
