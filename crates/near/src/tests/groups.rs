use super::scratch;
use crate::Member;
use crate::groups::group;
use crate::sorter::Sorter;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn grouped(pairs: &[[u64; 2]]) -> Vec<Member> {
    let scratch = scratch();
    let mut near = Sorter::new(&scratch, "near", 256);
    for [a, b] in pairs {
        near.push([*a.max(b), *a.min(b)]).unwrap();
    }
    let mut groups = group(&scratch, near, 256).unwrap();
    std::iter::from_fn(|| groups.next().unwrap())
        .map(|[text, representative]| Member { text, representative })
        .collect()
}

fn root(parents: &BTreeMap<u64, u64>, text: u64) -> u64 {
    if parents[&text] == text { text } else { root(parents, parents[&text]) }
}

/// Union-find by the least number.
fn union_find(pairs: &[[u64; 2]]) -> Vec<Member> {
    let mut parents: BTreeMap<u64, u64> = pairs.iter().flatten().map(|text| (*text, *text)).collect();
    for [a, b] in pairs {
        let (a, b) = (root(&parents, *a), root(&parents, *b));
        parents.insert(a.max(b), a.min(b));
    }
    let members = parents.keys().map(|text| Member { text: *text, representative: root(&parents, *text) });
    members.filter(|member| member.text != member.representative).collect()
}

proptest! {
    #[test]
    fn sorting_finds_what_union_find_does(pairs in prop::collection::vec(prop::array::uniform2(0..80_u64), 0..120)) {
        let pairs: Vec<[u64; 2]> = pairs.into_iter().filter(|[a, b]| a != b).collect();
        prop_assert_eq!(grouped(&pairs), union_find(&pairs));
    }
}

#[test]
fn a_long_chain_is_one_group() {
    let chain: Vec<[u64; 2]> = (0..500).map(|n| [n * 7 % 501, (n + 1) * 7 % 501]).collect();
    let groups = grouped(&chain);
    assert_eq!(groups.len(), 500);
    assert!(groups.iter().all(|member| member.representative == 0));
}
