use crate::limits::{ASK_AGAIN_MS, BEGIN_WITHIN_MS, CLAIMS_PER_MESSAGE};
use crate::{Ask, Asks, Begun, ClaimId, Grant, LeaseEnd, Letter, Message, NodeId, Release};
use stdx::Timestamp;

const START: Timestamp = Timestamp::from_ms(1_000_000);
const OWNER: NodeId = NodeId(1);

fn ask() -> Ask {
    Ask { claim: ClaimId(0), address: [192, 0, 2, 1].into(), delay_ms: 250, pending: 1 }
}

/// Asks of one owner, for these.
fn asks(whats: &[&'static str]) -> Asks<&'static str> {
    let mut asks = Asks::new(0);
    for what in whats {
        asks.claim(OWNER, ask(), *what, START);
    }
    asks
}

/// What is said to the owner now: claims asked for, and releases.
fn said(asks: &mut Asks<&'static str>, now: Timestamp) -> (Vec<u64>, Vec<Release>) {
    let (mut asked, mut released) = (Vec::new(), Vec::new());
    while let Some(Letter { to, message }) = asks.next_letter(now) {
        assert_eq!(to, OWNER);
        match message {
            Message::Asks(asks) => asked.extend(asks.iter().map(|ask| ask.claim.0)),
            Message::Releases(releases) => released.extend(releases),
            other => panic!("{other:?}"),
        }
    }
    (asked, released)
}

fn grant(claim: u64, waited_ms: u64) -> Grant {
    Grant { claim: ClaimId(claim), waited_ms }
}

fn release(claim: u64, end: LeaseEnd) -> Release {
    Release { claim: ClaimId(claim), end }
}

#[test]
fn a_claim_is_repeated_until_it_is_granted() {
    let mut asks = asks(&["a", "b"]);
    assert_eq!(asks.next_due(), Some(Timestamp::ZERO));
    assert_eq!(said(&mut asks, START), (vec![0, 1], vec![]));
    assert_eq!(asks.next_due(), Some(START + ASK_AGAIN_MS));
    assert_eq!(said(&mut asks, START + ASK_AGAIN_MS - 1), (vec![], vec![]));
    assert_eq!(said(&mut asks, START + ASK_AGAIN_MS), (vec![0, 1], vec![]));
    let now = START + ASK_AGAIN_MS;
    asks.granted(OWNER, grant(0, 1_000), now);
    assert_eq!(asks.begin(now), Some(Begun { claim: ClaimId(0), what: "a" }));
    assert_eq!(said(&mut asks, now + ASK_AGAIN_MS), (vec![1], vec![]));
}

#[test]
fn a_contact_is_reported_when_it_has_ended() {
    let mut asks = asks(&["a"]);
    said(&mut asks, START);
    asks.granted(OWNER, grant(0, 0), START + 5);
    asks.granted(OWNER, grant(0, 0), START + 6);
    let begun = asks.begin(START + 10).unwrap();
    asks.granted(OWNER, grant(0, 0), START + 20);
    assert_eq!(asks.begin(START + 20), None, "granted once, however often it is said");
    assert_eq!((asks.len(), asks.waiting()), (1, 0));
    asks.end(begun.claim, LeaseEnd::Contacted { ago_ms: 4 });
    assert_eq!(said(&mut asks, START + 60), (vec![], vec![release(0, LeaseEnd::Contacted { ago_ms: 4 })]));
    assert!(asks.is_empty());
}

#[test]
fn a_grant_that_nobody_knows_of_counts_as_a_contact() {
    let mut asks = asks(&["a"]);
    said(&mut asks, START);
    asks.granted(OWNER, grant(0, 0), START);
    let begun = asks.begin(START).unwrap();
    asks.end(begun.claim, LeaseEnd::Unused);
    said(&mut asks, START);
    asks.granted(OWNER, grant(0, 0), START + 2_000);
    assert_eq!(said(&mut asks, START), (vec![], vec![release(0, LeaseEnd::Contacted { ago_ms: 0 })]));
}

#[test]
fn a_grant_is_good_for_so_long_after_it_was_given_whenever_it_comes() {
    let mut asks = asks(&["a"]);
    said(&mut asks, START);
    let given = START + 700;
    asks.granted(OWNER, grant(0, 700), given + BEGIN_WITHIN_MS - 1);
    assert!(asks.has_granted());
    assert_eq!(asks.next_due(), Some(given + BEGIN_WITHIN_MS).min(Some(START + ASK_AGAIN_MS)));
    let late = given + BEGIN_WITHIN_MS;
    assert_eq!(asks.begin(late), None);
    let (asked, released) = said(&mut asks, late);
    assert_eq!(asked, [1], "under a new number");
    assert_eq!(released, [release(0, LeaseEnd::Unused)]);
    asks.granted(OWNER, grant(1, 0), late + BEGIN_WITHIN_MS);
    assert!(!asks.has_granted(), "late on arrival");
}

#[test]
fn a_grant_to_an_earlier_run_means_none_of_this_one() {
    let (mut before, mut after) = (Asks::new(1), Asks::new(2));
    before.claim(OWNER, ask(), "a", START);
    after.claim(OWNER, ask(), "b", START);
    let Some(Letter { message: Message::Asks(asked), .. }) = before.next_letter(START) else { panic!() };
    after.granted(OWNER, grant(asked[0].claim.0, 0), START);
    assert!(!after.has_granted());
}

#[test]
fn an_owner_that_was_started_anew_is_asked_again_under_new_numbers() {
    let mut asks = asks(&["begun", "granted", "asked"]);
    said(&mut asks, START);
    asks.granted(OWNER, grant(0, 0), START);
    asks.begin(START);
    asks.granted(OWNER, grant(1, 0), START);
    asks.owner_is_new(OWNER, START + 50);
    assert!(!asks.has_granted());
    assert_eq!(said(&mut asks, START + 50), (vec![3, 4], vec![]));
    assert_eq!((asks.len(), asks.waiting()), (3, 2), "what is under way goes on");
}

#[test]
fn a_message_has_its_limit() {
    let mut asks = Asks::new(0);
    (0..=CLAIMS_PER_MESSAGE).for_each(|_| asks.claim(OWNER, ask(), "a", START));
    let Some(Letter { message: Message::Asks(first), .. }) = asks.next_letter(START) else { panic!() };
    assert_eq!(first.len(), CLAIMS_PER_MESSAGE);
    assert_eq!(said(&mut asks, START), (vec![CLAIMS_PER_MESSAGE as u64], vec![]));
}

#[test]
fn a_clock_is_granted_by_its_owner_and_by_nobody_else() {
    let mut asks = asks(&["a"]);
    said(&mut asks, START);
    asks.granted(NodeId(2), grant(0, 0), START);
    assert_eq!((asks.begin(START), asks.waiting()), (None, 1));
    asks.granted(OWNER, grant(0, 0), START);
    assert!(asks.begin(START).is_some());
}

#[test]
fn claims_on_a_clock_are_counted_until_they_end() {
    let mut asks = asks(&["a", "b"]);
    let (clock, other) = (ask().address, [192, 0, 2, 2].into());
    assert_eq!((asks.claims_on(clock), asks.claims_on(other)), (2, 0));
    asks.granted(OWNER, grant(0, 0), START);
    asks.owner_is_new(OWNER, START);
    assert_eq!(asks.claims_on(clock), 2, "claimed anew");
    asks.granted(OWNER, grant(2, 0), START);
    let begun = asks.begin(START).unwrap();
    assert_eq!(asks.claims_on(clock), 2, "in use");
    asks.end(begun.claim, LeaseEnd::Unused);
    assert_eq!(asks.claims_on(clock), 1);
}
