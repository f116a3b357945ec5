//! Character references (HTML 13.2.5.72).

use crate::find_near::find_near;
use htmlize::Context;
use memchr::memchr;
use std::borrow::Cow;

/// Running text, its references decoded.
pub fn in_text(text: &str) -> Cow<'_, str> {
    decode(text, Context::General)
}

/// The same, put together in `room`, whatever stands there: for whoever has one text after the other.
pub fn in_text_by<'a>(text: &'a str, room: &'a mut String) -> &'a str {
    let Some(first) = find_near(b'&', text.as_bytes()) else { return text };
    room.clear();
    decode_from(first, text, Context::General, room);
    room
}

/// The value of an attribute, its references decoded by the stricter rules that hold there.
pub fn in_attribute(value: &str) -> Cow<'_, str> {
    decode(value, Context::Attribute)
}

fn decode(text: &str, context: Context) -> Cow<'_, str> {
    let Some(first) = find_near(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut decoded = String::with_capacity(text.len());
    decode_from(first, text, context, &mut decoded);
    Cow::Owned(decoded)
}

/// Appends the text, whose first `&` is at `first`.
fn decode_from(first: usize, text: &str, context: Context, decoded: &mut String) {
    let mut at = first;
    decoded.push_str(&text[..first]);
    while at < text.len() {
        let rest = &text[at..];
        at += one(rest, context, decoded);
        let rest = &text[at..];
        let plain = memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        decoded.push_str(&rest[..plain]);
        at += plain;
    }
}

/// The few references that make up nearly all are told by their first bytes.
const COMMON: [(&str, char); 6] =
    [("&amp;", '&'), ("&nbsp;", '\u{a0}'), ("&quot;", '"'), ("&#39;", '\''), ("&lt;", '<'), ("&gt;", '>')];

/// Decodes what the `&` in front begins; returns how many bytes that was.
fn one(rest: &str, context: Context, decoded: &mut String) -> usize {
    if let Some((name, c)) = COMMON.iter().find(|(name, _)| rest.starts_with(name)) {
        decoded.push(*c);
        return name.len();
    }
    if let Some((c, bytes)) = number(rest) {
        decoded.push(c);
        return bytes;
    }
    let name = rest[1..].bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    if let Some(text) = named(&rest.as_bytes()[..rest.len().min(name + 2)]) {
        decoded.push_str(text);
        return name + 2;
    }
    // In an attribute a `=` after a name without semicolon decides.
    let end = 1 + name + usize::from(matches!(rest.as_bytes().get(1 + name), Some(b';' | b'=')));
    decoded.push_str(&htmlize::unescape_in(&rest[..end], context));
    end
}

/// What a reference by name stands for, where a semicolon ends it: then nothing else decides.
fn named(reference: &[u8]) -> Option<&'static str> {
    let text = reference.ends_with(b";").then(|| htmlize::ENTITIES.get(reference))??;
    std::str::from_utf8(text).ok()
}

/// The character that a reference by number in front stands for, and the bytes of the reference. Numbers that mean another character
/// than theirs are left aside.
fn number(rest: &str) -> Option<(char, usize)> {
    let digits = rest.strip_prefix("&#")?;
    let (digits, radix) = digits.strip_prefix(['x', 'X']).map_or((digits, 10), |digits| (digits, 16));
    let count = digits.bytes().take(DIGITS).take_while(|b| char::from(*b).is_digit(radix)).count();
    let after = digits[count..].strip_prefix(';')?;
    let number = u32::from_str_radix(&digits[..count], radix).ok()?;
    let c = char::from_u32(number).filter(|c| matches!(c, ' '..='~' | '\u{a0}'..))?;
    Some((c, rest.len() - after.len()))
}

/// As many as a reference by number has; longer ones begin with zeros, or mean nothing.
const DIGITS: usize = 7;
