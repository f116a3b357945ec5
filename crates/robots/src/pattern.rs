use memchr::memmem;

/// A rule's path pattern, ready to match: literal parts with a `*` between each two, perhaps held to the end of
/// the path by a `$` (RFC 9309 §2.2.3).
///
/// Both sides are compared in one normal form, see [`normal`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Never empty; the first part begins at the path's first octet.
    parts: Vec<Box<[u8]>>,
    at_end: bool,
    octets: usize,
}

impl Pattern {
    /// Compiles a pattern as it is written in the file.
    pub(crate) fn new(text: &str) -> Self {
        let body = text.strip_suffix('$').unwrap_or(text);
        let parts: Vec<Box<[u8]>> = body.split('*').map(|part| normal(part).into()).collect();
        let wildcards = text.len() - body.len() + body.matches('*').count();
        let octets = wildcards + parts.iter().map(|part| part.len()).sum::<usize>();
        Self { parts, at_end: body.len() < text.len(), octets }
    }

    /// How specific it is: its length in octets, in normal form, `*` and `$` included (RFC 9309 §2.2.2, Google).
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }

    /// Whether it matches `path`, which is in [`normal`] form. Time linear in pattern and path: each part is looked
    /// for once, as far left as it fits, and taking the leftmost place never spoils a later part.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        let [first, rest @ ..] = self.parts.as_slice() else { return false };
        let Some(path) = path.strip_prefix(&**first) else { return false };
        let [middle @ .., last] = rest else { return !self.at_end || path.is_empty() };
        let Some(path) = skip_all(path, middle) else { return false };
        if self.at_end { path.ends_with(last) } else { memmem::find(path, last).is_some() }
    }
}

/// The octets that compare: characters that URLs may hold stand for themselves, however they were written, all
/// others are percent-encoded, with upper-case digits. So raw and encoded writings of one octet are equal, which
/// is what RFC 9309 §2.2.2 asks. Three differences stay: an encoded `/` is no separator, an encoded `*` or `$` is the
/// character itself (as is a raw one in a path), and a `%` that encodes nothing is a `%`.
pub(crate) fn normal(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let encoded = if *first == b'%' { octet(after) } else { None };
        match encoded {
            Some(b'/') => out.extend_from_slice(b"%2F"),
            Some(octet) => push(&mut out, octet),
            None if *first == b'%' => out.push(b'%'),
            None => push(&mut out, *first),
        }
        rest = if encoded.is_some() { &after[2..] } else { after };
    }
    out
}

fn push(out: &mut Vec<u8>, octet: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    if octet.is_ascii_alphanumeric() || b"-._~/?&=+:;,@!'()[]".contains(&octet) {
        out.push(octet);
    } else {
        out.extend([b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
    }
}

fn octet(digits: &[u8]) -> Option<u8> {
    let [high, low, ..] = digits else { return None };
    Some(hex(*high)? << 4 | hex(*low)?)
}

fn skip_all<'a>(path: &'a [u8], parts: &[Box<[u8]>]) -> Option<&'a [u8]> {
    parts.iter().try_fold(path, |path, part| memmem::find(path, part).map(|at| &path[at + part.len()..]))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}
