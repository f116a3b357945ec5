use crate::search::Search;
use std::borrow::Cow;

/// A rule's path pattern, ready to match: in [`normal`] form, with a `*` between each two literal parts, and behind
/// all a `$` if it is held to the end of the path (RFC 9309 §2.2.3). Either character itself is encoded in that form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// No two `*` in a row: they match what one matches.
    text: Box<[u8]>,
    octets: usize,
}

impl Pattern {
    /// Compiles a pattern as it is written in the file.
    pub(crate) fn new(text: &str) -> Self {
        if text.bytes().all(|octet| PLAIN[usize::from(octet)]) {
            return Self { text: text.as_bytes().into(), octets: text.len() };
        }
        let text = slashed(text);
        let body = text.strip_suffix('$').unwrap_or(&text);
        let mut compiled = Vec::with_capacity(text.len());
        for (before, literal) in body.split('*').enumerate() {
            if before > 0 {
                compiled.push(b'*');
            }
            push_normal(&mut compiled, literal);
        }
        if body.len() < text.len() {
            compiled.push(b'$');
        }
        let mut compiled = with_plain_query(&compiled).unwrap_or(compiled);
        let octets = compiled.len();
        compiled.dedup_by(|next, octet| (*next, *octet) == (b'*', b'*'));
        Self { text: compiled.into(), octets }
    }

    /// How specific it is: its length in octets, in normal form, every `*` and `$` included (RFC 9309 §2.2.2, Google).
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }

    /// As [`matches()`] takes it.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether it matches.
    pub(crate) fn matches(&self, path: &NormalPath) -> bool {
        path.is_matched(&self.text, &mut Search::default())
    }
}

/// A path with its query, in [`normal`] form.
pub(crate) struct NormalPath {
    octets: Vec<u8>,
    /// The same with plain slashes in the query, where that has encoded ones.
    plain_query: Option<Vec<u8>>,
}

impl NormalPath {
    /// Of a path that begins with `/`, or is made to, without its fragment.
    pub(crate) fn new(path_and_query: &str) -> Self {
        let path = path_and_query.split_once('#').map_or(path_and_query, |(path, _)| path);
        let mut octets = normal(path);
        if octets.first() != Some(&b'/') {
            octets.insert(0, b'/');
        }
        Self { plain_query: with_plain_query(&octets), octets }
    }

    pub(crate) fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Whether a compiled pattern matches it. Twice as much work at most as [`matches()`].
    pub(crate) fn is_matched(&self, pattern: &[u8], search: &mut Search) -> bool {
        matches(pattern, &self.octets, search)
            || self.plain_query.as_ref().is_some_and(|octets| matches(pattern, octets, search))
    }
}

/// Whether a compiled pattern matches `path`. Goes over the pattern once, and searches at most `2 * path.len() + 2` steps, whatever the
/// pattern: each part is looked for once, behind the one before it, as far left as it fits, which never spoils a later part.
pub(crate) fn matches(pattern: &[u8], mut path: &[u8], search: &mut Search) -> bool {
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let at_end = body.len() < pattern.len();
    let Some((first, mut rest)) = cut(body) else {
        return if at_end { path == body } else { path.starts_with(body) };
    };
    let Some(behind_first) = path.strip_prefix(first) else { return false };
    path = behind_first;
    while let Some((part, later)) = cut(rest) {
        let Some(at) = search.find(path, part) else { return false };
        path = &path[at + part.len()..];
        rest = later;
    }
    if at_end { path.ends_with(rest) } else { search.find(path, rest).is_some() }
}

/// What stands before the first wildcard, and behind it.
fn cut(pattern: &[u8]) -> Option<(&[u8], &[u8])> {
    let star = memchr::memchr(b'*', pattern)?;
    Some((&pattern[..star], &pattern[star + 1..]))
}

/// The octets that compare: characters that URLs may hold stand for themselves, however they were written, all
/// others are percent-encoded, with upper-case digits. So raw and encoded writings of one octet are equal, which
/// is what RFC 9309 §2.2.2 asks. Three differences stay: an encoded `/` is no separator (in a query, which has none, it
/// is a `/` [as well](with_plain_query)), an encoded `*` or `$` is the character itself (as is a raw one in a path), and a `%` that
/// encodes nothing is a `%`.
pub(crate) fn normal(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    push_normal(&mut out, &slashed(text));
    out
}

/// With a plain slash for each encoded one in the query; `None` where there is none. The RFC's own example has `?baz=https://foo.bar`
/// match `?baz=https%3A%2F%2Ffoo.bar`.
fn with_plain_query(octets: &[u8]) -> Option<Vec<u8>> {
    const ENCODED: &[u8] = b"%2F";
    let query = memchr::memchr(b'?', octets)?;
    let mut slashes = memchr::memmem::find_iter(&octets[query..], ENCODED).map(|at| query + at).peekable();
    slashes.peek()?;
    let (mut out, mut from) = (Vec::with_capacity(octets.len()), 0);
    for at in slashes {
        out.extend_from_slice(&octets[from..at]);
        out.push(b'/');
        from = at + ENCODED.len();
    }
    out.extend_from_slice(&octets[from..]);
    Some(out)
}

/// With a slash for each raw backslash in front of the query: in the path of an http URL it is one (URL Standard §4.4).
fn slashed(text: &str) -> Cow<'_, str> {
    let (path, query) = text.split_at(text.find('?').unwrap_or(text.len()));
    if !path.contains('\\') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(path.replace('\\', "/") + query)
}

/// What stands for itself.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut octet = 0;
    while octet < 128 {
        plain[octet] = (octet as u8).is_ascii_alphanumeric();
        octet += 1;
    }
    let mut marks: &[u8] = b"-._~/?&=+:;,@!'()[]";
    while let [mark, rest @ ..] = marks {
        plain[*mark as usize] = true;
        marks = rest;
    }
    plain
};

fn push_normal(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    loop {
        let plain = rest.iter().position(|octet| !PLAIN[usize::from(*octet)]).unwrap_or(rest.len());
        let plain = rest.split_off(..plain).expect("it is not longer");
        out.extend_from_slice(plain);
        let [first, after @ ..] = rest else { return };
        let encoded = if *first == b'%' { octet(after) } else { None };
        match encoded {
            Some(b'/') => out.extend_from_slice(b"%2F"),
            Some(octet) => push(out, octet),
            None if *first == b'%' => out.push(b'%'),
            None => push(out, *first),
        }
        rest = if encoded.is_some() { &after[2..] } else { after };
    }
}

fn push(out: &mut Vec<u8>, octet: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    if PLAIN[usize::from(octet)] {
        out.push(octet);
    } else {
        out.extend([b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
    }
}

fn octet(digits: &[u8]) -> Option<u8> {
    let [high, low, ..] = digits else { return None };
    Some(hex(*high)? << 4 | hex(*low)?)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}
