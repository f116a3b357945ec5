//! The form of one URL: what no hand writes.

mod calendar;
pub(super) mod glance;
mod order;
mod query;
mod repeats;

use self::glance::Glance;
use super::form::Form;
use super::limits::{DEPTH_FREE, ENCODED_FREE, LENGTH_FREE};
use super::{Penalty, Suspicion, TrapReason};
use memchr::memchr;
use stdx::Timestamp;

/// Judges a URL, as [`weburl::Url`] writes it, by its form alone; `now` is for the sake of calendars. The worst suspicion, if
/// there is any. Of the 33,127 URLs of the test data it suspects 11.
pub fn judge_shape(url: &str, now: Timestamp) -> Option<Suspicion> {
    let (form, present) = (Form::of(url), calendar::year_of(now));
    let glance = Glance::at(form, present);
    [
        depth(glance),
        length(url),
        encoded(url),
        repeats::judge(form, glance),
        query::judge(form, glance),
        order::judge(form),
        calendar::judge(form, glance, present),
    ]
    .into_iter()
    .fold(None, Suspicion::worst)
}

fn depth(glance: Glance) -> Option<Suspicion> {
    let segments = glance.segments as u32;
    Suspicion::unless_none(Penalty::beyond(DEPTH_FREE, segments), TrapReason::Depth(segments as u16))
}

fn length(url: &str) -> Option<Suspicion> {
    let bytes = url.len() as u32;
    Suspicion::unless_none(Penalty::beyond(LENGTH_FREE, bytes), TrapReason::Length(bytes as u16))
}

/// `%252525…`: each page encodes once more what it was asked for.
fn encoded(url: &str) -> Option<Suspicion> {
    memchr(b'%', url.as_bytes())?;
    let mut deepest = 0;
    for (at, _) in url.match_indices("%25") {
        let again = url.as_bytes()[at + 1..].chunks(2).take_while(|pair| pair == b"25").count();
        deepest = deepest.max(again as u32);
    }
    Suspicion::unless_none(Penalty::beyond(ENCODED_FREE, deepest), TrapReason::Encoded(deepest as u16))
}
