//! Percent-encoding in one form (RFC 3986, section 6.2.2): unreserved characters bare, hex in upper case, and
//! whatever RFC 3986 does not allow bare, encoded.

use std::borrow::Cow;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// The one form of a path or query. Applying it twice changes nothing. Borrows what is in form already.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    match first_out_of_form(text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(first) => Cow::Owned(rewrite(text, first)),
    }
}

/// Where the first byte or escape is that would be written differently.
fn first_out_of_form(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(ahead) = bytes[at..].iter().position(|byte| !stays_bare(*byte)) {
        at += ahead;
        if !is_escape_in_form(&bytes[at..]) {
            return Some(at);
        }
        at += 3;
    }
    None
}

fn is_escape_in_form(bytes: &[u8]) -> bool {
    let stays = |escaped: u8| !is_unreserved(escaped) && !bytes[1..3].iter().any(u8::is_ascii_lowercase);
    decode_at(bytes, 0).is_some_and(stays)
}

fn rewrite(text: &str, first: usize) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    let mut at = first;
    while at < bytes.len() {
        let byte = bytes[at];
        match decode_at(bytes, at) {
            Some(decoded) if is_unreserved(decoded) => out.push(decoded as char),
            Some(decoded) => encode(decoded, &mut out),
            None if stays_bare(byte) => out.push(byte as char),
            None => encode(byte, &mut out),
        }
        at += if decode_at(bytes, at).is_some() { 3 } else { 1 };
    }
    out
}

/// The byte that the escape at `at` stands for, if there is one.
pub(crate) fn decode_at(bytes: &[u8], at: usize) -> Option<u8> {
    match bytes.get(at..at + 3)? {
        [b'%', high, low] => Some(hex_value(*high)? << 4 | hex_value(*low)?),
        _ => None,
    }
}

/// Appends `%XX`.
pub(crate) fn encode(byte: u8, out: &mut String) {
    out.push('%');
    out.push(HEX[usize::from(byte >> 4)] as char);
    out.push(HEX[usize::from(byte & 15)] as char);
}

fn hex_value(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn stays_bare(byte: u8) -> bool {
    BARE[usize::from(byte)]
}

/// Unreserved, sub-delims, and what else a path or query may hold bare. A table, since every byte of every link
/// is looked up.
const BARE: [bool; 256] = {
    let allowed = b"-._~!$&'()*+,;=:@/?";
    let mut bare = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        bare[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < allowed.len() {
        bare[allowed[at] as usize] = true;
        at += 1;
    }
    bare
};
