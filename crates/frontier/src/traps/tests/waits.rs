//! Redirects, sitemaps and farms of hosts.

use crate::limits::MAX_HOPS;
use crate::traps::hosts_a_round;
use crate::{
    Acquaintance, Beast, BeastCounters, Budget, Claim, Listed, Penalty, Placement, Source, TrapReason,
    judge_hops,
};

#[test]
fn long_chains_of_redirects_wait_longer() {
    let penalty = |hops| judge_hops(hops).map_or(0, |suspicion| suspicion.penalty.get());
    assert_eq!([0, 3, 4, 5, MAX_HOPS].map(penalty), [0, 0, 1, 2, 7]);
}

#[test]
fn sitemaps_may_name_their_share() {
    let mut listed = Listed::default();
    for _ in 0..1_000 {
        assert_eq!(listed.note(Source::Sitemap), None);
    }
    let suspicion = listed.note(Source::Sitemap).expect("one too many");
    assert_eq!((suspicion.reason, suspicion.penalty.get()), (TrapReason::Flood(1_001), 1));
    assert_eq!(listed.note(Source::Linked), None, "what is linked to is not the flood");
    assert_eq!(listed.note(Source::Sitemap), None, "and makes room for ten more");
}

#[test]
fn a_flood_waits_longer_the_more_it_grows() {
    let mut listed = Listed::default();
    let last = (0..64_000).filter_map(|_| listed.note(Source::Sitemap)).last().expect("a flood");
    assert_eq!((last.reason, last.penalty.get()), (TrapReason::Flood(64_000), 7));
    assert!(last.penalty < Penalty::MOST);
}

/// Places one URL of each of so many new hosts, and reads until all have passed. Hosts admitted in each round.
fn farm(budget: Budget, hosts: u64) -> Vec<u64> {
    let (mut beast, mut domain) = (Beast::default(), BeastCounters::default());
    let claim = Claim { host: Acquaintance::New, ..Claim::within(budget) };
    let mut admitted = Vec::new();
    let mut count = |round: u64, placement: Placement| {
        if placement == Placement::Pass {
            admitted.resize(admitted.len().max(round as usize + 1), 0);
            admitted[round as usize] += 1;
        }
    };
    (0..hosts).for_each(|_| count(beast.round(), beast.place(&mut domain, claim)));
    while let Some(reading) = beast.advance() {
        let turn = beast.rounds_a_turn();
        let placement = beast.place_again(reading.queue, &mut domain, claim);
        count(beast.round() / turn, placement);
        beast.check_invariants();
    }
    assert_eq!(domain.waiting(), 0);
    admitted
}

#[test]
fn a_domain_that_nobody_knows_shows_four_hosts_a_round() {
    assert_eq!(hosts_a_round(Budget::Pages(10)), Budget::Pages(4));
    assert_eq!(hosts_a_round(Budget::Pages(10_000)), Budget::Pages(2_500));
    assert_eq!(farm(Budget::Pages(10), 20), [4; 5]);
}

#[test]
fn a_wildcard_in_the_dns_of_a_seed_waits_too() {
    assert_eq!(farm(Budget::Unlimited, 2_500), [1_000, 1_000, 500]);
}

#[test]
fn new_hosts_that_wait_hold_up_none_that_are_known() {
    let (mut beast, mut domain) = (Beast::default(), BeastCounters::default());
    let known = Claim::within(Budget::Pages(100));
    let new = Claim { host: Acquaintance::New, ..known };
    let passed = (0..1_000).filter(|_| beast.place(&mut domain, new) == Placement::Pass).count();
    assert_eq!(passed, 25);
    let passed = (0..1_000).filter(|_| beast.place(&mut domain, known) == Placement::Pass).count();
    assert_eq!(passed, 75, "of a hundred pages a round");
}
