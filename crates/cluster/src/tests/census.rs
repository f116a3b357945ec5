use crate::limits::{CENSUS_AGAIN_MS, CENSUS_EVERY_MS, OVER_TRIES};
use crate::{Census, Message, NodeId, Placement, Rest, Standing};
use stdx::Timestamp;

const START: Timestamp = Timestamp::from_ms(1_000_000);
const BUSY: Standing = Standing { rest: None, entries: 9 };
const DONE: Standing = Standing { rest: Some(Rest::Done), entries: 9 };
const WAITING: Standing = Standing { rest: Some(Rest::Waiting), entries: 9 };

fn census(me: u16) -> Census {
    let nodes = [NodeId(1), NodeId(2), NodeId(3)];
    Census::new(&Placement::new(NodeId(me), &nodes).unwrap(), 4)
}

/// Whom the leader asks, and in which round; nobody when it says something else.
fn asked(census: &mut Census, now: Timestamp, own: Standing) -> (Vec<u16>, u64) {
    let mut asked = (Vec::new(), 0);
    for letter in census.letters(now, own) {
        let Message::Census { round } = letter.message else { continue };
        asked.0.push(letter.to.0);
        asked.1 = round;
    }
    asked
}

fn told(census: &mut Census, now: Timestamp) -> Vec<u16> {
    let is_over = |message: &Message| matches!(message, Message::Over(_));
    census.letters(now, DONE).iter().filter(|l| is_over(&l.message)).map(|l| l.to.0).collect()
}

/// A round at `now` in which the others answer so.
fn round(census: &mut Census, now: Timestamp, own: Standing, others: Standing) {
    let (to, round) = asked(census, now, own);
    assert_eq!(to, [2, 3]);
    census.stands(NodeId(2), round, others);
    census.stands(NodeId(3), round, others);
}

#[test]
fn two_rounds_that_find_the_same_end_the_crawl() {
    let mut census = census(1);
    round(&mut census, START, DONE, DONE);
    round(&mut census, START, DONE, DONE);
    assert_eq!(told(&mut census, START), [2, 3]);
    assert_eq!(census.ended(), None);
    census.left(NodeId(3));
    assert_eq!(told(&mut census, START + CENSUS_AGAIN_MS), [2]);
    census.left(NodeId(2));
    assert_eq!(census.ended(), Some(Rest::Done));
}

#[test]
fn one_who_waits_makes_all_wait() {
    let mut census = census(1);
    round(&mut census, START, DONE, WAITING);
    round(&mut census, START, DONE, WAITING);
    let over = census.letters(START, DONE);
    assert_eq!(over[0].message, Message::Over(Rest::Waiting));
}

#[test]
fn whatever_happened_between_two_rounds_makes_a_third() {
    let mut census = census(1);
    round(&mut census, START, DONE, DONE);
    let later = Standing { entries: 10, ..DONE };
    round(&mut census, START, DONE, later);
    assert_eq!(told(&mut census, START), [], "somebody did something, and rests again");
    let (_, number) = asked(&mut census, START + CENSUS_AGAIN_MS, DONE);
    census.stands(NodeId(2), number, later);
    census.stands(NodeId(3), number, later);
    assert_eq!(told(&mut census, START + CENSUS_AGAIN_MS), [2, 3]);
}

#[test]
fn while_somebody_is_busy_rounds_are_rare() {
    let mut census = census(1);
    round(&mut census, START, DONE, DONE);
    round(&mut census, START, BUSY, DONE);
    assert_eq!(asked(&mut census, START, BUSY).0, []);
    assert_eq!(census.next_due(), Some(START + CENSUS_EVERY_MS));
    let now = START + CENSUS_EVERY_MS;
    round(&mut census, now, DONE, DONE);
    round(&mut census, now, DONE, DONE);
    assert_eq!(told(&mut census, now), [2, 3]);
}

#[test]
fn the_silent_are_asked_again_and_what_is_late_does_not_count() {
    let mut census = census(1);
    let (_, first) = asked(&mut census, START, DONE);
    census.stands(NodeId(2), first, DONE);
    assert_eq!(asked(&mut census, START + CENSUS_AGAIN_MS - 1, DONE).0, []);
    assert_eq!(asked(&mut census, START + CENSUS_AGAIN_MS, DONE), (vec![3], first));
    census.stands(NodeId(3), first, DONE);
    let (_, second) = asked(&mut census, START + CENSUS_AGAIN_MS, DONE);
    assert!(second > first);
    census.stands(NodeId(2), first, DONE);
    census.stands(NodeId(3), second, DONE);
    census.stands(NodeId(9), second, DONE);
    assert_eq!(told(&mut census, START + 2 * CENSUS_AGAIN_MS), [], "node 2 has not answered this round");
}

#[test]
fn who_never_leaves_is_not_waited_for_for_ever() {
    let mut census = census(1);
    round(&mut census, START, DONE, DONE);
    round(&mut census, START, DONE, DONE);
    let tries = (0..).take_while(|n| {
        census.letters(START + n * CENSUS_AGAIN_MS, DONE);
        census.ended().is_none()
    });
    assert_eq!(tries.count(), OVER_TRIES as usize);
}

#[test]
fn the_least_asks_and_nobody_else() {
    let mut census = census(3);
    assert_eq!(census.leader(), NodeId(1));
    assert_eq!((census.letters(START, DONE), census.next_due()), (vec![], None));
}
