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
pub(super) fn judge(form: Form<'_>, now: Timestamp) -> Option<Suspicion> {
    if !form.may_name_year() {
        return None;
    }
    let present = year_of(now);
    if !names_far_year(form, present) {
        return None;
    }
    let years = in_path(form).into_iter().chain(in_query(form));
    let far = years.map(|year| (beyond(year, present), year)).max()?;
    Suspicion::unless_none(far.0, TrapReason::Calendar(far.1))
}

/// Whether any segment or parameter names a year far off: told much more quickly than whether it is a calendar's.
fn names_far_year(form: Form<'_>, present: u16) -> bool {
    let values = form.parameters().filter_map(|parameter| Some(parameter.split_once('=')?.1));
    let years = form.segments().chain(values).filter_map(leading_year);
    years.map(|year| beyond(year, present)).any(|penalty| penalty > Penalty::NONE)
}

fn beyond(year: u16, present: u16) -> Penalty {
    let ahead = Penalty::beyond(CALENDAR_AHEAD_YEARS, u32::from(year.saturating_sub(present)));
    let back = Penalty::beyond(CALENDAR_BACK_YEARS, u32::from(present.saturating_sub(year)));
    ahead.max(back)
}

/// `/events/2031/02`, `/calendar/month/2031-02`.
fn in_path(form: Form<'_>) -> Option<u16> {
    let is_place = |segment: &&str| PLACES.iter().any(|place| contains(segment, place));
    form.segments().skip_while(|segment| !is_place(segment)).skip(1).find_map(leading_year)
}

/// `?year=2031`, `?tribe-bar-date=2031-02-01`.
fn in_query(form: Form<'_>) -> impl Iterator<Item = u16> {
    let pairs = form.parameters().filter_map(|parameter| parameter.split_once('='));
    pairs.filter(|(name, _)| is_date(name)).filter_map(|(_, value)| leading_year(value))
}

fn is_date(name: &str) -> bool {
    let tail = |end: &str| name.len().checked_sub(end.len()).and_then(|at| name.get(at..));
    NAMES.iter().any(|end| tail(end).is_some_and(|tail| tail.eq_ignore_ascii_case(end)))
}

/// Four digits in front of no other.
fn leading_year(text: &str) -> Option<u16> {
    let is_number = text.as_bytes().first_chunk::<4>()?.iter().all(u8::is_ascii_digit);
    let digits = text.get(..4).filter(|_| is_number)?;
    let ends = !text[4..].starts_with(|next: char| next.is_ascii_alphanumeric());
    ends.then(|| digits.parse().ok()).flatten().filter(|year| *year > 0)
}

fn contains(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

/// The year of a moment, to the day in most years: enough for what lies years away.
fn year_of(now: Timestamp) -> u16 {
    const YEAR_MS: u64 = 31_556_952_000;
    (1970 + now.as_ms() / YEAR_MS).min(u64::from(u16::MAX)) as u16
}
