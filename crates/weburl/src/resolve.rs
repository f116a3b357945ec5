//! The WHATWG parser as the `url` crate has it, brought up to the standard where that falls short.

use crate::drives;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;
use url::{ParseError, Position, Url};

/// Resolves a reference of any scheme as WHATWG says: the serialised URL with its fragment, `None` where
/// parsing must fail. `base` is an absolute URL.
///
/// Unlike [`Url::parse`](crate::Url::parse) it knows domains whose Punycode decodes to nothing
/// (`http://xn--pokxncvks/`, valid since whatwg/url#914).
pub fn resolve_any(reference: &str, base: Option<&str>) -> Option<String> {
    match resolve(reference, base) {
        Err(ParseError::IdnaError) => Masked::new(reference, base)?.resolve(),
        resolved => resolved.ok().map(String::from),
    }
}

/// Parses an absolute URL.
pub(crate) fn parse(text: &str) -> Result<Url, ParseError> {
    resolve(text, None)
}

/// Resolves a reference against a base, an absolute URL.
pub(crate) fn join(base: &str, reference: &str) -> Result<Url, ParseError> {
    resolve(reference, Some(base))
}

/// Resolves; where a drive letter may have stopped a `..`, the path is that of a second run, with drive letters hidden.
fn resolve(reference: &str, base: Option<&str>) -> Result<Url, ParseError> {
    let mut url = resolve_by_crate(reference, base)?;
    if matches!(url.scheme(), "http" | "https") && drives::has_drive(url.path()) {
        let hidden = resolve_by_crate(&drives::hide(reference), base.map(drives::hide).as_deref())?;
        url.set_path(&drives::show(hidden.path()));
    }
    Ok(url)
}

fn resolve_by_crate(reference: &str, base: Option<&str>) -> Result<Url, ParseError> {
    let Some(base) = base else { return Url::parse(reference).map(with_carets_encoded) };
    let base = resolve_by_crate(base, None)?;
    let resolved = match base.scheme() {
        "http" | "https" => base.join(&with_two_slashes(reference)),
        _ => base.join(reference),
    };
    resolved.map(with_carets_encoded)
}

/// `^` is of the path percent-encode set since whatwg/url#846.
fn with_carets_encoded(mut url: Url) -> Url {
    if url.path().contains('^') && !url.cannot_be_a_base() {
        let path = url.path().replace('^', "%5E");
        url.set_path(&path);
    }
    url
}

/// `///host` is `//host` where the base is http ("special authority ignore slashes state"); the crate reads an
/// empty host.
fn with_two_slashes(reference: &str) -> Cow<'_, str> {
    let text = reference.trim_start_matches(|c: char| c <= ' ');
    let rest = text.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
    let slashes = text[..text.len() - rest.len()].bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    if slashes > 2 { Cow::Owned(format!("//{rest}")) } else { Cow::Borrowed(reference) }
}

/// A reference and its base with every `xn--` replaced by a word that needs no decoding.
struct Masked {
    mask: String,
    reference: String,
    base: Option<String>,
}

impl Masked {
    /// `None` when every mask tried occurs in the text already.
    fn new(reference: &str, base: Option<&str>) -> Option<Self> {
        let taken = |mask: &str| reference.contains(mask) || base.is_some_and(|base| base.contains(mask));
        let mask = (0..100).map(|n| format!("q{n}q")).find(|mask| !taken(mask))?;
        let hide = |text: &str| hide(text, &mask);
        Some(Self { reference: hide(reference), base: base.map(hide), mask: mask.clone() })
    }

    /// What resolves, unmasked: lower case in the host, as it was elsewhere. A domain that is not ASCII must fail.
    fn resolve(&self) -> Option<String> {
        let url = resolve(&self.reference, self.base.as_deref()).ok()?;
        let base = self.base.as_deref().map(with_only_ascii);
        resolve(&with_only_ascii(&self.reference), base.as_deref()).ok()?;
        let user = show(&url[..Position::BeforeHost], &self.mask);
        let host = show(&url[Position::BeforeHost..Position::AfterHost], &self.mask).to_ascii_lowercase();
        let rest = show(&url[Position::AfterHost..], &self.mask);
        Some(user + &host + &rest)
    }
}

/// Replaces `xn--` by the mask and two letters that remember the case of x and n.
fn hide(text: &str, mask: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut end = 0;
    for (at, _) in text.to_ascii_lowercase().match_indices("xn--") {
        let letters = text[at..at + 2].chars().map(|c| if c.is_ascii_lowercase() { 'a' } else { 'b' });
        out.push_str(&text[end..at]);
        out.push_str(mask);
        out.extend(letters);
        end = at + 4;
    }
    out + &text[end..]
}

/// Everything that is not ASCII, escaped or not, made a NUL, which may stand anywhere but in a domain.
fn with_only_ascii(text: &str) -> Cow<'_, str> {
    static NOT_ASCII: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"[^\x00-\x7F]|%[\t\n\r]*[89A-Fa-f]").expect("the pattern is a constant")
    });
    NOT_ASCII.replace_all(text, "%00")
}

fn show(text: &str, mask: &str) -> String {
    [("aa", "xn--"), ("ab", "xN--"), ("ba", "Xn--"), ("bb", "XN--")]
        .iter()
        .fold(text.to_owned(), |text, (letters, prefix)| text.replace(&format!("{mask}{letters}"), prefix))
}
