use crate::limits::{BEGIN_WITHIN_MS, CLAIMS_PER_NODE, GRANT_AGAIN_MS, LEASE_MARGIN_MS};
use crate::{Ask, Asked, ClaimId, Due, Grant, Heard, Lending, NodeId, Runs};
use std::net::IpAddr;
use stdx::Timestamp;

const START: Timestamp = Timestamp::from_ms(1_000_000);
const A: NodeId = NodeId(1);
const B: NodeId = NodeId(2);
const CONTACT_MS: u64 = 60_000;

fn ip(last: u8) -> IpAddr {
    IpAddr::from([192, 0, 2, last])
}

fn ask(claim: u64) -> Ask {
    Ask { claim: ClaimId(claim), address: ip(1), delay_ms: 250, pending: 1 }
}

fn lending() -> Lending {
    Lending::new(CONTACT_MS)
}

#[test]
fn a_claim_is_queued_once_granted_once_and_told_again() {
    let mut lending = lending();
    assert_eq!(lending.asked(A, &ask(7), START), Asked::New);
    assert_eq!(lending.asked(A, &ask(7), START + 100), Asked::Known);
    assert_eq!(lending.asked(B, &ask(7), START + 100), Asked::New, "numbers are a node's own");
    let grant = Grant { claim: ClaimId(7), waited_ms: 400 };
    assert_eq!(lending.lend(A, ClaimId(7), ip(1), START + 400), Some(grant));
    assert_eq!(lending.lend(A, ClaimId(7), ip(1), START + 400), None);
    assert_eq!(lending.asked(A, &ask(7), START + 500), Asked::Granted(grant), "with the wait of the first");
    assert_eq!(lending.released(A, ClaimId(7)), Some(ip(1)));
    assert_eq!(lending.released(A, ClaimId(7)), None);
    assert_eq!(lending.next_due(), None);
}

#[test]
fn a_claim_that_was_taken_back_is_not_granted() {
    let mut lending = lending();
    lending.asked(A, &ask(1), START);
    assert_eq!(lending.released(A, ClaimId(1)), None, "nothing was lent");
    assert_eq!(lending.lend(A, ClaimId(1), ip(1), START), None);
}

#[test]
fn a_lease_is_told_of_again_until_it_ends() {
    let mut lending = lending();
    assert_eq!(lending.lease_ms(), BEGIN_WITHIN_MS + CONTACT_MS + LEASE_MARGIN_MS);
    lending.asked(A, &ask(1), START);
    let grant = lending.lend(A, ClaimId(1), ip(1), START).unwrap();
    let until = START + lending.lease_ms();
    assert_eq!(lending.lent().map(|lent| lent.until).collect::<Vec<_>>(), [until]);
    let mut repeats = 0;
    let end = loop {
        let now = lending.next_due().unwrap();
        assert_eq!(lending.due(now - 1), None);
        match lending.due(now).unwrap() {
            Due::Repeat { to, grant: again } => assert_eq!((to, again), (A, grant)),
            expired @ Due::Expired { .. } => break (now, expired),
        }
        repeats += 1;
    };
    assert_eq!(end, (until, Due::Expired { address: ip(1), at: until }));
    assert_eq!(repeats, (lending.lease_ms() - 1) / GRANT_AGAIN_MS);
    assert_eq!((lending.next_due(), lending.released(A, ClaimId(1))), (None, None));
}

#[test]
fn a_node_that_was_started_anew_gives_back_all_it_had() {
    let mut lending = lending();
    for claim in 1..4 {
        lending.asked(A, &ask(claim), START);
        lending.asked(B, &ask(claim), START);
    }
    lending.lend(A, ClaimId(1), ip(1), START);
    lending.lend(A, ClaimId(3), ip(3), START);
    lending.lend(B, ClaimId(2), ip(2), START);
    assert_eq!(lending.forget(A), [ip(1), ip(3)]);
    assert_eq!(lending.lend(A, ClaimId(2), ip(4), START), None, "its claims are void");
    assert_eq!(lending.lent().map(|lent| lent.address).collect::<Vec<_>>(), [ip(2)]);
    assert!(lending.lend(B, ClaimId(1), ip(1), START).is_some());
}

#[test]
fn a_node_claims_no_more_than_its_share() {
    let mut lending = lending();
    for claim in 0..CLAIMS_PER_NODE as u64 {
        assert_eq!(lending.asked(A, &ask(claim), START), Asked::New);
    }
    assert_eq!(lending.asked(A, &ask(u64::MAX), START), Asked::Known);
    assert_eq!(lending.asked(B, &ask(0), START), Asked::New);
    lending.released(A, ClaimId(0));
    assert_eq!(lending.asked(A, &ask(u64::MAX), START), Asked::New);
}

#[test]
fn of_two_runs_the_later_is_believed() {
    let mut runs = Runs::default();
    assert_eq!(runs.heard(A, 3, START), Heard::Again);
    assert_eq!(runs.heard(A, 3, START), Heard::Again);
    assert_eq!(runs.heard(A, 5, START + 10), Heard::Anew);
    assert_eq!(runs.heard(A, 3, START + 999), Heard::Stale);
    assert_eq!(runs.heard(B, 1, START), Heard::Again);
    assert!(runs.is_alive(A, START + 110, 100));
    assert!(!runs.is_alive(A, START + 111, 100), "what is stale is no sign of life");
    assert!(!runs.is_alive(NodeId(9), START, 100));
}
