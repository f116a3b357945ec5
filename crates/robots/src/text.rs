mod declaration;
mod utf8;

pub(crate) use utf8::Utf8;

use std::borrow::Cow;

/// The bytes of a text file as UTF-8 would write them: a byte-order mark is dropped, UTF-16 with one is decoded.
/// Without a mark the bytes pass as they are. Some editors leave half of UTF-8's mark, and Google's parser
/// forgives them.
pub(crate) fn without_mark(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] | [0xEF, 0xBB, rest @ ..] | [0xEF, rest @ ..] => Cow::Borrowed(rest),
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        _ => Cow::Borrowed(bytes),
    }
}

/// Lines of a file with their numbers, from 1; ended by LF, CR or CRLF.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(bytes);
    let mut number = 0;
    std::iter::from_fn(move || {
        let bytes = rest?;
        let end = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len());
        rest = match &bytes[end..] {
            [] => None,
            [b'\r', b'\n', after @ ..] | [_, after @ ..] => Some(after),
        };
        number += 1;
        Some(Line { number, bytes: &bytes[..end] })
    })
}

/// One line, without its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub(crate) number: u32,
    /// What it holds.
    pub(crate) bytes: &'a [u8],
}

/// Cuts white space, control characters and NULs off both ends.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let blank = |byte: &u8| *byte <= b' ' || *byte == 0x7F;
    let Some(start) = bytes.iter().position(|b| !blank(b)) else { return &[] };
    let end = bytes.iter().rposition(|b| !blank(b)).map_or(start, |last| last + 1);
    &bytes[start..end]
}

/// Whether a word is a URL of the web, as far as its beginning tells.
pub(crate) fn is_http(word: &[u8]) -> bool {
    let begins =
        |scheme: &[u8]| word.len() > scheme.len() && word[..scheme.len()].eq_ignore_ascii_case(scheme);
    begins(b"http://") || begins(b"https://")
}

/// Bytes as text; octets that are not UTF-8 are percent-encoded, so that none is lost.
pub(crate) fn text_of(value: &[u8]) -> String {
    let mut out = String::with_capacity(value.len());
    for chunk in value.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|octet| format!("%{octet:02X}")));
    }
    out
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let decoded: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    decoded.into_bytes()
}
