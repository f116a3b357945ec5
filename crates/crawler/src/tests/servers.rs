use super::examples::START;
use crate::limits::{ARRIVAL_MS, IDLE_SERVERS, IN_LINE, PUT_OFF_MS};
use crate::servers::{Claim, Claimant, HostRef, Reservation, ServerClocks};
use Reservation::{Granted, PutOff, Queued};
use cluster::{ClaimId, NodeId};
use frontier::{Address, Chain, HostId, Reach};
use std::net::{IpAddr, Ipv4Addr};
use stdx::Timestamp;

/// A host of shard `n`; which host it is does not matter here.
fn claim(ip: &str, n: u8) -> Claim {
    let by = Claimant::Host { who: HostRef { shard: n, host: host() }, address: address(ip) };
    Claim { by, ip: ip.parse().unwrap(), delay_ms: 250, pending: 1, response_ms: 0 }
}

/// A claim of another node.
fn claim_of(node: u16, claim: u64) -> Claim {
    let by = Claimant::Peer { node: NodeId(node), claim: ClaimId(claim) };
    Claim { by, ip: A.parse().unwrap(), delay_ms: 250, pending: 1, response_ms: 0 }
}

fn shard(claim: &Claim) -> u8 {
    match claim.by {
        Claimant::Host { who, .. } => who.shard,
        Claimant::Peer { .. } => panic!("a claim of another node"),
    }
}

fn host() -> HostId {
    postcard::from_bytes(&[0]).expect("the first host of a shard")
}

fn address(ip: &str) -> Address {
    Address { ip: ip.parse().unwrap(), reach: Reach::Public }
}

fn clocks() -> ServerClocks {
    ServerClocks::new(250, 100)
}

const A: &str = "192.0.2.1";

#[test]
fn one_contact_at_a_time_and_the_delay_from_its_end() {
    let mut clocks = clocks();
    assert_eq!(clocks.reserve(claim(A, 1), IN_LINE, START), Granted);
    assert_eq!(clocks.reserve(claim(A, 2), IN_LINE, START), Queued);
    assert_eq!((clocks.next_due(), clocks.next_granted(START + 10_000)), (None, None), "it is held");
    clocks.contacted(address(A), START + 5000);
    assert_eq!(clocks.next_due(), Some(START + 5250));
    assert_eq!(clocks.next_granted(START + 5249), None);
    assert_eq!(clocks.next_granted(START + 5250), Some(claim(A, 2)));
    assert_eq!(clocks.reserve(claim(A, 3), IN_LINE, START + 9000), Queued, "it is held again");
}

#[test]
fn who_waits_for_a_server_when_delays_change_waits_for_the_new_one() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    assert_eq!([1, 2].map(|n| clocks.reserve(claim(A, n), IN_LINE, START)), [Queued, Queued]);
    clocks.set_delay(5_000);
    clocks.restart(START, 0);
    assert_eq!((clocks.next_due(), clocks.next_granted(START + 250)), (Some(START + 5_000), None));
    assert!(clocks.next_granted(START + 5_000).is_some());
    assert_eq!((clocks.next_due(), clocks.next_granted(START + 10_000)), (None, None), "it is held");
}

#[test]
fn nobody_overtakes_a_queue() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    for n in 1..4 {
        assert_eq!(clocks.reserve(claim(A, n), IN_LINE, START), Queued);
    }
    let now = START + 250;
    assert_eq!(clocks.reserve(claim(A, 4), IN_LINE, now), Queued);
    let mut served = Vec::new();
    for n in 1..=4 {
        served.push(shard(&clocks.next_granted(now + 1000 * n).unwrap()));
        assert_eq!(clocks.next_granted(now + 1000 * n), None);
        clocks.contacted(address(A), now + 1000 * n);
    }
    served.sort_unstable();
    assert_eq!(served, [1, 2, 3, 4]);
    assert_eq!(clocks.queued(), 0);
}

