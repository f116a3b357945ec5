//! Sort-friendly URI Reordering Transform, as CDX indexes are keyed.

use crate::limits::UNESCAPE_ROUNDS;
use crate::percent::{decode_at, encode};
use regex::bytes::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The SURT of a URL: `com,example)/path?a=1&b=2`, in the canonical form of the Internet Archive's tools (what
/// the Python package `surt` answers by default, which pywb and cdxj-indexer use): lower case throughout, `www.`,
/// default port, session ids and trailing slash gone, query sorted, escapes undone as far as they go. An empty
/// text is `-`.
pub fn surt(url: &str) -> String {
    plain(url).unwrap_or_else(|| of_any(url))
}

/// The same of a URL that is written as most are: letters, digits and little else, nothing to be resolved. It is copied.
pub(crate) fn plain(url: &str) -> Option<String> {
    let scheme = ["https", "http"].into_iter().find(|scheme| has_authority(url, scheme))?;
    let rest = &url[scheme.len() + "://".len()..];
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = hierarchy.split_at(hierarchy.find('/').unwrap_or(hierarchy.len()));
    let is_word = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/');
    let is_address = !host.rsplit('.').next()?.starts_with(|c: char| c.is_ascii_lowercase());
    let is_odd = host.starts_with('.') || ["..", "//", "/."].iter().any(|odd| hierarchy.contains(odd));
    if is_address || is_odd || !hierarchy.bytes().all(is_word) || !query.bytes().all(|b| b.is_ascii_graphic())
    {
        return None;
    }
    let mut out = String::with_capacity(url.len());
    for (nth, label) in without_www(host).unwrap_or(host).rsplit('.').enumerate() {
        out.extend([if nth == 0 { "" } else { "," }, label]);
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    out.extend([")", if path.is_empty() { "/" } else { path }]);
    let query = query.split_once('#').map_or(query, |(before, _)| before);
    if !query.is_empty() {
        let query = canonical_query(query);
        out.extend([if query.is_empty() { "" } else { "?" }, &query]);
    }
    Some(out)
}

/// The same of any text.
pub(crate) fn of_any(url: &str) -> String {
    let text = without_line_ends(url.trim());
    if text.is_empty() {
        return "-".to_owned();
    }
    let parts = Parts::of(&text);
    let mut out = match &parts.host {
        Some(host) => format!("{}{})", reversed(host), parts.port_suffix()),
        None => format!("{}:", parts.scheme),
    };
    out.push_str(&canonical_path(parts.path, parts.host.is_some()));
    if let Some(query) = parts.query.map(canonical_query).filter(|query| !query.is_empty()) {
        out.push('?');
        out.push_str(&query);
    }
    out
}

fn without_line_ends(text: &str) -> Cow<'_, str> {
    const LINE_ENDS_AND_TABS: [char; 3] = ['\n', '\r', '\t'];
    if text.contains(LINE_ENDS_AND_TABS) { text.replace(LINE_ENDS_AND_TABS, "").into() } else { text.into() }
}

/// A URL taken apart as RFC 3986, appendix B does it; the fragment is gone.
struct Parts<'a> {
    scheme: &'a str,
    host: Option<String>,
    port: Option<u32>,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let (scheme, rest) = split_scheme(text);
        let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
        let (hierarchy, query) = match rest.split_once('?') {
            Some((hierarchy, query)) => (hierarchy, Some(query).filter(|query| !query.is_empty())),
            None => (rest, None),
        };
        let (authority, path) = split_authority(scheme, hierarchy);
        let (host, port) = split_port(authority);
        let host = canonical_host(host);
        Self { scheme, host: Some(host).filter(|host| !host.is_empty()), port, path, query }
    }

    fn port_suffix(&self) -> String {
        let default = if self.scheme.eq_ignore_ascii_case("https") { 443 } else { 80 };
        match self.port {
            Some(port) if port != 0 && port != default => format!(":{port}"),
            _ => String::new(),
        }
    }
}

/// The scheme (http where none is written) and what follows its colon. Of `http://https://a/` the last counts.
fn split_scheme(text: &str) -> (&str, &str) {
    let of_web = |text: &str| ["https", "http"].into_iter().find(|scheme| has_authority(text, scheme));
    let mut found = None;
    let mut rest = text;
    while let Some(scheme) = of_web(rest) {
        found = Some((scheme, &rest[scheme.len() + 1..]));
        rest = &rest[scheme.len() + "://".len()..];
    }
    found.or_else(|| any_scheme(text)).unwrap_or(("http", text))
}

fn has_authority(text: &str, scheme: &str) -> bool {
    text.strip_prefix(scheme).is_some_and(|rest| rest.starts_with("://"))
}

fn any_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte);
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(goes_on);
    is_scheme.then_some((scheme, rest))
}

/// `//authority/path`; http with the slashes missing or too many still names a host.
fn split_authority<'a>(scheme: &str, hierarchy: &'a str) -> (&'a str, &'a str) {
    let is_web = scheme.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"));
    let rest = match hierarchy.strip_prefix("//") {
        Some(rest) if !(is_web && rest.starts_with('/')) => rest,
        _ if is_web => hierarchy.trim_start_matches('/'),
        _ => return ("", hierarchy),
    };
    rest.split_at(rest.find('/').unwrap_or(rest.len()))
}

/// Host and port of an authority, credentials dropped, brackets taken off an IPv6 address.
fn split_port(authority: &str) -> (&str, Option<u32>) {
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    if let Some((address, rest)) = place.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        return (address, rest.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    match place.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().ok()),
        None => (place, None),
    }
}

