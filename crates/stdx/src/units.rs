use thiserror::Error;

/// What a size or a duration could not be read as.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not {wanted}")]
pub struct UnitError {
    text: String,
    wanted: &'static str,
}

const BYTES_WANTED: &str = "a size (a number, then nothing, K, M, G or T; KiB and KB are read too)";
const DURATION_WANTED: &str = "a duration (a number, then ms, s, m, h or d; no unit means seconds)";

/// Reads `1048576`, `64K`, `1.5GiB`. K, KB and KiB all mean 1,024; the largest step is T.
pub fn parse_bytes(text: &str) -> Result<u64, UnitError> {
    let fail = || UnitError { text: text.to_owned(), wanted: BYTES_WANTED };
    let (number, unit) = split_number(text).ok_or_else(fail)?;
    let shift = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(fail()),
    };
    Ok((number * (1u64 << shift) as f64) as u64)
}

/// Reads `90`, `1.5s`, `250ms`, `10m`, `24h`, `7d` as milliseconds.
pub fn parse_duration_ms(text: &str) -> Result<u64, UnitError> {
    let fail = || UnitError { text: text.to_owned(), wanted: DURATION_WANTED };
    let (number, unit) = split_number(text).ok_or_else(fail)?;
    let ms = match unit {
        "ms" => 1.0,
        "" | "s" => 1e3,
        "m" | "min" => 6e4,
        "h" => 3.6e6,
        "d" => 8.64e7,
        _ => return Err(fail()),
    };
    Ok((number * ms).round() as u64)
}

/// `1.4 GB`, in powers of 1,000, three digits at most.
pub fn format_bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KB", "MB", "GB", "TB", "PB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && value < 99.95);
    format!("{value:.digits$} {}", UNITS[unit])
}

/// `1,234,567`.
pub fn format_count(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 page`, `2 pages`, `1,234 entries`, `2 delays`, of `page`, `entry` and `delay`.
pub fn count_of(count: u64, noun: &str) -> String {
    let number = format_count(count);
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("{number} {noun}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ => format!("{number} {noun}s"),
    }
}

/// `850 ms`, `12.3 s`, `4 m 05 s`, `3 h 10 m`, `2 d 04 h`.
pub fn format_duration_ms(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0 => format!("{ms} ms"),
        1..60 => format!("{:.1} s", ms as f64 / 1e3),
        60..3600 => format!("{} m {:02} s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{} h {:02} m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} d {:02} h", seconds / 86_400, seconds / 3600 % 24),
    }
}

fn split_number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    number.is_finite().then_some((number, text[end..].trim()))
}
