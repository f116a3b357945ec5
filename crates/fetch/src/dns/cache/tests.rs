use super::{Answer, Known, NameCache};
use crate::failure::failure;
use crate::limits::{STALE_MS, STALE_TTL_MS};
use crawler::{Address, FailureKind, Reach, ResolveOutcome};
use std::net::IpAddr;
use std::sync::Arc;
use stdx::Timestamp;

fn answer(last: u8, until_ms: u64) -> Answer {
    let address = Address { ip: IpAddr::from([192, 0, 2, last]), reach: Reach::Public };
    Answer::new(Ok(vec![address]), Timestamp::from_ms(until_ms))
}

fn is_known(cache: &mut NameCache, name: &str, now_ms: u64) -> bool {
    matches!(cache.look_up(name, Timestamp::from_ms(now_ms)), Known::Answer(_))
}

#[test]
fn an_answer_holds_until_its_time_is_over() {
    let mut cache = NameCache::new(10);
    assert!(!is_known(&mut cache, "a.test", 0));
    cache.keep("a.test", answer(1, 100), Timestamp::ZERO);
    assert!(is_known(&mut cache, "a.test", 99));
    assert!(!is_known(&mut cache, "a.test", 100));
}

#[test]
fn a_question_is_shared_until_it_is_answered() {
    let mut cache = NameCache::new(10);
    let cells: Vec<_> = ["a.test", "a.test", "b.test"]
        .into_iter()
        .map(|name| match cache.look_up(name, Timestamp::ZERO) {
            Known::Asked(cell) => cell,
            Known::Answer(_) | Known::Stale(..) => panic!("nothing is known"),
        })
        .collect();
    assert!(Arc::ptr_eq(&cells[0], &cells[1]) && !Arc::ptr_eq(&cells[0], &cells[2]));
    cache.keep("a.test", answer(1, 100), Timestamp::ZERO);
    assert!(is_known(&mut cache, "a.test", 0));
}

#[test]
fn the_oldest_are_forgotten() {
    let mut cache = NameCache::new(3);
    for (serial, name) in ["a", "b", "c", "a", "d"].into_iter().enumerate() {
        cache.keep(name, answer(serial as u8, 100), Timestamp::ZERO);
    }
    let known: Vec<_> =
        ["a", "b", "c", "d"].into_iter().filter(|name| is_known(&mut cache, name, 0)).collect();
    assert_eq!(known, ["a", "c", "d"], "a was answered again after b");
    for round in 0..1_000 {
        cache.keep(&format!("{}.test", round % 7), answer(1, 100), Timestamp::ZERO);
        assert!(cache.answers.len() <= 3 && cache.order.len() <= 3);
    }
}

#[test]
fn what_is_left_of_its_time_is_told() {
    let left = |now| match answer(1, 100).outcome(Timestamp::from_ms(now)) {
        ResolveOutcome::Addresses { ttl_ms, .. } => ttl_ms,
        ResolveOutcome::Failed(failure) => panic!("{failure:?}"),
    };
    assert_eq!((left(0), left(40), left(200)), (100, 60, 0));
}

/// What a look finds: an answer's last octet, how long it holds, and whether the one who looked is to ask.
fn stale(cache: &mut NameCache, now_ms: u64) -> Option<(u64, bool)> {
    match cache.look_up("a.test", Timestamp::from_ms(now_ms)) {
        Known::Stale(answer, question) => Some((answer.until.as_ms() - now_ms, question.is_some())),
        Known::Answer(_) | Known::Asked(_) => None,
    }
}

#[test]
fn an_old_answer_serves_while_one_asks() {
    let mut cache = NameCache::new(10);
    cache.keep("a.test", answer(1, 100), Timestamp::ZERO);
    assert_eq!(stale(&mut cache, 100), Some((STALE_TTL_MS, true)));
    assert_eq!(stale(&mut cache, 101), Some((STALE_TTL_MS, false)), "somebody asks already");
    cache.call_off("a.test");
    assert_eq!(stale(&mut cache, 102), Some((STALE_TTL_MS, true)));
    assert_eq!(stale(&mut cache, 100 + STALE_MS), None, "it is too old");
    cache.keep("a.test", answer(2, 900), Timestamp::from_ms(500));
    assert!(is_known(&mut cache, "a.test", 800));
}

#[test]
fn silence_leaves_what_is_known_and_a_word_does_not() {
    let mut cache = NameCache::new(10);
    let failed = |kind, until_ms| Answer::new(Err(failure(kind, "")), Timestamp::from_ms(until_ms));
    cache.keep("a.test", answer(1, 100), Timestamp::ZERO);
    let now = Timestamp::from_ms(200);
    cache.keep("a.test", failed(FailureKind::NameServer, 500), now);
    let Known::Answer(kept) = cache.look_up("a.test", now) else { panic!("it stands a little longer") };
    assert!(kept.is_found() && kept.until == now + STALE_TTL_MS);
    cache.keep("a.test", failed(FailureKind::NameNotFound, 500), now);
    let Known::Answer(kept) = cache.look_up("a.test", now) else { panic!("a word is an answer") };
    assert!(!kept.is_found());
    assert!(matches!(cache.look_up("a.test", Timestamp::from_ms(500)), Known::Asked(_)), "no stale refusals");
}

/// Who asked anew goes on with what he had where nobody answers him; it is kept no shorter for that.
#[test]
fn silence_is_answered_with_what_is_known() {
    let mut cache = NameCache::new(10);
    let silence = || Answer::new(Err(failure(FailureKind::NameServer, "")), Timestamp::from_ms(500));
    assert!(!cache.keep("b.test", silence(), Timestamp::ZERO).is_found(), "nothing is known");
    cache.keep("a.test", answer(1, 900_000), Timestamp::ZERO);
    let kept = cache.keep("a.test", silence(), Timestamp::from_ms(200));
    assert!(kept.is_found() && kept.until.as_ms() == 900_000);
    let late = Timestamp::from_ms(900_000);
    let kept = cache.keep("a.test", silence(), late);
    assert!(kept.is_found() && kept.until == late + STALE_TTL_MS);
}
