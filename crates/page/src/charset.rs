//! Which encoding a document is in: HTML 13.2.3.2, "determining the character encoding"; of XML, XML 1.0, 4.3.3.

mod doubts;
mod late_meta;
mod prescan;

pub(crate) use doubts::doubts;

use crate::limits::{DETECTOR_BYTES, DETECTOR_MARGIN, LATE_META_BYTES, PRESCAN_BYTES};
use crate::media::{self, PageKind};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

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
    /// Not declared, and nothing in the bytes speaks for another: windows-1252, of XML UTF-8.
    Default,
}

impl fmt::Display for CharsetSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ByteOrderMark => "the byte-order mark",
            Self::Header => "Content-Type",
            Self::Meta => "a meta element",
            Self::XmlDeclaration => "the XML declaration",
            Self::Utf8 => "UTF-8 throughout",
            Self::Detector => "what the bytes look like",
            Self::Default => "the default",
        })
    }
}

/// A document in UTF-8.
pub(crate) struct Transcript<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Characters put in place of what is malformed.
    pub(crate) replaced: usize,
}

/// Sniffs the encoding of a document. Looks at a prefix of bounded size, apart from one UTF-8 check. Plain text
/// declares nothing inside.
pub fn sniff(bytes: &[u8], content_type: Option<&str>) -> Charset {
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    byte_order_mark(bytes)
        .or_else(|| {
            let mut labels = content_type.into_iter().flat_map(media::charset_labels);
            labels.find_map(by_label).map(from(CharsetSource::Header))
        })
        .or_else(|| declared_inside(bytes, head, content_type))
        .unwrap_or_else(|| undeclared(bytes))
}

fn declares_inside(head: &[u8], content_type: Option<&str>) -> bool {
    content_type.is_none_or(|declared| media::page_kind(Some(declared), head) != PageKind::Text)
}

fn declared_inside(bytes: &[u8], head: &[u8], content_type: Option<&str>) -> Option<Charset> {
    if !declares_inside(head, content_type) {
        return None;
    }
    let declaration = || xml_declaration(head).map(from(CharsetSource::XmlDeclaration));
    if content_type.is_some_and(media::is_xml)
        && let Some(found) = declaration().or_else(|| undeclared_xml(bytes))
    {
        return Some(found);
    }
    prescan::prescan(head, &mut |_| {}).map(from(CharsetSource::Meta)).or_else(declaration).or_else(|| {
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
        self.transcribe(bytes).text
    }

    pub(crate) fn transcribe(self, bytes: &[u8]) -> Transcript<'_> {
        let (text, is_malformed) = self.decoder(bytes).decode_without_bom_handling(self.unmarked(bytes));
        let replaced = if is_malformed { self.replaced(bytes, &text) } else { 0 };
        Transcript { text, replaced }
    }

    /// ASCII is the same in nearly all of them, and as UTF-8 it is read fastest.
    fn decoder(self, bytes: &[u8]) -> &'static Encoding {
        let has_ascii = self.encoding != UTF_8 && self.encoding.is_ascii_compatible();
        if has_ascii && bytes.is_ascii() { UTF_8 } else { self.encoding }
    }

    /// How many U+FFFD stand in the text; those not counted that stood in the bytes.
    fn replaced(self, bytes: &[u8], text: &str) -> usize {
        let count = |bytes| memmem::find_iter(bytes, "\u{fffd}").count();
        let written = if self.encoding == UTF_8 { count(bytes) } else { 0 };
        count(text.as_bytes()).saturating_sub(written)
    }

    /// Behind the byte-order mark.
    fn unmarked(self, bytes: &[u8]) -> &[u8] {
        match self.source {
            CharsetSource::ByteOrderMark => &bytes[if self.encoding == UTF_8 { 3 } else { 2 }..],
            _ => bytes,
        }
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
    let after = &declaration[memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let value = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|b| matches!(b, b'"' | b'\''))?;
    let label = &value[1..];
    by_inner_label(&label[..memchr::memchr(quote, label)?])
}

