use super::examples::START;
use crate::limits::IDLE_SERVERS;
use crate::servers::{Claim, HostRef, Reservation, ServerClocks};
use Reservation::{Granted, Queued};
use frontier::{Address, HostId, Reach};
use std::net::{IpAddr, Ipv4Addr};

/// A host of shard `n`; which host it is does not matter here.
fn claim(ip: &str, n: u8) -> Claim {
    Claim { who: HostRef { shard: n, host: host() }, address: address(ip), pending: 1 }
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
    assert_eq!(clocks.reserve(claim(A, 1), START), Granted);
    assert_eq!(clocks.reserve(claim(A, 2), START), Queued);
    assert_eq!((clocks.next_due(), clocks.next_granted(START + 10_000)), (None, None), "it is held");
    clocks.contacted(address(A), START + 5000);
    assert_eq!(clocks.next_due(), Some(START + 5250));
    assert_eq!(clocks.next_granted(START + 5249), None);
    assert_eq!(clocks.next_granted(START + 5250), Some(claim(A, 2)));
    assert_eq!(clocks.reserve(claim(A, 3), START + 9000), Queued, "it is held again");
}

#[test]
fn nobody_overtakes_a_queue() {
    let mut clocks = clocks();
    clocks.contacted(address(A), START);
    for n in 1..4 {
        assert_eq!(clocks.reserve(claim(A, n), START), Queued);
    }
    let now = START + 250;
    assert_eq!(clocks.reserve(claim(A, 4), now), Queued);
    let mut served = Vec::new();
    for n in 1..=4 {
        served.push(clocks.next_granted(now + 1000 * n).unwrap().who.shard);
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
        clocks.reserve(Claim { pending: u64::from(n), ..claim(A, n) }, START);
    }
    let mut turn = |n: u64| {
        let granted = clocks.next_granted(START + 1000 * n).unwrap();
        clocks.contacted(granted.address, START + 1000 * n);
        granted.who.shard
    };
    assert_eq!([turn(1), turn(2), turn(3), turn(4)], [19, 0, 18, 1]);
}

#[test]
fn a_reservation_that_came_to_nothing_costs_no_delay() {
    let mut clocks = clocks();
    assert_eq!(clocks.reserve(claim(A, 1), START), Granted);
    clocks.reserve(claim(A, 2), START);
    clocks.cancel(address(A));
    assert_eq!(clocks.next_granted(START), Some(claim(A, 2)));
}

#[test]
fn addresses_of_one_network_of_ipv6_share_a_clock_those_of_ipv4_do_not() {
    let mut clocks = clocks();
    assert_eq!(clocks.reserve(claim("2001:db8::1", 1), START), Granted);
    assert_eq!(clocks.reserve(claim("2001:db8::ffff:2", 2), START), Queued);
    assert_eq!(clocks.reserve(claim("2001:db8:0:1::1", 3), START), Granted);
    assert_eq!(clocks.reserve(claim("192.0.2.1", 4), START), Granted);
    assert_eq!(clocks.reserve(claim("192.0.2.2", 5), START), Granted);
    clocks.contacted(address("2001:db8::1"), START);
    assert_eq!(clocks.next_granted(START + 250), Some(claim("2001:db8::ffff:2", 2)), "under its own address");
}

#[test]
fn no_delay_is_for_allowed_addresses_only() {
    let mut clocks = ServerClocks::new(0, 100);
    let allowed = Claim { address: Address { reach: Reach::Allowed, ..address("10.0.0.1") }, ..claim(A, 1) };
    for _ in 0..3 {
        assert_eq!(clocks.reserve(allowed, START), Granted);
    }
    clocks.contacted(allowed.address, START);
    assert_eq!(clocks.reserve(allowed, START), Granted);
    assert_eq!(clocks.reserve(claim(A, 1), START), Granted);
    clocks.contacted(address(A), START);
    clocks.reserve(claim(A, 2), START);
    assert_eq!(clocks.next_due(), Some(START + 100), "the floor");
}

#[test]
fn after_an_unclean_stop_every_server_waits_its_full_delay_known_or_not() {
    let mut clocks = clocks();
    clocks.load(vec![(A.parse().unwrap(), START - 9000)]);
    clocks.restart(START);
    assert_eq!(clocks.reserve(claim(A, 1), START + 249), Queued);
    assert_eq!(clocks.reserve(claim("192.0.2.9", 2), START + 249), Queued);
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
    assert_eq!(loaded.reserve(claim(A, 1), START), Queued);
    assert_eq!(loaded.next_due(), Some(START + 250));
}

#[test]
fn clocks_that_have_run_out_are_forgotten_at_any_number() {
    let mut clocks = clocks();
    let one = claim(A, 1);
    for n in 0..3 * IDLE_SERVERS as u32 {
        let ip = IpAddr::V4(Ipv4Addr::from_bits(0x0A00_0000 + n));
        let address = Address { ip, ..one.address };
        let now = START + 300 * u64::from(n);
        assert_eq!(clocks.reserve(Claim { address, ..one }, now), Granted);
        clocks.contacted(address, now);
        assert!(clocks.len() <= IDLE_SERVERS);
    }
}
