use crate::limits::STRETCHES;
use crate::{Histogram, Stretch, Tally, Timeline};
use std::collections::BTreeMap;
use stdx::Rng;

#[test]
fn few_names_are_counted_exactly() {
    let mut tally = Tally::with_room(4);
    "b a c a b a".split(' ').for_each(|name| tally.add(name));
    let largest: Vec<_> =
        tally.largest(2).into_iter().map(|one| (one.name, one.count, one.at_most)).collect();
    assert_eq!(largest, [("a".to_owned(), 3, 3), ("b".to_owned(), 2, 2)]);
    assert_eq!((tally.total(), tally.names(), tally.missed()), (6, 3, 0));
}

/// Whatever the names, what is told of each holds: at least `count`, at most `at_most`; who is missing has at most `missed`.
#[test]
fn many_names_are_counted_within_bounds_that_hold() {
    for seed in 0..20 {
        let (mut rng, mut tally, mut truth) = (Rng::new(seed), Tally::with_room(64), BTreeMap::new());
        for _ in 0..20_000 {
            // A few large ones among very many small ones.
            let number = if rng.below(3) == 0 { rng.below(5) } else { rng.below(3_000) };
            let name = format!("host-{number}");
            *truth.entry(name.clone()).or_insert(0) += 1;
            tally.add(&name);
        }
        let told: BTreeMap<String, (u64, u64)> =
            tally.largest(64).into_iter().map(|one| (one.name, (one.count, one.at_most))).collect();
        assert!(told.len() <= 64 && tally.total() == 20_000);
        for (name, count) in &truth {
            let (least, most) = told.get(name).copied().unwrap_or((0, tally.missed()));
            assert!((least..=most).contains(count), "seed {seed}, {name}: {least} to {most}, really {count}");
        }
        assert!(
            (0..5).all(|number| told.contains_key(&format!("host-{number}"))),
            "the large ones are there"
        );
    }
}

#[test]
fn a_timeline_outgrows_its_stretches_and_loses_nothing() {
    let mut timeline = Timeline::default();
    let page = Stretch { requests: 1, pages: 1, bytes: 10, failed: 0 };
    for hour in 0..1_000_u64 {
        timeline.add(1_795_000_000_000 + hour * 3_600_000, page);
    }
    // Told late, of a moment before the first.
    timeline.add(1_794_999_999_000, page);
    assert!(timeline.stretches.len() <= STRETCHES);
    assert_eq!(timeline.stretches.iter().map(|stretch| stretch.pages).sum::<u64>(), 1_001);
    assert_eq!(timeline.stretches[0].bytes, 10 * 6, "five hours and the late one");
    assert_eq!(timeline.stretch_ms, 16_384_000);
    assert!(timeline.to_ms() > 1_795_000_000_000 + 999 * 3_600_000);
}

#[test]
fn a_histogram_knows_its_ends_and_bounds_its_middle() {
    let mut histogram = Histogram::default();
    assert_eq!((histogram.bins().len(), histogram.least(), histogram.quantile(0.5)), (0, 0, 0));
    for value in [0, 1, 5, 6, 7, 300, u64::MAX] {
        histogram.add(value);
    }
    let bins: Vec<(u64, u64)> =
        histogram.bins().into_iter().filter(|bin| bin.count > 0).map(|bin| (bin.from, bin.count)).collect();
    assert_eq!(bins, [(0, 1), (1, 1), (4, 3), (256, 1), (1 << 63, 1)]);
    assert_eq!(
        (histogram.quantile(0.5), histogram.quantile(0.85), histogram.quantile(1.0)),
        (7, 511, u64::MAX)
    );
    assert_eq!(histogram.bins().last().unwrap().to, u64::MAX);
}
