use crate::apportion::apportion;
use proptest::prelude::*;

const ALL: u64 = 1 << 30;

/// What shards come to that take all they are given, but no more than they have use for.
fn settled(uses: &[u64]) -> Vec<u64> {
    let mut held = vec![0; uses.len()];
    for _ in 0..40 {
        let grants = apportion(ALL, &held);
        held = grants.iter().zip(uses).map(|(grant, uses)| *grant.min(uses)).collect();
    }
    held
}

#[test]
fn who_has_use_for_it_gets_what_others_leave() {
    let mut uses = vec![1 << 20; 100];
    uses[7] = u64::MAX;
    let held = settled(&uses);
    assert!(held[7] > ALL / 3, "{} of {ALL}", held[7]);
    assert!(held.iter().enumerate().all(|(shard, bytes)| shard == 7 || *bytes == 1 << 20));
}

#[test]
fn where_all_are_full_all_are_equal() {
    let mut held = settled(&[u64::MAX; 10]);
    held[3] *= 9;
    for _ in 0..40 {
        held = apportion(ALL, &held);
    }
    assert!(held.iter().max().unwrap() - held.iter().min().unwrap() < 100, "{held:?}");
    assert!(held[0] > ALL / 16, "{held:?}");
}

proptest! {
    #[test]
    fn nobody_gets_nothing_and_all_together_no_more_than_all(
        all in 0u64..1 << 50,
        held in prop::collection::vec(0u64..1 << 40, 1..256),
    ) {
        let grants = apportion(all, &held);
        prop_assert!(grants.iter().sum::<u64>() <= all);
        prop_assert!(grants.iter().all(|grant| *grant >= all / 2 / 300));
    }
}
