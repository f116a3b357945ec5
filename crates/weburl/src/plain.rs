//! URLs that are written as they will be serialised, as nearly all links are: taken over as they stand, without
//! a parser. What is not certainly so is left to the parser; a test holds both against each other.

use crate::url::Url;
use std::num::NonZeroU32;

/// An absolute URL in the form that parsing would give it, up to its fragment.
pub(crate) fn parse(text: &str) -> Option<Url> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    parse_behind(scheme, &text[scheme.len()..])
}

/// What follows on a scheme with its slashes.
fn parse_behind(scheme: &str, rest: &str) -> Option<Url> {
    let host_end = plain_host_len(rest)?;
    let path_start = host_end + port_len(&rest[host_end..], scheme)?;
    let Tail { path, query } = plain_tail(&rest[path_start..])?;
    let mut url = Url {
        text: String::with_capacity(scheme.len() + path_start + path.len() + query.len() + 1),
        host_end: (scheme.len() + host_end) as u32,
        path_start: (scheme.len() + path_start) as u32,
        query_start: None,
    };
    url.text.push_str(scheme);
    url.text.push_str(&rest[..path_start]);
    url.text.push_str(if path.is_empty() { "/" } else { path });
    append_query(&mut url, query);
    Some(url)
}

/// A reference that only adds to what it is resolved against, or takes from its end. Blanks around it are no part of it.
pub(crate) fn join(base: &Url, reference: &str) -> Option<Url> {
    let reference = reference.trim_matches(|c| c <= ' ');
    match reference.as_bytes() {
        [] | [b'#', ..] => Some(base.clone()),
        [b'/', b'/', ..] => parse_behind(&base.text[..base.host_start()], &reference[2..]),
        [b'/', ..] => append(base, base.path_start as usize, reference),
        [b'h', ..] if has_scheme(reference) => parse(reference),
        _ if has_scheme(reference) => None,
        [b'?', ..] => append(base, base.path_end(), reference),
        _ => join_relative(base, reference),
    }
}

/// A path from where the base stands, climbing at its beginning if at all (RFC 3986, section 5.2.4).
fn join_relative(base: &Url, reference: &str) -> Option<Url> {
    let root = base.path_start as usize + 1;
    let mut directory = behind_slash(&base.text[..base.path_end()]);
    let mut rest = reference;
    loop {
        if let Some(behind) = rest.strip_prefix("../") {
            directory = if directory > root { behind_slash(&base.text[..directory - 1]) } else { root };
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("./") {
            rest = behind;
        } else {
            return append(base, directory, rest);
        }
    }
}

/// Where it goes on behind the last slash.
fn behind_slash(text: &str) -> usize {
    text.rfind('/').map_or(text.len(), |slash| slash + 1)
}

/// The first `kept` bytes of the base, which end in its path, and a path and query behind them.
fn append(base: &Url, kept: usize, reference: &str) -> Option<Url> {
    let Tail { path, query } = plain_tail(reference)?;
    if path.starts_with('.') || path.starts_with("%2") {
        return None;
    }
    let mut text = String::with_capacity(kept + path.len() + query.len());
    text.push_str(&base.text[..kept]);
    text.push_str(path);
    let mut url = Url { text, host_end: base.host_end, path_start: base.path_start, query_start: None };
    append_query(&mut url, query);
    Some(url)
}

fn append_query(url: &mut Url, query: &str) {
    if !query.is_empty() {
        url.query_start = NonZeroU32::new(url.text.len() as u32 + 1);
        url.text.push_str(query);
    }
}

/// Whether a colon stands before any slash or question mark: the reference may then begin with a scheme.
fn has_scheme(reference: &str) -> bool {
    reference.bytes().find(|b| matches!(b, b':' | b'/' | b'?' | b'#')) == Some(b':')
}

/// The length of a domain in lower-case ASCII with nothing that IDNA would touch, and no number at its end, which would be an
/// address.
fn plain_host_len(text: &str) -> Option<usize> {
    let (mut len, mut before) = (0, b'.');
    for byte in text.bytes() {
        if CLASS[usize::from(byte)] & IN_HOST == 0 {
            matches!(byte, b'/' | b'?' | b':' | b'#').then_some(())?;
            break;
        }
        // Two dots are an empty label, two hyphens may be Punycode.
        if byte == before && matches!(byte, b'.' | b'-') {
            return None;
        }
        (len, before) = (len + 1, byte);
    }
    let last = text[..len].trim_end_matches('.').rsplit('.').next()?;
    last.starts_with(|first: char| !first.is_ascii_digit()).then_some(len)
}

/// The length of the port with its colon, where it is written as it will be; 0 where there is none.
fn port_len(rest: &str, scheme: &str) -> Option<usize> {
    let Some(digits) = rest.strip_prefix(':') else { return Some(0) };
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    let port: u16 = digits[..len].parse().ok()?;
    let default = if scheme == "https://" { 443 } else { 80 };
    let ends = matches!(digits.as_bytes().get(len), None | Some(b'/' | b'?' | b'#'));
    (ends && port != default && !digits.starts_with('0')).then_some(1 + len)
}

/// What of a reference is serialised behind the authority.
struct Tail<'a> {
    path: &'a str,
    /// With its question mark; empty where there is none.
    query: &'a str,
}

/// Path and query in front of a fragment, where they are written as they will be.
fn plain_tail(text: &str) -> Option<Tail<'_>> {
    let path_len = plain_path_len(text.as_bytes())?;
    let (path, rest) = text.split_at(path_len);
    let query = &rest[..plain_query_len(rest.as_bytes())?];
    Some(Tail { path, query })
}

/// Nothing that is encoded in a path, and no segment that may be a dot segment.
fn plain_path_len(bytes: &[u8]) -> Option<usize> {
    let mut before = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if CLASS[usize::from(*byte)] & IN_PATH == 0 {
            return matches!(byte, b'?' | b'#').then_some(at);
        }
        if before == b'/' && (*byte == b'.' || bytes[at..].starts_with(b"%2")) {
            return None;
        }
        before = *byte;
    }
    Some(bytes.len())
}

/// Nothing that is encoded in a query (the special-query percent-encode set).
fn plain_query_len(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().position(|byte| CLASS[usize::from(*byte)] & IN_QUERY == 0);
    let len = end.unwrap_or(bytes.len());
    matches!(bytes.get(len), None | Some(b'#')).then_some(len)
}

const IN_PATH: u8 = 1;
const IN_QUERY: u8 = 2;
const IN_HOST: u8 = 4;

/// Where a byte stands for itself.
static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0x21;
    while byte < 0x7f {
        let in_path = !matches!(byte, b'"' | b'#' | b'<' | b'>' | b'?' | b'`' | b'{' | b'}' | b'^' | b'\\');
        let in_query = !matches!(byte, b'"' | b'#' | b'<' | b'>' | b'\'');
        let in_host = matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
        classes[byte as usize] =
            (in_path as u8 * IN_PATH) | (in_query as u8 * IN_QUERY) | (in_host as u8 * IN_HOST);
        byte += 1;
    }
    classes
}
