use super::scratch;
use crate::Member;
use crate::groups::group;
use crate::sorter::Sorter;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// With so little memory that segments are of 512 texts.
fn grouped(pairs: &[[u64; 2]]) -> Vec<Member> {
    let scratch = scratch();
    let mut near = Sorter::new(&scratch, "near", 64);
    for [a, b] in pairs {
        near.push([*a.min(b), *a.max(b)]).unwrap();
    }
    let mut groups = group(&scratch, near.finish().unwrap(), TEXTS, 64).unwrap();
    std::iter::from_fn(|| groups.next().unwrap())
        .map(|[text, representative]| Member { text, representative })
        .collect()
}

const TEXTS: u64 = 2_000;

/// Text by text, each with the first representative near it.
fn one_by_one(pairs: &[[u64; 2]]) -> Vec<Member> {
    let (mut representatives, mut members) = (BTreeSet::new(), Vec::new());
    for text in 0..TEXTS {
        let neighbours = pairs.iter().flat_map(|[a, b]| [(a, b), (b, a)]).filter(|(a, _)| **a == text);
        let near: BTreeSet<u64> =
            neighbours.map(|(_, b)| *b).filter(|b| representatives.contains(b)).collect();
        match near.first() {
            Some(representative) => members.push(Member { text, representative: *representative }),
            None => drop(representatives.insert(text)),
        }
    }
    members
}

proptest! {
    #[test]
    fn a_sieve_finds_what_going_through_all_texts_does(
        close in prop::collection::vec(prop::array::uniform2(0..60_u64), 0..80),
        far in prop::collection::vec(prop::array::uniform2(0..TEXTS), 0..80),
    ) {
        let pairs: Vec<[u64; 2]> = close.into_iter().chain(far).filter(|[a, b]| a != b).collect();
        prop_assert_eq!(grouped(&pairs), one_by_one(&pairs));
    }
}

#[test]
fn who_is_near_a_member_only_stands_for_itself() {
    let chain: Vec<[u64; 2]> = (0..TEXTS - 1).map(|n| [n, n + 1]).collect();
    let groups = grouped(&chain);
    assert_eq!(groups.len() as u64, TEXTS / 2);
    assert!(groups.iter().all(|member| member.text % 2 == 1 && member.representative == member.text - 1));
}
