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
    if let Some((c, bytes)) = number(rest) {
        decoded.push(c);
        return bytes;
    }
    let name = rest[1..].bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    // In an attribute a `=` after a name without semicolon decides.
    let end = 1 + name + usize::from(matches!(rest.as_bytes().get(1 + name), Some(b';' | b'=')));
    decoded.push_str(&htmlize::unescape_in(&rest[..end], context));
    end
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
