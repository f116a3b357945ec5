use super::glance::Glance;
use crate::traps::form::Form;
use crate::traps::limits::{CALENDAR_AHEAD_YEARS, CALENDAR_BACK_YEARS};
use crate::traps::{Penalty, Suspicion, TrapReason};
use stdx::Timestamp;

/// What a part of a path is called where a calendar follows.
const PLACES: [&str; 7] = ["calendar", "kalender", "calendrier", "calendario", "agenda", "events", "termine"];
/// What a parameter of a calendar is called, or ends in.
const NAMES: [&str; 6] = ["year", "date", "month", "day", "week", "cal"];

/// A page of a calendar for a year that nobody plans or remembers: one queue, and one more with each doubling of the
/// distance.
pub(super) fn judge(form: Form<'_>, glance: Glance, present: u16) -> Option<Suspicion> {
    if !glance.names_far_year {
        return None;
    }
    let years = in_path(form).into_iter().chain(in_query(form));
    let far = years.map(|year| (beyond(year, present), year)).max()?;
    Suspicion::unless_none(far.0, TrapReason::Calendar(far.1))
}

pub(super) fn beyond(year: u16, present: u16) -> Penalty {
    let ahead = Penalty::beyond(CALENDAR_AHEAD_YEARS, u32::from(year.saturating_sub(present)));
    let back = Penalty::beyond(CALENDAR_BACK_YEARS, u32::from(present.saturating_sub(year)));
    ahead.max(back)
}

/// `/events/2031/02`, `/calendar/month/2031-02`.
fn in_path(form: Form<'_>) -> Option<u16> {
    let is_place = |segment: &&str| PLACES.iter().any(|place| contains(segment, place));
    form.segments()
        .skip_while(|segment| !is_place(segment))
        .skip(1)
        .find_map(|segment| leading_year(segment.as_bytes()))
}

/// `?year=2031`, `?tribe-bar-date=2031-02-01`.
fn in_query(form: Form<'_>) -> impl Iterator<Item = u16> {
    let pairs = form.parameters().filter_map(|parameter| parameter.split_once('='));
    pairs.filter(|(name, _)| is_date(name)).filter_map(|(_, value)| leading_year(value.as_bytes()))
}

fn is_date(name: &str) -> bool {
    let tail = |end: &str| name.len().checked_sub(end.len()).and_then(|at| name.get(at..));
    NAMES.iter().any(|end| tail(end).is_some_and(|tail| tail.eq_ignore_ascii_case(end)))
}

/// Four digits in front of no other.
pub(super) fn leading_year(text: &[u8]) -> Option<u16> {
    let (digits, rest) = text.split_first_chunk::<4>()?;
    if !digits.iter().all(u8::is_ascii_digit) || rest.first().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let year = digits.iter().fold(0, |year, digit| 10 * year + u16::from(digit - b'0'));
    (year > 0).then_some(year)
}

fn contains(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

/// The year of a moment, to the day in most years: enough for what lies years away.
pub(super) fn year_of(now: Timestamp) -> u16 {
    const YEAR_MS: u64 = 31_556_952_000;
    (1970 + now.as_ms() / YEAR_MS).min(u64::from(u16::MAX)) as u16
}