#[test]
fn of_two_turns_one_goes_to_the_longest_wait() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    for n in 0..20 {
        clocks.reserve(Claim { pending: u64::from(n), ..claim(A, n) }, IN_LINE, START);
    }
    let mut turn = |n: u64| {
        let granted = clocks.next_granted(START + 1000 * n).unwrap();
        clocks.contacted(address(A), START + 1000 * n);
        shard(&granted)
    };
    assert_eq!([turn(1), turn(2), turn(3), turn(4)], [19, 0, 18, 1]);
}

/// Host 9 has forty URLs, one a second: longer than the server needs for all that waits there.
fn clocks_with_a_long_chain(due_ms: u64) -> ServerClocks {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    let chain = Chain { due: START + due_ms, step_ms: 1_050, pending: 40 };
    clocks.expects(HostRef { shard: 9, host: host() }, address(A), chain, 50);
    for n in 1..4 {
        clocks.reserve(claim(A, n), IN_LINE, START);
    }
    clocks
}

#[test]
fn a_server_is_kept_for_its_longest_chain() {
    let mut clocks = clocks_with_a_long_chain(400);
    assert_eq!(clocks.next_granted(START + 250), None, "a contact now would hold it up");
    assert_eq!(clocks.reserve(claim(A, 9), IN_LINE, START + 400), Granted, "it overtakes the queue");
    clocks.contacted(address(A), START + 450);
    assert!(clocks.next_granted(START + 700).is_some());
}

#[test]
fn a_server_is_not_kept_for_a_chain_that_is_far_off_or_does_not_come() {
    let mut clocks = clocks_with_a_long_chain(600);
    assert!(clocks.next_granted(START + 250).is_some(), "there is time for another");
    let mut clocks = clocks_with_a_long_chain(400);
    assert_eq!(clocks.next_granted(START + 250), None);
    assert_eq!(clocks.next_due(), Some(START + 400 + ARRIVAL_MS));
    assert!(clocks.next_granted(START + 400 + ARRIVAL_MS).is_some(), "it is not kept again");
}

/// The chain is of a slow host; another waits whose contacts take `response_ms`.
#[test]
fn a_server_is_kept_no_longer_than_the_next_would_take() {
    let granted = |due_ms, response_ms| {
        let mut clocks = clocks();
        clocks.contacted(address(A), START);
        let chain = Chain { due: START + due_ms, step_ms: 2_000, pending: 100 };
        clocks.expects(HostRef { shard: 9, host: host() }, address(A), chain, 1_700);
        clocks.reserve(Claim { response_ms, ..claim(A, 2) }, IN_LINE, START);
        clocks.next_granted(START + 250).is_some()
    };
    assert!(!granted(400, 50), "it would take until 550");
    assert!(granted(1_000, 50), "it is over by then");
    assert!(!granted(1_000, 700));
    assert!(granted(1_000, 1_751), "longer than a step: whenever it comes, the chain waits");
}

#[test]
fn one_that_does_not_hold_up_the_chain_has_the_turn_of_one_that_would() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    let chain = Chain { due: START + 1_000, step_ms: 3_000, pending: 100 };
    clocks.expects(HostRef { shard: 9, host: host() }, address(A), chain, 1_700);
    for (shard, response_ms) in [(2, 700), (3, 1_900), (4, 500)] {
        clocks.reserve(Claim { response_ms, ..claim(A, shard) }, IN_LINE, START);
    }
    assert_eq!(shard(&clocks.next_granted(START + 250).unwrap()), 4, "the others take until 1,200 and 2,400");
    clocks.contacted(address(A), START + 750);
    assert_eq!(clocks.next_granted(START + 1_000), None, "the chain is about to come");
}

#[test]
fn whoever_comes_while_a_server_is_kept_and_holds_nobody_up_has_it() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    let chain = Chain { due: START + 2_400, step_ms: 23_000, pending: 20 };
    clocks.expects(HostRef { shard: 9, host: host() }, address(A), chain, 2_100);
    clocks.reserve(Claim { response_ms: 2_000, ..claim(A, 2) }, IN_LINE, START);
    assert_eq!(clocks.next_granted(START + 250), None, "it would take until 2,500");
    for (shard, response_ms) in [(3, 800), (4, 700)] {
        assert_eq!(clocks.reserve(Claim { response_ms, ..claim(A, shard) }, IN_LINE, START + 1_400), Queued);
    }
    assert_eq!(
        shard(&clocks.next_granted(START + 1_400).unwrap()),
        4,
        "the others take until 2,450 and longer"
    );
    clocks.contacted(address(A), START + 2_100);
    assert_eq!(clocks.next_granted(START + 2_350), None, "the chain is about to come");
    assert_eq!(clocks.next_due(), Some(START + 2_400 + ARRIVAL_MS));
}

