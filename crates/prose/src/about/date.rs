//! Dates as people write them.

use crate::vocabulary::{FILLERS, MONTHS};

/// Words of a text among which a date is looked for.
const WORDS: usize = 32;

/// Which of two numbers is the day, where either may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    DayFirst,
    /// Nobody can tell.
    Unknown,
}

impl Order {
    /// Of a language as it is claimed: Americans write the month first, and much that they write is said to be English and no more.
    pub(super) fn of(language: Option<&str>) -> Self {
        let unknown = ["en", "en-US"];
        let is_unknown =
            language.is_some_and(|tag| unknown.iter().any(|known| tag.eq_ignore_ascii_case(known)));
        if is_unknown { Self::Unknown } else { Self::DayFirst }
    }
}

/// The first date in a text, as `YYYY-MM-DD`; nothing where it may be either of two.
pub(super) fn find(text: &str, order: Order) -> Option<String> {
    let text = &in_ascii_digits(text);
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(WORDS).collect();
    let date = |words: &[&str]| in_digits(words).or_else(|| with_month(words));
    let found = (0..words.len()).map(|at| &words[at..]).find(|words| date(words).is_some());
    with_units(text).or_else(|| match found {
        Some(words) if order == Order::Unknown && is_ambiguous(words) => None,
        Some(words) => date(words),
        None => words.first().and_then(|word| compact(word)),
    })
}

/// Arabic, Persian and Devanagari digits as ASCII has them.
fn in_ascii_digits(text: &str) -> String {
    let zeros = ['٠', '۰', '०'].map(u32::from);
    let digit =
        |c: char| zeros.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|digit| *digit < 10));
    text.chars().map(|c| digit(c).and_then(|digit| char::from_digit(digit, 10)).unwrap_or(c)).collect()
}

/// `2020-05-17T…`, `17.05.2020`; `5/17/2020` where it cannot be the other way round.
fn in_digits(words: &[&str]) -> Option<String> {
    let [first, second, third, ..] = words else { return None };
    let day_of_month = |word: &str| number(&word[..word.bytes().take_while(u8::is_ascii_digit).count()]);
    if first.len() == 4 {
        return ymd(number(first)?, number(second)?, day_of_month(third)?);
    }
    let year = number(third).filter(|_| third.len() == 4)?;
    let (a, b) = (number(first)?, number(second)?);
    if b <= 12 { ymd(year, b, a) } else { ymd(year, a, b) }
}

/// Whether a date that begins so could be the other way round as well.
fn is_ambiguous(words: &[&str]) -> bool {
    let [Some(a), Some(b)] = [0, 1].map(|at| words.get(at).and_then(|word| number(word))) else {
        return false;
    };
    a <= 12 && b <= 12 && a != b
}

/// `17. Mai 2020`, `May 17, 2020`.
fn with_month(words: &[&str]) -> Option<String> {
    let mut words =
        words.iter().filter(|word| !FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler)));
    let (first, second, third) = (words.next()?, words.next()?, words.next()?);
    let year = number(third).filter(|_| third.len() == 4)?;
    let day = |word: &str| number(word.trim_end_matches(|c: char| c.is_ascii_alphabetic()));
    match (month(first), month(second)) {
        (_, Some(month)) => ymd(year, month, day(first)?),
        (Some(month), None) => ymd(year, month, day(second)?),
        (None, None) => None,
    }
}

/// `2020年5月17日`, `2020년 5월 17일`.
fn with_units(text: &str) -> Option<String> {
    let mut years = text.match_indices(['年', '년']).take(WORDS);
    years.find_map(|(at, unit)| {
        let before = text[..at].trim_end();
        let year = &before[before.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        let (month, rest) = text[at + unit.len()..].split_once(['月', '월'])?;
        let (day, _) = rest.split_once(['日', '일'])?;
        ymd(number(year)?, number(month.trim())?, number(day.trim())?)
    })
}

/// `20200517`.
fn compact(word: &str) -> Option<String> {
    ymd(number(word.get(..4)?)?, number(word.get(4..6)?)?, number(word.get(6..8)?)?)
}

fn number(word: &str) -> Option<u32> {
    let is_number = !word.is_empty() && word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
    if is_number { word.parse().ok() } else { None }
}

fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let names = |names: &[&str]| names.iter().any(|name| word.starts_with(name));
    let found = MONTHS.iter().position(|of_month| word.chars().count() >= 3 && names(of_month))?;
    Some(found as u32 + 1)
}

fn ymd(year: u32, month: u32, day: u32) -> Option<String> {
    // Of these years each fourth is a leap year.
    let days = match month {
        2 => 28 + u32::from(year.is_multiple_of(4)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let is_date = (1990..2100).contains(&year) && (1..=12).contains(&month) && (1..=days).contains(&day);
    is_date.then(|| format!("{year:04}-{month:02}-{day:02}"))
}
