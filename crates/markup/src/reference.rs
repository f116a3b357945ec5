//! Character references (HTML 13.2.5.72).

use crate::find_near::find_near;
use htmlize::Context;
use memchr::memchr;
use std::borrow::Cow;

/// Running text, its references decoded.
pub fn in_text(text: &str) -> Cow<'_, str> {
    decode(text, Context::General)
}

/// The value of an attribute, its references decoded by the stricter rules that hold there.
pub fn in_attribute(value: &str) -> Cow<'_, str> {
    decode(value, Context::Attribute)
}

/// The few references that make up nearly all are told by their first bytes;
/// `htmlize` knows the rest of the table.
fn decode(text: &str, context: Context) -> Cow<'_, str> {
    let Some(first) = find_near(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut decoded = String::with_capacity(text.len());
    let mut at = first;
    decoded.push_str(&text[..first]);
    while at < text.len() {
        let rest = &text[at..];
        at += one(rest, context, &mut decoded);
        let rest = &text[at..];
        let plain = memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        decoded.push_str(&rest[..plain]);
        at += plain;
    }
    Cow::Owned(decoded)
}

const COMMON: [(&str, char); 6] =
    [("&amp;", '&'), ("&nbsp;", '\u{a0}'), ("&quot;", '"'), ("&#39;", '\''), ("&lt;", '<'), ("&gt;", '>')];

/// Decodes what the `&` in front begins; returns how many bytes that was.
fn one(rest: &str, context: Context, decoded: &mut String) -> usize {
    if let Some((name, c)) = COMMON.iter().find(|(name, _)| rest.starts_with(name)) {
        decoded.push(*c);
        return name.len();
    }
    let name = rest[1..].bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    // In an attribute a `=` after a name without semicolon decides.
    let end = 1 + name + usize::from(matches!(rest.as_bytes().get(1 + name), Some(b';' | b'=')));
    decoded.push_str(&htmlize::unescape_in(&rest[..end], context));
    end
}
