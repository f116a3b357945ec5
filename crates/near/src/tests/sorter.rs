use super::{files, scratch};
use crate::sorter::{Pair, Sorter};
use proptest::prelude::*;

fn sorted(pairs: &[Pair], memory_bytes: usize) -> Vec<Pair> {
    let scratch = scratch();
    let mut sorter = Sorter::new(&scratch, "pairs", memory_bytes);
    for pair in pairs {
        sorter.push(*pair).unwrap();
    }
    let mut sorted = sorter.finish().unwrap();
    let all = std::iter::from_fn(|| sorted.next().unwrap()).collect();
    drop(sorted);
    assert_eq!(files(&scratch.disk), Vec::<String>::new(), "nothing stays behind");
    all
}

proptest! {
    #[test]
    fn pairs_come_in_order_and_once(
        pairs in prop::collection::vec(prop::array::uniform2(0..50_u64), 0..600),
        memory_bytes in 64..4096_usize,
    ) {
        let mut wanted = pairs.clone();
        wanted.sort_unstable();
        wanted.dedup();
        prop_assert_eq!(sorted(&pairs, memory_bytes), wanted);
    }
}

#[test]
fn more_runs_than_are_merged_at_once() {
    let pairs: Vec<Pair> = (0..5_000).map(|n: u64| [n.wrapping_mul(0x9E37_79B9_7F4A_7C15), n]).collect();
    let mut wanted = pairs.clone();
    wanted.sort_unstable();
    assert_eq!(sorted(&pairs, 512), wanted);
}
