use crate::WallTime;

impl WallTime {
    /// Reads a date as sitemaps and Atom write it (W3C datetime: `2005`, `2005-06`, `2005-06-10`,
    /// `2005-06-10T13:34:51+01:00`) or as mail, RSS and HTTP do (RFC 822: `Fri, 10 Jun 2005 13:34:51 +0100`, two-digit years too, and
    /// `10-Jun-2005`). Without a zone it is UTC. The day of the week is not compared.
    pub fn parse_date(text: &str) -> Option<Self> {
        let text = text.trim();
        let starts_with_year = text.len() >= 4 && text.as_bytes()[..4].iter().all(u8::is_ascii_digit);
        if starts_with_year { w3c(text) } else { rfc822(text) }
    }
}

fn w3c(text: &str) -> Option<WallTime> {
    let end = text.find(['T', ' ']).unwrap_or(text.len());
    let time = text.get(end + 1..).unwrap_or_default();
    let mut parts = text[..end].splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next().unwrap_or("01"), parts.next().unwrap_or("01"));
    let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    moment(&format!("{year}-{month}-{day}"), time[..zone].trim_end(), &time[zone..])
}

fn rfc822(text: &str) -> Option<WallTime> {
    let mut rest = text.split_once(',').map_or(text, |(_, rest)| rest);
    let mut part = || {
        let is_gap = |c: char| c == '-' || c.is_ascii_whitespace();
        rest = rest.trim_start_matches(is_gap);
        let part;
        (part, rest) = rest.split_at(rest.find(is_gap).unwrap_or(rest.len()));
        part
    };
    let (day, month, year) = (part(), month_number(part())?, full_year(part())?);
    // Hyphens are signs of zones here.
    let mut words = rest.split_ascii_whitespace();
    let (time, zone) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    moment(&format!("{year}-{month}-{day}"), time, zone)
}

fn moment(date: &str, time: &str, zone: &str) -> Option<WallTime> {
    let seconds = match time.split(':').count() {
        _ if time.is_empty() => "00:00:00",
        2 => ":00",
        _ => "",
    };
    let local_ms = i64::try_from(WallTime::parse_iso(&format!("{date}T{time}{seconds}Z"))?.unix_ms()).ok()?;
    u64::try_from(local_ms - offset_minutes(zone)? * 60_000).ok().map(WallTime::from_unix_ms)
}

/// Minutes east of Greenwich.
fn offset_minutes(zone: &str) -> Option<i64> {
    let east = match zone.as_bytes().first() {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return named_zone(zone),
    };
    let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
    let number: i64 = digits.parse().ok().filter(|_| digits.len() == 4)?;
    Some(east * (number / 100 * 60 + number % 100))
}

fn named_zone(zone: &str) -> Option<i64> {
    let hours = match zone.to_ascii_uppercase().as_str() {
        "" | "Z" | "GMT" | "UT" | "UTC" => 0,
        "EDT" => -4,
        "EST" | "CDT" => -5,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        _ => return None,
    };
    Some(hours * 60)
}

fn month_number(name: &str) -> Option<usize> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let name = name.get(..3)?.to_ascii_lowercase();
    MONTHS.iter().position(|month| *month == name).map(|index| index + 1)
}

/// RFC 2822 §4.3: two digits below 50 are this century's.
fn full_year(year: &str) -> Option<u32> {
    let number: u32 = year.parse().ok()?;
    Some(match year.len() {
        2 if number < 50 => number + 2000,
        2 => number + 1900,
        _ => number,
    })
}
