use super::{BOUNDS_MS, Histogram};

fn of(values: impl IntoIterator<Item = u64>) -> Histogram {
    let mut histogram = Histogram::default();
    values.into_iter().for_each(|value| histogram.note(value));
    histogram
}

#[test]
fn of_nothing_there_is_no_percentile() {
    assert_eq!(Histogram::default().per_mille(500), None);
}

#[test]
fn a_percentile_is_within_half_of_the_value() {
    let histogram = of(1..=1000);
    for per_mille in [10, 100, 500, 900, 990] {
        let said = histogram.per_mille(per_mille).expect("there are values");
        assert!(said.abs_diff(per_mille) * 2 <= per_mille, "{per_mille}: {said}");
    }
}

#[test]
fn buckets_add_up_and_their_bounds_are_inclusive() {
    let histogram = of([0, 1, 2, 65_536]);
    let cumulative: Vec<_> = histogram.cumulative().collect();
    assert_eq!(cumulative[0], (1, 2));
    assert_eq!(cumulative[1], (2, 3));
    assert_eq!(cumulative.last(), Some(&(65_536, 4)));
}

#[test]
fn what_is_beyond_the_last_bound_counts() {
    let histogram = of([100_000]);
    assert_eq!((histogram.count, histogram.sum_ms), (1, 100_000));
    assert_eq!(histogram.cumulative().last(), Some((65_536, 0)));
    assert_eq!(histogram.per_mille(999), BOUNDS_MS.last().copied());
}

#[test]
fn the_difference_is_what_came_between() {
    let earlier = of([5, 7]);
    let mut later = earlier.clone();
    later.note(100);
    assert_eq!(later.since(&earlier), of([100]));
}
