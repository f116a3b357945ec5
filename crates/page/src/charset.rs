//! Which encoding a document is in: HTML 13.2.3.2, "determining the character encoding".

mod late_meta;
mod prescan;

use crate::limits::{DETECTOR_BYTES, LATE_META_BYTES, PRESCAN_BYTES};
use crate::media::{self, PageKind};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// An encoding and how it became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    /// One of the encodings of the WHATWG Encoding Standard.
    pub encoding: &'static Encoding,
    /// What said so.
    pub source: CharsetSource,
}

/// What told the encoding, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CharsetSource {
    /// A byte-order mark.
    ByteOrderMark,
    /// The `charset` parameter of Content-Type.
    Header,
    /// A `meta` element.
    Meta,
    /// The XML declaration.
    XmlDeclaration,
    /// Not declared, but the bytes are UTF-8 and not ASCII.
    Utf8,
    /// Not declared; guessed from the bytes' statistics.
    Detector,
    /// Not declared, and nothing in the bytes speaks for another: windows-1252.
    Default,
}

/// Sniffs the encoding of a document. Looks at a prefix of bounded size, apart from one UTF-8 check. Plain text
/// declares nothing inside.
pub fn sniff(bytes: &[u8], content_type: Option<&str>) -> Charset {
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    byte_order_mark(bytes)
        .or_else(|| {
            content_type.and_then(media::charset_label).and_then(by_label).map(from(CharsetSource::Header))
        })
        .or_else(|| declared_inside(bytes, head, content_type))
        .unwrap_or_else(|| undeclared(bytes))
}

fn declared_inside(bytes: &[u8], head: &[u8], content_type: Option<&str>) -> Option<Charset> {
    if content_type.is_some_and(|declared| media::page_kind(Some(declared), head) == PageKind::Text) {
        return None;
    }
    prescan::prescan(head)
        .map(from(CharsetSource::Meta))
        .or_else(|| xml_declaration(head).map(from(CharsetSource::XmlDeclaration)))
        .or_else(|| {
            late_meta::find(&bytes[..bytes.len().min(LATE_META_BYTES)]).map(from(CharsetSource::Meta))
        })
}

impl Charset {
    /// The name as the Encoding Standard writes it, in lower case: `utf-8`, `shift_jis`.
    pub fn name(self) -> String {
        self.encoding.name().to_ascii_lowercase()
    }

    /// Decodes; what is malformed becomes U+FFFD. Borrows where the bytes are UTF-8 already.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        let unmarked = match self.source {
            CharsetSource::ByteOrderMark => &bytes[if self.encoding == UTF_8 { 3 } else { 2 }..],
            _ => bytes,
        };
        self.encoding.decode_without_bom_handling(unmarked).0
    }
}

fn from(source: CharsetSource) -> impl Fn(&'static Encoding) -> Charset {
    move |encoding| Charset { encoding, source }
}

fn byte_order_mark(bytes: &[u8]) -> Option<Charset> {
    Encoding::for_bom(bytes).map(|(encoding, _)| Charset { encoding, source: CharsetSource::ByteOrderMark })
}

fn by_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes())
}

/// What a label inside the document means: it was read as ASCII, so it cannot be UTF-16.
fn by_inner_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    Some(match encoding {
        e if e == UTF_16LE || e == UTF_16BE => UTF_8,
        e if e == X_USER_DEFINED => WINDOWS_1252,
        e => e,
    })
}

/// "Get an XML encoding": `<?xml … encoding="…"`, or the first letters of it in UTF-16.
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    if head.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if head.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let after = &declaration[memchr::memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let value = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|b| matches!(b, b'"' | b'\''))?;
    let label = &value[1..];
    by_inner_label(&label[..memchr::memchr(quote, label)?])
}

fn undeclared(bytes: &[u8]) -> Charset {
    if bytes.is_ascii() {
        return from(CharsetSource::Default)(WINDOWS_1252);
    }
    if is_utf8(bytes) { from(CharsetSource::Utf8)(UTF_8) } else { detected(bytes) }
}

/// UTF-8, but for a character that the end of the bytes cuts.
fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// The detector sees the bytes around the first that is not ASCII: what comes before it says nothing.
fn detected(bytes: &[u8]) -> Charset {
    let first = bytes.iter().position(|b| !b.is_ascii() || *b == 0x1b).unwrap_or(0);
    let start = first.saturating_sub(DETECTOR_BYTES / 16);
    let sample = &bytes[start..bytes.len().min(start + DETECTOR_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, start + sample.len() == bytes.len());
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let source = if encoding == WINDOWS_1252 { CharsetSource::Default } else { CharsetSource::Detector };
    Charset { encoding, source }
}