#[test]
fn a_chain_shorter_than_the_rest_is_nothing_special() {
    let mut clocks = clocks_with_a_long_chain(400);
    clocks.reserve(Claim { pending: 200, ..claim(A, 4) }, IN_LINE, START);
    assert_eq!(shard(&clocks.next_granted(START + 250).unwrap()), 4);
}

/// Four hosts have been contacted, each of which has fewer URLs than the chain, but together they have more than it leaves time for.
#[test]
fn hosts_that_rest_are_part_of_the_rest() {
    let granted = |step_ms, have_come: bool| {
        let mut clocks = clocks_with_a_long_chain(400);
        for n in 5..9 {
            let chain = Chain { due: START, step_ms, pending: 39 };
            clocks.expects(HostRef { shard: n, host: host() }, address(A), chain, 50);
            if have_come {
                clocks.reserve(claim(A, n), IN_LINE, START);
            }
        }
        clocks.next_granted(START + 250).is_some()
    };
    assert!(granted(1_050, false));
    assert!(!granted(1_050, true), "each stands in line with the one URL it has left");
    assert!(!granted(249, false), "they should have come a step ago");
}

#[test]
fn a_reservation_that_came_to_nothing_costs_no_delay() {
    let mut clocks = clocks();
    assert_eq!(clocks.reserve(claim(A, 1), IN_LINE, START), Granted);
    clocks.reserve(claim(A, 2), IN_LINE, START);
    clocks.cancel(A.parse().unwrap());
    assert_eq!(clocks.next_granted(START), Some(claim(A, 2)));
}

#[test]
fn addresses_of_one_network_of_ipv6_share_a_clock_those_of_ipv4_do_not() {
    let mut clocks = clocks();
    assert_eq!(clocks.reserve(claim("2001:db8::1", 1), IN_LINE, START), Granted);
    assert_eq!(clocks.reserve(claim("2001:db8::ffff:2", 2), IN_LINE, START), Queued);
    assert_eq!(clocks.reserve(claim("2001:db8:0:1::1", 3), IN_LINE, START), Granted);
    assert_eq!(clocks.reserve(claim("192.0.2.1", 4), IN_LINE, START), Granted);
    assert_eq!(clocks.reserve(claim("192.0.2.2", 5), IN_LINE, START), Granted);
    clocks.contacted(address("2001:db8::1"), START);
    assert_eq!(clocks.next_granted(START + 250), Some(claim("2001:db8::ffff:2", 2)), "under its own address");
}

#[test]
fn no_delay_is_for_allowed_addresses_only() {
    let mut clocks = ServerClocks::new(0, 100);
    assert_eq!((clocks.delay_for(Reach::Allowed), clocks.delay_for(Reach::Public)), (0, 100));
    clocks.contacted(Address { reach: Reach::Allowed, ..address("10.0.0.1") }, START);
    clocks.cancel("10.0.0.1".parse().unwrap());
    assert_eq!(clocks.len(), 0, "no clock where there is no delay");
    clocks.contacted(address(A), START);
    clocks.reserve(claim(A, 2), IN_LINE, START);
    assert_eq!(clocks.next_due(), Some(START + 100), "the floor");
}

#[test]
fn whoever_held_a_server_when_its_delay_was_taken_back_frees_it() {
    let mut clocks = clocks();
    let allowed = Address { reach: Reach::Allowed, ..address(A) };
    assert_eq!(clocks.reserve(claim(A, 1), IN_LINE, START), Granted);
    assert_eq!(clocks.reserve(claim(A, 2), IN_LINE, START), Queued);
    clocks.set_delay(0);
    clocks.contacted(allowed, START + 50);
    assert_eq!(clocks.next_granted(START + 50), Some(claim(A, 2)));
    clocks.contacted(allowed, START + 90);
    clocks.set_delay(250);
    assert_eq!(clocks.reserve(claim(A, 3), IN_LINE, START + 90), Granted);
}

