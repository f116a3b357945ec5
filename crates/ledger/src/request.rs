use crate::limits::LINE_BYTES;
use serde::Deserialize;
use std::net::IpAddr;
use stdx::WallTime;
use thiserror::Error;

/// A request as a server's log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The host that was asked, without port; nothing where the log does not say.
    pub host: Option<String>,
    /// The server's own address, where the log says it.
    pub address: Option<IpAddr>,
    /// Path and query.
    pub target: String,
    /// The status sent.
    pub status: u16,
    /// When the request had come, where the log says it.
    pub started: Option<Span>,
    /// When the last byte was sent.
    pub ended: Span,
    /// Who asked, where the log says it.
    pub agent: Option<String>,
}

/// A moment on the server's clock, as far as the log tells it: from here to before there, in microseconds. A log with whole
/// seconds says of each moment that it lies within a second, and no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Not before this.
    pub from_us: i64,
    /// Before this.
    pub to_us: i64,
}

/// A line that says nothing about a GET.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this is no line of a log in combined format, nor one of simweb's")]
pub struct Unreadable;

const SECOND_US: i64 = 1_000_000;

impl Span {
    /// A moment that is known to the microsecond.
    pub fn exactly(us: u64) -> Self {
        Self { from_us: us as i64, to_us: us as i64 + 1 }
    }

    /// A moment within this second of 1970.
    fn second(second: u64) -> Self {
        let from_us = second as i64 * SECOND_US;
        Self { from_us, to_us: from_us + SECOND_US }
    }
}

impl Request {
    /// Reads a line: simweb's JSON, or what nginx and Apache call combined, with the name of the virtual host before it or
    /// without.
    pub fn parse(line: &str) -> Result<Self, Unreadable> {
        if line.len() > LINE_BYTES {
            return Err(Unreadable);
        }
        if line.starts_with('{') { Self::of_simweb(line) } else { Self::combined(line).ok_or(Unreadable) }
    }

    fn of_simweb(line: &str) -> Result<Self, Unreadable> {
        let Simweb { start_us, end_us, address, host, target, status } =
            serde_json::from_str(line).map_err(|_| Unreadable)?;
        Ok(Self {
            host: Some(host),
            address: Some(address),
            target,
            status,
            started: Some(Span::exactly(start_us)),
            ended: Span::exactly(end_us),
            agent: None,
        })
    }

    fn combined(line: &str) -> Option<Self> {
        let mut fields = unquoted_and_quoted(line);
        // The name of a user is his to choose, and may hold brackets.
        let (who, time) = fields.next()?.rsplit_once(" [")?;
        let (time, _) = time.split_once(']')?;
        let asked = fields.next()?;
        let mut numbers = fields.next()?.split_ascii_whitespace();
        let status = numbers.next()?.parse().ok()?;
        let _referer = fields.next();
        let _between = fields.next();
        let agent = fields.next();
        let mut asked = asked.split(' ');
        let target = asked.next().filter(|method| *method == "GET").and(asked.next())?;
        Some(Self {
            host: virtual_host(who),
            address: None,
            target: unescaped(target),
            status,
            started: None,
            ended: Span::second(seconds_of(time)?),
            agent: agent.map(str::to_owned),
        })
    }
}

#[derive(Deserialize)]
struct Simweb {
    start_us: u64,
    end_us: u64,
    address: IpAddr,
    host: String,
    target: String,
    status: u16,
}

/// What stands before and between quotation marks and what stands within them, by turns; a quotation mark in a field is escaped.
fn unquoted_and_quoted(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut escaped = false;
        let end = text.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

/// As it was asked for: nginx escapes a byte as `\x5C`, Apache what is printable as `\\`. Of a target only a backslash is ever escaped, which
/// stands as it is in a query; all else is percent-encoded.
fn unescaped(target: &str) -> String {
    target.replace(r"\\", r"\x5C").replace(r"\x5C", r"\")
}

/// `host:port` or a host before the client's address: four words instead of three.
fn virtual_host(who: &str) -> Option<String> {
    let words: Vec<&str> = who.split_ascii_whitespace().collect();
    let first = words.first().filter(|_| words.len() > 3)?;
    let port = first.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
    let host = port.map_or(*first, |(host, _)| host);
    Some(host.to_ascii_lowercase())
}

/// `22/Nov/2026:03:14:54 +0100`, as seconds since 1970.
fn seconds_of(text: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let (local, zone) = text.split_once(' ')?;
    let mut parts = local.splitn(2, ':');
    let mut date = parts.next()?.split('/');
    let (day, month, year) = (date.next()?, date.next()?, date.next()?);
    let month = MONTHS.find(month).filter(|at| at % 3 == 0 && month.len() == 3)? / 3 + 1;
    let local = WallTime::parse_iso(&format!("{year}-{month:02}-{day}T{}Z", parts.next()?))?;
    let (sign, digits) = zone.split_at_checked(1)?;
    let digits = i64::from(digits.parse::<u16>().ok()?);
    let offset = (digits / 100 * 60 + digits % 100) * 60;
    let offset = if sign == "-" { -offset } else { offset };
    u64::try_from((local.unix_ms() / 1000) as i64 - offset).ok()
}
