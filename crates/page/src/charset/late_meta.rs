use super::by_inner_label;
use super::prescan::charset_in_content;
use encoding_rs::{Encoding, mem};
use markup::{Dialect, Scanner, Tag, TagSet, Token};
use memchr::memmem;

/// A `meta` that the parser meets after the prescan gave up: browsers then change the encoding while parsing
/// (HTML 13.2.3.4). Markup is ASCII in every encoding that can be declared this way, so Latin 1 reads it.
pub(super) fn find(bytes: &[u8]) -> Option<&'static Encoding> {
    if !mentions_charset(bytes) {
        return None;
    }
    let text = mem::decode_latin1(bytes);
    let mut scanner = Scanner::new(&text, Dialect::Html, TagSet::of(&[Tag::Meta]));
    while let Some(token) = scanner.next_token() {
        if let Token::Open(open) = token
            && open.tag == Tag::Meta
            && let Some(encoding) = declared(&scanner)
        {
            return Some(encoding);
        }
    }
    None
}

/// Most documents without a declaration do not hold the word at all, and need no second reading. Two looks are enough for `charset`,
/// `Charset` and `CHARSET`.
fn mentions_charset(bytes: &[u8]) -> bool {
    let begins = |at: usize| matches!(bytes[..at].last(), Some(b'c' | b'C'));
    memmem::find_iter(bytes, b"harset").any(begins) || memmem::find(bytes, b"CHARSET").is_some()
}

fn declared(scanner: &Scanner<'_>) -> Option<&'static Encoding> {
    let attributes = scanner.attributes();
    if let Some(label) = attributes.get("charset") {
        return by_inner_label(label.as_bytes());
    }
    let pragma = attributes.get("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case("content-type"));
    let content = attributes.get("content").filter(|_| pragma)?;
    charset_in_content(content.as_bytes()).and_then(by_inner_label)
}
