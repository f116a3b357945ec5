//! Dates as people write them.

use crate::vocabulary::MONTHS;

/// The first date in a text, as `YYYY-MM-DD`.
pub(super) fn find(text: &str) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(WORDS).collect();
    words
        .windows(3)
        .find_map(|three| in_digits(three).or_else(|| with_month(three)))
        .or_else(|| words.first().and_then(|word| compact(word)))
}

/// Words of a text among which a date is looked for.
const WORDS: usize = 32;

/// `2020-05-17T…`, `17.05.2020`; `5/17/2020` where it cannot be the other way round.
fn in_digits(words: &[&str]) -> Option<String> {
    let [first, second, third] = words else { return None };
    let day_of_month = |word: &str| number(&word[..word.bytes().take_while(u8::is_ascii_digit).count()]);
    if first.len() == 4 {
        return ymd(number(first)?, number(second)?, day_of_month(third)?);
    }
    let year = number(third).filter(|_| third.len() == 4)?;
    let (a, b) = (number(first)?, number(second)?);
    if b <= 12 { ymd(year, b, a) } else { ymd(year, a, b) }
}

/// `17. Mai 2020`, `May 17, 2020`.
fn with_month(words: &[&str]) -> Option<String> {
    let [first, second, third] = words else { return None };
    let year = number(third).filter(|_| third.len() == 4)?;
    let day = |word: &str| number(word.trim_end_matches(|c: char| c.is_ascii_alphabetic()));
    match (month(first), month(second)) {
        (_, Some(month)) => ymd(year, month, day(first)?),
        (Some(month), None) => ymd(year, month, day(second)?),
        (None, None) => None,
    }
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