/// XML that declares nothing is in UTF-8 (XML 1.0, 4.3.3). Where it plainly is not, it is read as HTML is.
fn undeclared_xml(bytes: &[u8]) -> Option<Charset> {
    let source = if bytes.is_ascii() { CharsetSource::Default } else { CharsetSource::Utf8 };
    (is_utf8(bytes) || is_mostly_utf8(bytes)).then(|| from(source)(UTF_8))
}

/// Characters of several bytes are not there by chance; a few that are malformed are.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut sound, mut malformed) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        sound += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        malformed += usize::from(!chunk.invalid().is_empty());
    }
    sound > malformed
}

/// Begins the shifts of ISO-2022-JP, the one encoding of the web whose bytes are ASCII and mean something else.
const ESCAPE: u8 = 0x1b;

fn undeclared(bytes: &[u8]) -> Charset {
    let is_shifted = || memchr::memchr(ESCAPE, bytes).is_some();
    match bytes.is_ascii() {
        true if !is_shifted() => {
            let default = from(CharsetSource::Default)(WINDOWS_1252);
            ascii_in_utf16(bytes).map_or(default, from(CharsetSource::Detector))
        }
        false if is_utf8(bytes) => from(CharsetSource::Utf8)(UTF_8),
        _ => detected(bytes),
    }
}

/// As Firefox tells it: every other byte of what browsers look at is zero, and none of those between.
fn ascii_in_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    const LEAST: usize = 8;
    let (pairs, _) = bytes[..bytes.len().min(PRESCAN_BYTES)].as_chunks::<2>();
    let all = |is: fn(&[u8; 2]) -> bool| pairs.len() >= LEAST && pairs.iter().all(is);
    if all(|pair| matches!(pair, [1..=255, 0])) {
        return Some(UTF_16LE);
    }
    all(|pair| matches!(pair, [0, 1..=255])).then_some(UTF_16BE)
}

/// UTF-8, but for a character that the end of the bytes cuts; not if that would be the only one. Nothing checks
/// faster than what decodes it.
fn is_utf8(bytes: &[u8]) -> bool {
    let valid = &bytes[..Encoding::utf8_valid_up_to(bytes)];
    let Err(error) = std::str::from_utf8(&bytes[valid.len()..]) else { return true };
    error.error_len().is_none() && !valid.is_ascii()
}

/// The stretches in which there is no byte so far from all that are not ASCII. Behind a shift any byte may be half a character: all from
/// there on is one.
fn telling(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut behind = 0;
    std::iter::from_fn(move || {
        let tells = |byte: &u8| !byte.is_ascii() || *byte == ESCAPE;
        let first = behind + bytes[behind..].iter().position(tells)?;
        let start = first.saturating_sub(DETECTOR_MARGIN).max(behind);
        behind = first;
        while bytes[behind] != ESCAPE {
            let near = &bytes[behind + 1..bytes.len().min(behind + 2 * DETECTOR_MARGIN)];
            let Some(next) = near.iter().rposition(tells) else {
                behind = bytes.len().min(behind + DETECTOR_MARGIN);
                return Some(&bytes[start..behind]);
            };
            behind += 1 + next;
        }
        behind = bytes.len();
        Some(&bytes[start..])
    })
}

/// The detector sees what stands near bytes that are not ASCII: the rest says nothing.
fn detected(bytes: &[u8]) -> Charset {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let mut seen = 0;
    for piece in telling(bytes) {
        if seen > 0 {
            detector.feed(b" ", false);
        }
        let piece = &piece[..piece.len().min(DETECTOR_BYTES - seen)];
        detector.feed(piece, false);
        seen += piece.len();
        if seen == DETECTOR_BYTES {
            break;
        }
    }
    detector.feed(b"", seen < DETECTOR_BYTES);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let source = if encoding == WINDOWS_1252 { CharsetSource::Default } else { CharsetSource::Detector };
    Charset { encoding, source }
}
