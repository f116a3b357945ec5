//! URLs that are written as they will be serialised, as nearly all links are: taken over as they stand, without
//! a parser. What is not certainly so is left to the parser; a test holds both against each other.

use crate::url::Url;
use std::num::NonZeroU32;

/// An absolute URL in the form that parsing would give it, up to its fragment.
pub(crate) fn parse(text: &str) -> Option<Url> {
    let text = without_fragment(text);
    let host_start = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?.len();
    let host_len = text[host_start..].bytes().position(|b| matches!(b, b'/' | b'?' | b':'));
    let host_end = host_len.map_or(text.len(), |len| host_start + len);
    is_plain_host(&text[host_start..host_end]).then_some(())?;
    let path_start = host_end + port_len(&text[host_end..], host_start)?;
    let path_len = text[path_start..].find('?').unwrap_or(text.len() - path_start);
    let (path, query) = text[path_start..].split_at(path_len);
    (is_plain_path(path) && is_plain_query(query)).then_some(())?;
    let mut url = Url {
        text: String::with_capacity(text.len() + 1),
        host_end: host_end as u32,
        path_start: path_start as u32,
        query_start: None,
    };
    url.text.push_str(&text[..path_start]);
    url.text.push_str(if path.is_empty() { "/" } else { path });
    append_query(&mut url, query);
    Some(url)
}

/// A reference that only adds to what it is resolved against, or takes from its end.
pub(crate) fn join(base: &Url, reference: &str) -> Option<Url> {
    let reference = without_fragment(reference);
    match reference.as_bytes() {
        [] => Some(base.clone()),
        [b'/', b'/', ..] => None,
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
    let path_len = reference.find('?').unwrap_or(reference.len());
    let (path, query) = reference.split_at(path_len);
    let is_plain = is_plain_path(path) && !path.starts_with('.') && !path.starts_with("%2");
    (is_plain && is_plain_query(query)).then_some(())?;
    let mut text = String::with_capacity(kept + reference.len());
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

fn without_fragment(text: &str) -> &str {
    text.find('#').map_or(text, |fragment| &text[..fragment])
}

/// Whether a colon stands before any slash or question mark: the reference may then begin with a scheme.
fn has_scheme(reference: &str) -> bool {
    reference.bytes().find(|b| matches!(b, b':' | b'/' | b'?')) == Some(b':')
}

/// A domain in lower-case ASCII with nothing that IDNA would touch, and no number at its end, which would be an
/// address.
fn is_plain_host(host: &str) -> bool {
    let ends_in_number = || {
        let last = host.trim_end_matches('.').rsplit('.').next();
        last.is_none_or(|label| label.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_letter = |b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
    !host.is_empty()
        && host.bytes().all(is_letter)
        && !host.starts_with('.')
        && !host.contains("..")
        && !host.contains("xn--")
        && !ends_in_number()
}

/// The length of the port with its colon, where it is written as it will be; 0 where there is none.
fn port_len(rest: &str, host_start: usize) -> Option<usize> {
    let Some(digits) = rest.strip_prefix(':') else { return Some(0) };
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    let port: u16 = digits[..len].parse().ok()?;
    let default = if host_start == "https://".len() { 443 } else { 80 };
    let ends = matches!(digits.as_bytes().get(len), None | Some(b'/' | b'?'));
    (ends && port != default && !digits.starts_with('0')).then_some(1 + len)
}

/// Nothing that is encoded in a path, and no segment that may be a dot segment.
fn is_plain_path(path: &str) -> bool {
    let mut before = 0;
    path.bytes().all(|byte| {
        let is_plain =
            CLASS[byte as usize] & IN_PATH != 0 && !(before == b'/' && matches!(byte, b'.' | b'%'));
        before = byte;
        is_plain
    })
}

/// Nothing that is encoded in a query (the special-query percent-encode set).
fn is_plain_query(query: &str) -> bool {
    query.bytes().all(|byte| CLASS[byte as usize] & IN_QUERY != 0)
}

const IN_PATH: u8 = 1;
const IN_QUERY: u8 = 2;

/// Where a byte stands for itself.
static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0x21;
    while byte < 0x7f {
        let in_path = !matches!(byte, b'"' | b'#' | b'<' | b'>' | b'?' | b'`' | b'{' | b'}' | b'^' | b'\\');
        let in_query = !matches!(byte, b'"' | b'#' | b'<' | b'>' | b'\'');
        classes[byte as usize] = (in_path as u8 * IN_PATH) | (in_query as u8 * IN_QUERY);
        byte += 1;
    }
    classes
}
