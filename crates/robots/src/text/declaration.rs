use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memmem};

/// What has to be decoded of a document that begins like this, by its XML declaration (XML 1.0 §4.3.3, appendix F);
/// `None` for UTF-8, and where nothing is declared that is known.
pub(crate) fn declared(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [b'<', 0, b'?', 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, b'?', ..] => Some(UTF_16BE),
        _ => Encoding::for_label(label(start)?).filter(|encoding| is_possible(encoding)),
    }
}

/// A declaration that can be read as ASCII is not in UTF-16, whatever it says.
fn is_possible(encoding: &'static Encoding) -> bool {
    encoding.is_ascii_compatible() && encoding != UTF_8
}

/// The value of `encoding="…"`.
fn label(start: &[u8]) -> Option<&[u8]> {
    let declaration = start.trim_ascii_start().strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memmem::find(declaration, b"?>")?];
    let after_name = &declaration[memmem::find(declaration, NAME)? + NAME.len()..];
    let quoted = after_name.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = quoted.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    Some(&value[..memchr(*quote, value)?])
}

const NAME: &[u8] = b"encoding";
