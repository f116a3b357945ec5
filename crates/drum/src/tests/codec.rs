use crate::clock::Clock;
use crate::elias_fano;
use crate::front::{FrontCoded, FrontReader};
use crate::packing;
use crate::sort::{Entry, sort};
use proptest::prelude::*;
use std::collections::BTreeSet;
use stdx::Rng;

fn check_elias_fano(keys: &[u64]) {
    let mut bytes = Vec::new();
    let low_bits = elias_fano::encode(keys, &mut bytes);
    let mut decoded = Vec::new();
    elias_fano::decode(keys[0], keys.len(), low_bits, &bytes, &mut decoded).unwrap();
    assert!(decoded == keys);
    assert!(elias_fano::decode(keys[0], keys.len() + 1, low_bits, &bytes, &mut decoded).is_none());
}

fn check_sort(keys: &[u64]) {
    let mut expected: Vec<Entry> = keys.iter().zip(0..).map(|(key, seq)| Entry { key: *key, seq }).collect();
    expected.sort_by_key(|entry| entry.key);
    assert!(sort(keys.iter().copied()) == expected);
}

proptest! {
    #[test]
    fn keys_round_trip(keys in proptest::collection::btree_set(any::<u64>(), 1..300), shift in 0u32..64) {
        let keys: BTreeSet<u64> = keys.into_iter().map(|key| key >> shift).collect();
        check_elias_fano(&keys.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn damaged_keys_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), count in 0usize..400, low_bits: u8) {
        let _ = elias_fano::decode(1, count, low_bits, &bytes, &mut Vec::new());
    }

    #[test]
    fn texts_round_trip(texts in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..30), 0..60)) {
        let mut coded = FrontCoded::default();
        for text in &texts {
            coded.push(text);
        }
        let mut reader = FrontReader::new(&coded.lengths, &coded.rests);
        for text in &texts {
            prop_assert_eq!(reader.next(), Some(&text[..]));
        }
        prop_assert_eq!(reader.next(), None);
    }

    #[test]
    fn damaged_texts_do_not_panic(lengths: Vec<u8>, rests: Vec<u8>) {
        let mut reader = FrontReader::new(&lengths, &rests);
        while reader.next().is_some() {}
        let _ = packing::unpack(&rests, &mut Vec::with_capacity(100));
    }

    #[test]
    fn packed_bytes_round_trip(bytes in proptest::collection::vec(0u8..20, 0..3000)) {
        let mut raw = Vec::with_capacity(bytes.len());
        prop_assert_eq!(packing::unpack(&packing::pack(&bytes).unwrap(), &mut raw).unwrap(), bytes.len());
        prop_assert_eq!(raw, bytes);
    }

    #[test]
    fn sorting_is_stable(seed: u64, len in 0usize..9000, spread in 1u64..5000, shift in 0u32..50, few: bool) {
        let mut rng = Rng::new(seed);
        let len = if few { len % 200 } else { len };
        let keys: Vec<u64> = (0..len).map(|_| rng.below(spread) << shift).collect();
        check_sort(&keys);
        let hashed: Vec<u64> = keys.iter().map(|key| Rng::new(*key).next_u64()).collect();
        check_sort(&hashed);
    }
}

#[test]
fn what_neighbours_share_is_kept_once() {
    let mut coded = FrontCoded::default();
    for page in 0..100 {
        coded.push(format!("https://www.example.test/a/rather/long/path/{page:03}").as_bytes());
    }
    assert!(coded.bytes() < 47 + 100 * 5, "{} bytes", coded.bytes());
}

#[test]
fn skewed_keys_are_sorted() {
    let near = (0..200_000).map(|n| n * 0x9E37_79B1 % 65_521);
    check_sort(&near.chain([u64::MAX, 0]).collect::<Vec<_>>());
    check_sort(&vec![7; 5000]);
}

#[test]
fn extreme_keys_round_trip() {
    check_elias_fano(&[0]);
    check_elias_fano(&[u64::MAX]);
    check_elias_fano(&[0, u64::MAX]);
    check_elias_fano(&[0, 1, u64::MAX - 1, u64::MAX]);
    check_elias_fano(&(0..70_000).collect::<Vec<_>>());
}

#[test]
fn a_billion_keys_would_take_four_and_a_half_bytes_each() {
    let mut rng = Rng::new(1);
    let gap = u64::MAX / 1_000_000_000;
    let keys: Vec<u64> = (0..10_000)
        .scan(0, |key, _| {
            *key += 1 + rng.below(2 * gap);
            Some(*key)
        })
        .collect();
    let mut bytes = Vec::new();
    elias_fano::encode(&keys, &mut bytes);
    let bits_each = bytes.len() as f64 * 8.0 / keys.len() as f64;
    assert!(bits_each < 36.6, "{bits_each} bits");
}

#[test]
fn a_clock_holds_what_was_asked_for_lately() {
    let mut clock = Clock::new(56);
    (1..=7).for_each(|n| clock.insert(n * 8));
    assert!((1..=7).all(|n| clock.contains(n * 8)), "one set holds seven");
    clock.insert(800);
    assert!(clock.contains(800), "all seven were asked for; the hand went round once");
    assert!(!clock.contains(8));
    assert!(clock.contains(24));
    clock.insert(808);
    assert!(!clock.contains(16), "not asked for since the hand took its mark");
    assert!(clock.contains(24));
    clock.forget(24);
    assert!(!clock.contains(24));
}

#[test]
fn a_clock_never_knows_what_it_was_not_told() {
    let (mut clock, mut rng, mut told) = (Clock::new(100), Rng::new(3), BTreeSet::new());
    let mut hits = 0;
    for _ in 0..20_000 {
        let key = rng.below(300);
        let known = clock.contains(key);
        assert!(!known || told.contains(&key));
        hits += u32::from(known);
        if !known {
            told.insert(key);
            clock.insert(key);
        }
    }
    assert!(hits > 2000, "{hits}");
    let mut none = Clock::new(0);
    none.insert(1);
    assert!(!none.contains(1));
}
