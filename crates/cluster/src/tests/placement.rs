use crate::{NodeId, Numbers, Placement, PlacementError, clock_of};
use proptest::prelude::*;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn nodes(count: u16) -> Vec<NodeId> {
    (0..count).map(NodeId).collect()
}

fn among(count: u16) -> Placement {
    Placement::new(NodeId(0), &nodes(count)).unwrap()
}

/// How many of these node 0 owned.
fn lost(moved: &[u8], before: &Placement) -> usize {
    moved.iter().filter(|shard| before.owns_shard(**shard)).count()
}

#[test]
fn a_node_alone_owns_everything() {
    let alone = Placement::alone();
    assert!((0..=u8::MAX).all(|shard| alone.owns_shard(shard)));
    assert_eq!(alone.shards_owned(), 256);
    assert!(alone.owns_clock("192.0.2.1".parse().unwrap()));
    assert_eq!(alone.peers().count(), 0);
}

#[test]
fn all_nodes_say_the_same_whatever_the_order_of_the_list() {
    let list = nodes(5);
    let backwards: Vec<NodeId> = list.iter().rev().copied().collect();
    let one = Placement::new(NodeId(1), &list).unwrap();
    let other = Placement::new(NodeId(4), &backwards).unwrap();
    for shard in 0..=u8::MAX {
        assert_eq!(one.owner_of_shard(shard), other.owner_of_shard(shard));
        let ip = IpAddr::V4(Ipv4Addr::new(192, 0, 2, shard));
        assert_eq!(one.owner_of_clock(ip), other.owner_of_clock(ip));
    }
}

#[test]
fn a_node_more_takes_its_share_and_nothing_else_moves() {
    for count in 1..12 {
        let (before, after) = (among(count), among(count + 1));
        let moved: Vec<u8> =
            (0..=u8::MAX).filter(|s| before.owner_of_shard(*s) != after.owner_of_shard(*s)).collect();
        assert!(moved.iter().all(|shard| after.owner_of_shard(*shard) == NodeId(count)));
        assert_eq!(before.shards_owned() - after.shards_owned(), lost(&moved, &before));
        let share = 256 / usize::from(count + 1);
        assert!((share / 2..=2 * share).contains(&moved.len()), "{} of {share}", moved.len());
    }
}

#[test]
fn addresses_of_one_network_of_ipv6_have_one_owner() {
    let placement = among(7);
    let owner = |text: &str| placement.owner_of_clock(text.parse().unwrap());
    assert_eq!(owner("2001:db8::1"), owner("2001:db8::ffff:2"));
    assert_eq!(clock_of("2001:db8::ffff:2".parse().unwrap()), "2001:db8::".parse::<IpAddr>().unwrap());
    let owners: std::collections::BTreeSet<NodeId> =
        (0..100).map(|n| owner(&format!("2001:db8:0:{n:x}::1"))).collect();
    assert_eq!(owners.len(), 7, "everybody owns some");
}

#[test]
fn an_ipv6_address_that_carries_one_of_ipv4_runs_on_its_clock() {
    let clock = |text: &str| clock_of(text.parse().unwrap()).to_string();
    for text in ["::ffff:198.51.100.7", "64:ff9b::198.51.100.7", "2002:c633:6407::1", "198.51.100.7"] {
        assert_eq!(clock(text), "198.51.100.7", "{text}");
    }
    assert_eq!(clock("64:ff9b:1::198.51.100.7"), "64:ff9b:1::", "a prefix of somebody's own");
    assert_eq!(clock("::1:ffff:c633:6407"), "::");
}

#[test]
fn a_list_that_makes_no_crawl_is_refused() {
    let stranger = Placement::new(NodeId(9), &nodes(3)).unwrap_err();
    assert_eq!(stranger, PlacementError::Stranger(NodeId(9)));
    assert_eq!(stranger.to_string(), "node 9 is not among the nodes of the crawl");
    assert_eq!(Placement::new(NodeId(0), &nodes(257)).unwrap_err(), PlacementError::TooMany(257));
    assert_eq!(Placement::new(NodeId(0), &[NodeId(0), NodeId(0)]).unwrap().nodes(), [NodeId(0)]);
}

proptest! {
    #[test]
    fn a_clock_runs_on_itself(
        block in proptest::sample::select(vec![0, 0x0064_ff9b << 96, 0x2002 << 112, 0x2001 << 112]),
        bits in any::<u64>(),
    ) {
        let clock = clock_of(IpAddr::V6(Ipv6Addr::from_bits(block | u128::from(bits))));
        prop_assert_eq!(clock_of(clock), clock);
    }

    #[test]
    fn numbers_are_a_set(inserted in proptest::collection::vec(0..40_u64, 0..80)) {
        let (mut numbers, mut model) = (Numbers::default(), std::collections::BTreeSet::new());
        for number in inserted {
            prop_assert_eq!(numbers.insert(number), model.insert(number));
        }
        let missing = (0..=80).find(|number| !model.contains(number)).unwrap();
        prop_assert_eq!(numbers.first_missing(), missing);
        prop_assert_eq!(numbers.scattered(), model.len() - missing as usize);
        for number in 0..50 {
            prop_assert_eq!(numbers.contains(number), model.contains(&number));
        }
    }
}