#[test]
fn after_an_unclean_stop_every_server_waits_its_full_delay_known_or_not() {
    let mut clocks = clocks();
    clocks.load(vec![(A.parse().unwrap(), START - 9000)]);
    clocks.restart(START, 0);
    assert_eq!(clocks.reserve(claim(A, 1), IN_LINE, START + 249), Queued);
    assert_eq!(clocks.reserve(claim("192.0.2.9", 2), IN_LINE, START + 249), Queued);
    assert_eq!(clocks.next_due(), Some(START + 250));
}

#[test]
fn clocks_that_run_are_saved_and_loaded() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    clocks.contacted(address("192.0.2.2"), START - 9000);
    let saved = clocks.save(START);
    assert_eq!(saved, [(A.parse().unwrap(), START + 250)]);
    let mut loaded = self::clocks();
    loaded.load(saved);
    assert_eq!(loaded.reserve(claim(A, 1), IN_LINE, START), Queued);
    assert_eq!(loaded.next_due(), Some(START + 250));
}

#[test]
fn clocks_that_have_run_out_are_forgotten_at_any_number() {
    let mut clocks = clocks();
    let one = claim(A, 1);
    for n in 0..3 * IDLE_SERVERS as u32 {
        let ip = IpAddr::V4(Ipv4Addr::from_bits(0x0A00_0000 + n));
        let now = START + 300 * u64::from(n);
        assert_eq!(clocks.reserve(Claim { ip, ..one }, IN_LINE, now), Granted);
        clocks.contacted(Address { ip, reach: Reach::Public }, now);
        assert!(clocks.len() <= IDLE_SERVERS);
    }
}

#[test]
fn a_server_that_is_lent_is_free_when_it_is_given_back_or_the_lease_has_ended() {
    let ip: IpAddr = A.parse().unwrap();
    let mut clocks = clocks();
    assert_eq!(clocks.reserve(claim_of(1, 7), IN_LINE, START), Granted);
    clocks.lent(ip, START + 60_000);
    assert_eq!(clocks.reserve(claim(A, 1), IN_LINE, START), Queued);
    assert_eq!(clocks.next_due(), None, "it is held");
    assert_eq!(clocks.save(START), [(ip, START + 60_250)], "a checkpoint knows the latest end");
    clocks.given_back(ip, Some(START + 80));
    assert_eq!(clocks.next_due(), Some(START + 330));
    assert_eq!(clocks.next_granted(START + 330).map(|claim| shard(&claim)), Some(1));
    clocks.contacted(address(A), START + 400);
    clocks.reserve(claim_of(1, 8), IN_LINE, START + 400);
    assert_eq!(clocks.next_granted(START + 650), Some(claim_of(1, 8)));
    clocks.given_back(ip, None);
    assert_eq!(
        clocks.reserve(claim(A, 2), IN_LINE, START + 650),
        Granted,
        "a lease that was not used costs no delay"
    );
}

#[test]
fn other_nodes_are_served_where_this_one_has_no_room() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    clocks.reserve(claim(A, 1), IN_LINE, START);
    assert_eq!(clocks.next_due_for_peer(), None);
    clocks.reserve(claim_of(2, 5), IN_LINE, START);
    clocks.reserve(claim_of(3, 9), IN_LINE, START);
    assert_eq!(clocks.next_due_for_peer(), Some(START + 250));
    assert_eq!(clocks.next_granted_to_peer(START + 249), None);
    assert_eq!(clocks.next_granted_to_peer(START + 250), Some(claim_of(2, 5)));
    assert_eq!((clocks.queued(), clocks.next_due_for_peer()), (1, None));
}

