use crate::limits::PARAMETERS_ON_STACK;
use crate::parameters::{Kind, is_session_path_parameter, is_session_segment, kind_of};
use crate::percent::normalise;
use crate::{Folding, Url, without_root_dot};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The canonical form of a URL, itself a URL, used to decide whether two URLs are the same page. The URL first seen is
/// requested, and this only where robots.txt forbids that one.
///
/// The policy is nearest to crawler-commons' `BasicURLNormalizer` (profile `basic` of the shared cases), and
/// goes on where that stops: `https` is written `http`, tracking and session parameters are gone. It keeps what
/// may choose a page: parameters without a name (`?=2`), the case of paths, a trailing slash, reserved
/// characters as they were encoded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(String);

/// The identity of a URL within a crawl: 64 bits of XXH3 over its key, seeded per crawl so that nobody can
/// prepare colliding URLs. Stable on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyHash(pub u64);

impl Key {
    /// The key of a URL. `Key::of` the key's own text is the key again, under the same folding.
    pub fn of(url: &Url, folding: &Folding) -> Self {
        let mut out = String::with_capacity(url.as_str().len() + 8);
        push_key(url, *folding, &mut out);
        Self(out)
    }

    /// The hash of a URL's key, which is put together in `room`, whatever stands there: for whoever has one URL after the other.
    pub fn hash_of(url: &Url, folding: &Folding, seed: u64, room: &mut String) -> KeyHash {
        room.clear();
        push_key(url, *folding, room);
        hash(room, seed)
    }

    /// The key as a URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The identity that this key has in the crawl with this seed.
    pub fn hash(&self, seed: u64) -> KeyHash {
        hash(&self.0, seed)
    }
}

fn hash(key: &str, seed: u64) -> KeyHash {
    KeyHash(xxh3_64_with_seed(key.as_bytes(), seed))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

fn push_key(url: &Url, folding: Folding, out: &mut String) {
    push_origin(url, folding, out);
    push_path(&normalise(url.path()), folding, out);
    if let Some(query) = url.query().filter(|query| !query.is_empty()) {
        push_query(&normalise(query), folding, out);
    }
}

/// Scheme, host and port. `https` on port 80 keeps its scheme: as `http` the port would read as the default.
fn push_origin(url: &Url, folding: Folding, out: &mut String) {
    let port = url.written_port();
    let folds = folding.scheme && port != ":80";
    out.push_str(if folds { "http" } else { url.scheme() });
    out.push_str("://");
    out.push_str(without_root_dot(url.host()));
    out.push_str(port);
}

fn push_path(path: &str, folding: Folding, out: &mut String) {
    if !may_fold(path, folding) {
        out.push_str(path);
        return;
    }
    let start = out.len();
    let mut segments = path[1..].split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        push_segment(segment, is_last, folding, out);
    }
    if out.len() == start {
        out.push('/');
    }
}

/// Whether there is an empty segment, or what may begin a session.
fn may_fold(path: &str, folding: Folding) -> bool {
    let mut before = 0;
    path.bytes().any(|byte| {
        let was = std::mem::replace(&mut before, byte);
        (byte == b'/' && was == b'/' && folding.slashes) || (matches!(byte, b';' | b'(') && folding.sessions)
    })
}

fn push_segment(segment: &str, is_last: bool, folding: Folding, out: &mut String) {
    let kept = if folding.sessions { without_session(segment) } else { Cow::Borrowed(segment) };
    let is_session = folding.sessions && is_session_segment(&kept);
    let is_repeated_slash = folding.slashes && kept.is_empty() && !is_last;
    if is_session || is_repeated_slash {
        return;
    }
    out.push('/');
    out.push_str(&kept);
}

/// `page;jsessionid=1F` is `page`; a bare dot segment must not come out, it would climb.
fn without_session(segment: &str) -> Cow<'_, str> {
    let Some((name, parameters)) = segment.split_once(';') else { return Cow::Borrowed(segment) };
    if !parameters.split(';').any(is_session_path_parameter) {
        return Cow::Borrowed(segment);
    }
    let kept = parameters.split(';').filter(|parameter| !is_session_path_parameter(parameter));
    let rest = kept.fold(name.to_owned(), |mut rest, parameter| {
        rest.push(';');
        rest.push_str(parameter);
        rest
    });
    if matches!(rest.as_str(), "." | "..") { Cow::Borrowed(segment) } else { Cow::Owned(rest) }
}

fn push_query(query: &str, folding: Folding, out: &mut String) {
    let kept = query.split('&').filter_map(|parameter| fold_parameter(parameter, folding));
    if !folding.parameters {
        return push_joined(kept, out);
    }
    if query.bytes().filter(|byte| *byte == b'&').count() < PARAMETERS_ON_STACK {
        let mut buffer = [""; PARAMETERS_ON_STACK];
        let mut count = 0;
        for parameter in kept {
            buffer[count] = parameter;
            count += 1;
        }
        push_sorted(&mut buffer[..count], out);
    } else {
        push_sorted(&mut kept.collect::<Vec<_>>(), out);
    }
}

/// What is left of one parameter, if anything is.
fn fold_parameter(parameter: &str, folding: Folding) -> Option<&str> {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let dropped = match kind_of(name, value) {
        Kind::Content => false,
        Kind::Tracking => folding.tracking,
        Kind::Session => folding.sessions,
    };
    let folded = if folding.parameters && value.is_empty() { name } else { parameter };
    let is_void = folding.parameters && folded.is_empty();
    (!dropped && !is_void).then_some(folded)
}

fn push_sorted(parameters: &mut [&str], out: &mut String) {
    parameters.sort_unstable_by_key(|parameter| parameter.split_once('=').unwrap_or((*parameter, "")));
    push_joined(parameters.iter().copied(), out);
}

fn push_joined<'a>(parameters: impl Iterator<Item = &'a str>, out: &mut String) {
    let path_end = out.len();
    for (at, parameter) in parameters.enumerate() {
        out.push(if at == 0 { '?' } else { '&' });
        out.push_str(parameter);
    }
    if out.len() == path_end + 1 {
        out.truncate(path_end);
    }
}
