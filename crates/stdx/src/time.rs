use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};

/// A moment on the crawl's own timeline, in milliseconds. Whoever drives a machine supplies it and
/// guarantees that it never goes backwards, across restarts too. Its zero is the Unix epoch wherever
/// a real clock is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The earliest moment.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const NEVER: Self = Self(u64::MAX);

    /// The moment `ms` milliseconds after zero.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms)
    }

    /// Milliseconds since zero.
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// Milliseconds from `earlier` to here; 0 if `earlier` is later.
    pub const fn since_ms(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for Timestamp {
    type Output = Self;
    fn add(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

impl Sub<u64> for Timestamp {
    type Output = Self;
    fn sub(self, ms: u64) -> Self {
        Self(self.0.saturating_sub(ms))
    }
}

/// A moment in UTC, in milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct WallTime(u64);

impl WallTime {
    /// The moment `ms` milliseconds after 1970-01-01T00:00:00Z.
    pub const fn from_unix_ms(ms: u64) -> Self {
        Self(ms)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn unix_ms(self) -> u64 {
        self.0
    }

    /// `2026-11-20T10:28:04Z`, as in `WARC-Date`.
    pub fn iso_seconds(self) -> String {
        written(|text| self.write_iso_seconds(text))
    }

    /// Appends the same.
    pub fn write_iso_seconds(self, text: &mut String) {
        self.civil().write(text, ["-", "-", "T", ":", ":", "Z"]);
    }

    /// `2026-11-20T10:28:04.250Z`.
    pub fn iso_millis(self) -> String {
        written(|text| self.write_iso_millis(text))
    }

    /// Appends the same.
    pub fn write_iso_millis(self, text: &mut String) {
        self.civil().write(text, ["-", "-", "T", ":", ":", "."]);
        push_digits(text, self.0 % 1000, 3);
        text.push('Z');
    }

    /// `20261120102804`, as in CDXJ and WARC file names.
    pub fn digits14(self) -> String {
        written(|text| self.civil().write(text, [""; 6]))
    }

    /// Reads `YYYY-MM-DDThh:mm:ss[.fff…]Z`, the W3C profile that WARC uses.
    pub fn parse_iso(text: &str) -> Option<Self> {
        let body = text.strip_suffix('Z')?;
        let (date, time) = body.split_once('T')?;
        let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
        let mut date = date.splitn(3, '-').map(digits);
        let (year, month, day) = (date.next()??, date.next()??, date.next()??);
        let mut time = whole.splitn(3, ':').map(digits);
        let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
        let fits =
            (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 61;
        if !fits || !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let days = days_from_civil(year as i64, month, day);
        let ms = format!("{fraction:0<3}")[..3].parse::<u64>().ok()?;
        let seconds = u64::try_from(days).ok()? * 86_400 + hour * 3600 + minute * 60 + second;
        Some(Self(seconds * 1000 + ms))
    }

    fn civil(self) -> Civil {
        let seconds = self.0 / 1000;
        let (year, month, day) = civil_from_days((seconds / 86_400) as i64);
        let rest = seconds % 86_400;
        Civil { year, month, day, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60 }
    }
}

impl fmt::Display for WallTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iso_seconds())
    }
}

struct Civil {
    year: i64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
}

impl Civil {
    /// Appends its parts from the year down, with what follows each.
    fn write(&self, text: &mut String, followed_by: [&str; 6]) {
        let parts = [self.year as u64, self.month, self.day, self.hour, self.minute, self.second];
        for (nth, (part, then)) in parts.into_iter().zip(followed_by).enumerate() {
            push_digits(text, part, if nth == 0 { 4 } else { 2 });
            text.push_str(then);
        }
    }
}

/// A time as a text of its own.
fn written(write: impl FnOnce(&mut String)) -> String {
    let mut text = String::with_capacity("2026-11-20T10:28:04.250Z".len());
    write(&mut text);
    text
}

/// Of a `u64`.
const MOST_DIGITS: usize = 20;

/// Appends a number of at least so many digits. Times are written several times a capture, so it is worth the trouble.
fn push_digits(text: &mut String, mut number: u64, least: usize) {
    let (mut digits, mut first) = ([b'0'; MOST_DIGITS], MOST_DIGITS);
    while number > 0 {
        first -= 1;
        digits[first] += (number % 10) as u8;
        number /= 10;
    }
    let first = first.min(MOST_DIGITS - least);
    text.push_str(str::from_utf8(&digits[first..]).expect("digits"));
}

fn digits(text: &str) -> Option<u64> {
    if text.is_empty() || text.len() > 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Days since 1970-01-01 of a date in the proleptic Gregorian calendar.
fn days_from_civil(year: i64, month: u64, day: u64) -> i64 {
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march as i64 + 2) / 5 + day as i64 - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u64;
    let month = ((month_from_march + 2) % 12 + 1) as u64;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