#[test]
fn claims_of_a_node_that_was_started_anew_are_dropped() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    clocks.reserve(claim_of(2, 5), IN_LINE, START);
    clocks.reserve(claim(A, 1), IN_LINE, START);
    clocks.reserve(claim_of(3, 9), IN_LINE, START);
    clocks.forget_claims_of(NodeId(2));
    assert_eq!(clocks.next_granted_to_peer(START + 250), Some(claim_of(3, 9)));
    clocks.given_back(A.parse().unwrap(), None);
    clocks.forget_claims_of(NodeId(3));
    assert_eq!(clocks.next_due_for_peer(), None);
    assert_eq!(clocks.queued(), 1);
}

/// A server that is held, with three in its queue, which is all that may stand there.
fn a_full_queue() -> ServerClocks {
    let mut clocks = clocks();
    assert_eq!(clocks.reserve(claim(A, 0), 3, START), Granted);
    for n in 1..=3 {
        assert_eq!(clocks.reserve(claim(A, n), 3, START), Queued);
    }
    clocks
}

#[test]
fn whoever_finds_a_queue_full_comes_again_when_it_may_have_been_served() {
    let mut clocks = a_full_queue();
    let moments = [4, 5, 6].map(|n| clocks.reserve(claim(A, n), 3, START));
    assert_eq!(
        moments,
        [750, 1_000, 1_250].map(|ms| PutOff(START + ms)),
        "one after the other, as fast as the server may be asked"
    );
    assert_eq!(clocks.queued(), 3);

    clocks.contacted(address(A), START);
    assert!(clocks.next_granted(START + 250).is_some());
    assert_eq!(clocks.reserve(claim(A, 4), 3, START + 750), Queued, "there is room again");
}

#[test]
fn nobody_is_put_off_for_longer_than_an_hour() {
    let mut clocks = a_full_queue();
    let wait = |n: u64| match clocks.reserve(claim(A, (n % 200) as u8), 3, START) {
        PutOff(until) => until.since_ms(START),
        other => panic!("{other:?}"),
    };
    let waits: Vec<u64> = (0..50_000).map(wait).collect();
    assert!(waits.iter().all(|wait| (750..=PUT_OFF_MS).contains(wait)), "{waits:?}");
    let shared = waits.iter().filter(|wait| **wait == 750).count();
    assert_eq!(shared, 50_000_usize.div_ceil(14_398), "they share moments evenly");
}

#[test]
fn the_host_that_takes_longest_is_not_put_off() {
    let mut clocks = clocks_with_a_long_chain(400);
    for n in 10..60 {
        clocks.reserve(claim(A, n), 1, START);
    }
    assert_eq!(clocks.reserve(claim(A, 9), 1, START + 400), Granted, "it overtakes the queue");
}

#[test]
fn other_nodes_take_no_room_from_hosts_of_this_one() {
    let mut clocks = clocks();
    for n in 0..10 {
        clocks.reserve(claim_of(1, n), usize::MAX, START);
    }
    assert_eq!(clocks.reserve(claim(A, 1), 3, START), Queued);
}

/// A host that left memory while the server waited for it comes back by another name.
#[test]
fn a_host_that_has_not_come_gives_way() {
    let who = |n: u8| HostRef { shard: 1, host: postcard::from_bytes::<HostId>(&[n]).unwrap() };
    let mut clocks = clocks();
    let of = |n: u8, pending| Claim {
        by: Claimant::Host { who: who(n), address: address(A) },
        pending,
        ..claim(A, 1)
    };
    let chain = |due: Timestamp, pending| Chain { due, step_ms: 1_050, pending };
    let longest = |clocks: &ServerClocks| clocks.get(A.parse().unwrap()).unwrap().longest_host();
    assert_eq!(clocks.reserve(of(5, 1_000), IN_LINE, START), Granted);
    clocks.contacted(address(A), START + 50);
    clocks.expects(who(5), address(A), chain(START + 1_050, 999), 50);
    clocks.expects(who(9), address(A), chain(START + 2_100, 998), 50);
    assert_eq!(longest(&clocks), Some(who(5)), "it is about to come");
    clocks.expects(who(9), address(A), chain(START + 120_000, 998), 50);
    assert_eq!(longest(&clocks), Some(who(9)));
}
