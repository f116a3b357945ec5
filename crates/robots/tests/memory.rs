//! What hostile files take of memory: a constant times their bytes, and as much as is said. One test alone, since the meter counts
//! all threads.

use meter::Meter;
use robots::RobotsTxt;
use robots::limits::{ROBOTS_BYTES, USAGE_RULES};

#[global_allocator]
static METER: Meter = Meter::new();

const START: &str = "User-agent: drumlin\nUser-agent: *\n";
/// Bytes for each of the file's, kept and while it is read; and what is fixed.
const KEPT: usize = 12;
const READING: usize = 32;
const FIXED: usize = 1 << 10;

#[test]
fn memory_is_linear_in_the_file_and_counted() {
    let plain: Vec<char> = ('a'..='z').chain('0'..='9').collect();
    let encoded: Vec<char> = "\"\\^`{|}é".chars().collect();
    let line = |start: &'static str, digits: &[char], end: &'static str| {
        file((0..).map(|n| format!("{start}{}{end}\n", number(n, digits)).into_bytes()))
    };
    let long = |start: &str, unit: &[u8], end: &str| {
        let whole = start.len() + end.len() + START.len();
        file([[start.as_bytes(), &unit.repeat((ROBOTS_BYTES - whole) / unit.len()), end.as_bytes()].concat()])
    };
    check("one rule, over and over", &line("allow /", &[], ""));
    check("short rules", &line("allow:", &plain, ""));
    check("wildcards", &line("allow:*", &plain, "*a"));
    check("rules that are encoded", &line("allow:", &encoded, ""));
    check("index pages", &line("allow:", &encoded, "/index.htm"));
    check("sitemaps", &line("sitemap:", &plain, ""));
    check("usages", &line("content-usage:/", &encoded, " bots=n"));
    let usages = (0..USAGE_RULES).map(|n| format!("content-usage:/{n:080} bots=n\n").into_bytes());
    check("usages that are kept", &file(usages));
    check("stars", &long("disallow:/", b"*", ""));
    check("parts", &long("disallow:/", b"*a", "$"));
    check("a long part", &long("disallow:*", b"a", ""));
    check("a part that is encoded", &long("disallow:", b"\"", ""));
    check("octets that are no text", &long("disallow:\"", b"\xff", ""));
    check("an index page of them", &long("allow:\"", b"\xff", "/index.htm"));
    check("UTF-16", &utf16(&long("allow:", "\u{4e00}".as_bytes(), "/index.htm")));
    check("one usage", &file([b"content-usage:bots=n".to_vec()]));
    check("nothing", b"");
}

#[track_caller]
fn check(name: &str, file: &[u8]) {
    let before = METER.begin();
    let read = RobotsTxt::parse(file, "drumlin");
    let (held, peak) = (METER.allocated() - before, METER.peak_since(before));
    let counted = read.rules.bytes() + read.usage.bytes();
    println!("{name}: {} bytes, {held} held, {counted} counted, {peak} at most", file.len());
    assert!(counted.abs_diff(held) <= FIXED, "{name}: {held} held, {counted} counted");
    assert!(counted <= KEPT * file.len() + FIXED, "{name}: {counted} of {}", file.len());
    assert!(peak <= READING * file.len() + FIXED, "{name}: {peak} at most of {}", file.len());
}

/// As many lines as are read.
fn file(lines: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut file = START.as_bytes().to_vec();
    for line in lines {
        if file.len() + line.len() > ROBOTS_BYTES {
            break;
        }
        file.extend_from_slice(&line);
    }
    file
}

/// A number in these digits.
fn number(mut n: usize, digits: &[char]) -> String {
    let mut out = String::new();
    while n > 0 && !digits.is_empty() {
        out.push(digits[n % digits.len()]);
        n /= digits.len();
    }
    out
}

fn utf16(text: &[u8]) -> Vec<u8> {
    let units = String::from_utf8_lossy(text).into_owned();
    std::iter::once(0xFEFF).chain(units.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}