fn canonical_host(host: &str) -> String {
    let raw = unescaped(host);
    let name = match std::str::from_utf8(&raw) {
        Ok(text) if !text.is_ascii() => Cow::Owned(punycoded(text).into_bytes()),
        _ => raw,
    };
    let name = escaped(&name).to_ascii_lowercase().replace("..", ".");
    let name = name.trim_matches('.');
    if let Some(address) = numeric_address(name) {
        return address;
    }
    without_www(name).unwrap_or(name).to_owned()
}

/// What follows `www.`, `www2.` and the like.
fn without_www(name: &str) -> Option<&str> {
    let numbered = name.strip_prefix("www")?;
    numbered.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('.')
}

fn punycoded(host: &str) -> String {
    url::Host::parse(host).map_or_else(|_| host.to_owned(), |host| host.to_string())
}

/// IPv4 as people used to write it (`0x` apart): up to four decimal or octal numbers, the last filling the rest.
fn numeric_address(host: &str) -> Option<String> {
    let numbers = host.split('.').map(numeric_part).collect::<Option<Vec<u64>>>()?;
    let (last, head) = numbers.split_last()?;
    if head.is_empty() {
        return Some(dotted(*last as u32));
    }
    let room = 32 - 8 * head.len().min(4) as u32;
    if head.len() > 3 || head.iter().any(|part| *part > 255) || *last >> room != 0 {
        return None;
    }
    let high = head.iter().enumerate().map(|(at, part)| part << (24 - 8 * at)).sum::<u64>();
    Some(dotted((high | last) as u32))
}

fn numeric_part(part: &str) -> Option<u64> {
    if part.is_empty() || part.len() > 18 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_octal = part.len() > 1 && part.starts_with('0');
    u64::from_str_radix(part, if is_octal { 8 } else { 10 }).ok()
}

fn dotted(address: u32) -> String {
    std::net::Ipv4Addr::from(address).to_string()
}

fn reversed(host: &str) -> String {
    host.rsplit('.').collect::<Vec<_>>().join(",")
}

fn canonical_path(path: &str, has_host: bool) -> String {
    let raw = unescaped(path);
    let resolved = if has_host { resolved_path(&raw) } else { raw };
    let path = without_path_session(escaped(&resolved).to_ascii_lowercase());
    match path.strip_suffix('/') {
        Some(shorter) if !shorter.is_empty() => shorter.to_owned(),
        _ => path,
    }
}

/// Dot segments resolved, empty segments gone, a trailing slash kept. A `..` too many stays.
fn resolved_path(path: &[u8]) -> Cow<'_, [u8]> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|byte| *byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    let Some((last, head)) = kept.split_last() else { return Cow::Borrowed(b"/") };
    let mut out = vec![b'/'];
    for segment in head.iter().filter(|segment| !segment.is_empty()) {
        out.extend_from_slice(segment);
        out.push(b'/');
    }
    out.extend_from_slice(last);
    Cow::Owned(out)
}

/// ASP.NET keeps cookieless sessions in a path segment before the page.
fn without_path_session(path: String) -> String {
    static SEGMENTS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
        [
            pattern(r"^(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)$"),
            pattern(r"^(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)$"),
        ]
    });
    if !path.contains('(') {
        return path;
    }
    SEGMENTS.iter().fold(path, |path, segment| without_middle(segment, path))
}

fn canonical_query(query: &str) -> String {
    let query = without_query_session(escaped(&unescaped(query))).to_ascii_lowercase();
    let mut parameters: Vec<_> = query
        .split('&')
        .map(|parameter| {
            parameter.split_once('=').map_or((parameter, None), |(name, value)| (name, Some(value)))
        })
        .collect();
    parameters.sort_unstable();
    let joined = parameters.into_iter().map(|(name, value)| match value {
        Some(value) => Cow::Owned(format!("{name}={value}")),
        None => Cow::Borrowed(name),
    });
    joined.collect::<Vec<_>>().join("&")
}

/// One session id of each family is dropped, the last.
fn without_query_session(query: String) -> String {
    static IDS: LazyLock<[Regex; 5]> = LazyLock::new(|| {
        [
            pattern(r"^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$"),
            pattern(r"^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$"),
            pattern(r"^(.*)sid=[0-9a-z]{32}(?:&(.*))?$"),
            pattern(r"^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$"),
            pattern(r"^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$"),
        ]
    });
    IDS.iter().fold(query, |query, id| without_middle(id, query))
}

/// The two groups of a pattern, without what stands between them.
fn without_middle(pattern: &Regex, text: String) -> String {
    let Some(found) = pattern.captures(text.as_bytes()) else { return text };
    let end = |group| found.get(group).map_or(text.len()..text.len(), |part| part.range());
    format!("{}{}", &text[end(1)], &text[end(2)])
}

/// Percent-escapes undone, and those that appear by it, until none is left.
fn unescaped(text: &str) -> Cow<'_, [u8]> {
    let mut bytes = Cow::Borrowed(text.as_bytes());
    for _ in 0..UNESCAPE_ROUNDS {
        if !bytes.contains(&b'%') || !(0..bytes.len()).any(|at| decode_at(&bytes, at).is_some()) {
            break;
        }
        bytes = Cow::Owned(unescaped_once(&bytes));
    }
    bytes
}

fn unescaped_once(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let decoded = decode_at(bytes, at);
        out.push(decoded.unwrap_or(bytes[at]));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    out
}

/// Escapes blanks, controls, `#`, `%` and what is not ASCII.
fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'#' | b'%' => encode(*byte, &mut out),
            byte if byte.is_ascii_graphic() => out.push(*byte as char),
            byte => encode(*byte, &mut out),
        }
    }
    out
}

fn pattern(text: &str) -> Regex {
    regex::bytes::RegexBuilder::new(text)
        .case_insensitive(true)
        .unicode(false)
        .build()
        .expect("the pattern is a constant")
}
