//! The two ends of a stream by hand.

use crate::limits::{RESEND_MAX_MS, RESEND_MS, WINDOW_BATCHES, WINDOW_BYTES};
use crate::{Batch, Exchange, Letter, Message, NodeId, Offer, Placement, Recalled};
use stdx::Timestamp;

const START: Timestamp = Timestamp::from_ms(1_000_000);
const PEER: NodeId = NodeId(1);

fn exchange() -> Exchange {
    Exchange::new(&Placement::new(NodeId(0), &[NodeId(0), PEER]).unwrap())
}

fn batch(number: u64) -> Batch {
    Batch { number, shard: 3, body: number.to_le_bytes().to_vec() }
}

/// Batches `0..count`, each in the entry of its number, durable.
fn with(count: u64) -> Exchange {
    let mut exchange = exchange();
    (0..count).for_each(|number| exchange.sent(PEER, number, batch(number)));
    exchange.durable(count);
    exchange
}

/// The numbers of the batches that leave now.
fn leaving(exchange: &mut Exchange, now: Timestamp) -> Vec<u64> {
    let next = std::iter::from_fn(|| exchange.next_letter(now));
    let numbers = next.map(|Letter { to, message }| match message {
        Message::Batch(batch) if to == PEER => batch.number,
        other => panic!("{other:?}"),
    });
    let numbers = numbers.collect();
    exchange.check_invariants();
    numbers
}

#[test]
fn nothing_leaves_before_it_is_durable() {
    let mut exchange = exchange();
    (0..3).for_each(|number| exchange.sent(PEER, 10 + number, batch(number)));
    assert_eq!((leaving(&mut exchange, START), exchange.next_due()), (vec![], None));
    exchange.durable(11);
    assert_eq!(exchange.next_due(), Some(Timestamp::ZERO));
    assert_eq!(leaving(&mut exchange, START), [0, 1]);
    exchange.durable(12);
    assert_eq!(leaving(&mut exchange, START), [2]);
}

#[test]
fn what_is_not_acknowledged_leaves_again_and_ever_more_rarely() {
    let mut exchange = with(3);
    assert_eq!(leaving(&mut exchange, START), [0, 1, 2]);
    exchange.acknowledged(PEER, &[1]);
    let (mut now, mut wait) = (START, RESEND_MS);
    for _ in 0..10 {
        assert_eq!(exchange.next_due(), Some(now + wait));
        assert_eq!(leaving(&mut exchange, now + wait - 1), []);
        now = now + wait;
        assert_eq!(leaving(&mut exchange, now), [0, 2]);
        wait = (2 * wait).min(RESEND_MAX_MS);
    }
    exchange.acknowledged(PEER, &[0]);
    assert_eq!(leaving(&mut exchange, now + 1), []);
    assert_eq!(exchange.next_due(), Some(now + 1 + RESEND_MS), "it lives: the wait is the first again");
    exchange.acknowledged(PEER, &[2]);
    assert_eq!(leaving(&mut exchange, now + 2), []);
    assert!(exchange.is_settled());
    assert_eq!(exchange.next_due(), None);
}

#[test]
fn beyond_the_window_the_journal_keeps_what_leaves_later() {
    let count = 3 * WINDOW_BATCHES as u64;
    let mut exchange = with(count);
    let first: Vec<u64> = (0..WINDOW_BATCHES as u64).collect();
    assert_eq!(leaving(&mut exchange, START), first);
    assert_eq!(exchange.next_reading(), None, "the window is full");
    exchange.acknowledged(PEER, &first);
    let entry = exchange.next_reading().unwrap();
    assert_eq!(entry, WINDOW_BATCHES as u64, "from the first that is not in memory");
    assert_eq!(exchange.next_reading(), None, "it is being read");
    let read = (entry..count).map(|entry| Recalled { entry, to: PEER, batch: batch(entry) });
    exchange.read(read, count);
    let second: Vec<u64> = (entry..2 * entry).collect();
    assert_eq!(leaving(&mut exchange, START), second);
    exchange.acknowledged(PEER, &second);
    assert_eq!(exchange.next_reading(), Some(2 * entry), "from the first that had no room");
}

#[test]
fn the_window_has_its_limit_in_bytes_and_room_for_one_batch_of_any_size() {
    let mut exchange = exchange();
    for number in 0..3 {
        exchange.sent(PEER, number, Batch { body: vec![0; WINDOW_BYTES], ..batch(number) });
    }
    exchange.durable(3);
    assert_eq!(leaving(&mut exchange, START), [0]);
}

#[test]
fn a_journal_that_was_read_in_vain_is_read_on_from_its_end() {
    let mut exchange = with(2 * WINDOW_BATCHES as u64);
    exchange.acknowledged(PEER, &(0..WINDOW_BATCHES as u64).collect::<Vec<_>>());
    assert!(exchange.next_reading().is_some());
    exchange.read([], 70);
    assert_eq!(exchange.next_reading(), Some(71));
}

#[test]
fn a_batch_is_acknowledged_when_it_is_durable_and_whenever_it_comes_again() {
    let mut exchange = exchange();
    assert_eq!(exchange.offered(PEER, 0), Offer::New);
    exchange.taken(PEER, 40, 0);
    assert_eq!(exchange.offered(PEER, 0), Offer::Known);
    assert_eq!(exchange.next_letter(START), None, "not durable");
    exchange.durable(40);
    let thanks = Letter { to: PEER, message: Message::Acknowledged(vec![0]) };
    assert_eq!(exchange.next_letter(START), Some(thanks.clone()));
    assert_eq!(exchange.next_letter(START), None);
    assert_eq!(exchange.offered(PEER, 0), Offer::Known);
    assert_eq!(exchange.next_letter(START), Some(thanks));
    assert!(exchange.is_settled());
}

#[test]
fn nobody_takes_what_is_too_far_ahead_or_from_a_stranger() {
    let mut exchange = exchange();
    assert_eq!(exchange.offered(PEER, WINDOW_BATCHES as u64 - 1), Offer::New);
    assert_eq!(exchange.offered(PEER, WINDOW_BATCHES as u64), Offer::Beyond);
    assert_eq!(exchange.offered(NodeId(9), 0), Offer::Beyond);
}

#[test]
fn only_what_was_sent_and_not_acknowledged_is_news() {
    let mut exchange = with(3);
    exchange.acknowledged(PEER, &[1]);
    assert_eq!(exchange.news(PEER, &[0, 1, 2, 3, 99]), [0, 2]);
    assert_eq!(exchange.news(NodeId(9), &[0]), []);
}
