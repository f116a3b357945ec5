use super::{names, other_than, overruled, typed};
use crate::settings::Settings;
use control::{Bound, Changes};

fn check(given: Changes, holds: Changes, expected: &[&str]) {
    let overruled = overruled(&given, &holds, 20);
    assert_eq!(names(&overruled), expected, "{given:?} {holds:?}");
    assert_eq!(overruled, overruled.same_of(&given), "what is given goes over it");
}

#[test]
fn what_is_given_and_held_otherwise() {
    let delay = |ms| Changes { delay_ms: Some(ms), ..Changes::default() };
    check(delay(1), Changes { concurrency: Some(3), ..delay(1) }, &[]);
    check(delay(1), delay(3), &["delay"]);
    check(Changes::default(), delay(3), &[]);
}

#[test]
fn pages_that_have_been_fetched_count_under_a_lower_limit() {
    let limit = |pages| Changes { limit: Some(Bound::AtMost(pages)), ..Changes::default() };
    check(limit(10), limit(20), &[]);
    check(limit(30), limit(20), &["limit"]);
    check(limit(30), Changes { limit: Some(Bound::Unlimited), ..Changes::default() }, &["limit"]);
}

#[test]
fn what_is_shown_as_set_is_what_was_set_however_many_pages_there_are() {
    let limit = |pages| Changes { limit: Some(Bound::AtMost(pages)), ..Changes::default() };
    assert_eq!(other_than(&limit(5), &limit(10)), limit(5));
    assert!(other_than(&limit(5), &limit(5)).is_empty());
}

#[test]
fn no_limit_is_as_good_a_word_as_a_limit() {
    let flags = Settings { lifted: vec!["limit", "time_limit"], ..Settings::default() };
    let none = Some(Bound::Unlimited);
    assert_eq!(typed(&flags), Changes { limit: none, time_limit_ms: none, ..Changes::default() });
}
