//! What kind of document it is: the declared type first, the first bytes where it is missing or says nothing.

use crate::magic::begins_file;
use memchr::memmem;
use serde::{Deserialize, Serialize};

/// How a document is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageKind {
    /// HTML, or XHTML under any type.
    Html,
    /// XML that is neither XHTML nor a feed: SVG, documents.
    Xml,
    /// XML that lists pages: RSS, Atom, RDF, a sitemap. Its links are taken; what it has of words belongs to those pages.
    Feed,
    /// Plain text.
    Text,
    /// Anything else: nothing but its digest is taken.
    Other,
}

impl PageKind {
    /// Whether it has a text of its own.
    pub fn has_text(self) -> bool {
        !matches!(self, Self::Feed | Self::Other)
    }
}

/// The kind of a document of this Content-Type that begins with these decoded bytes. Browsers look for nothing but feeds behind a type of
/// markup (MIME Sniffing 7), and show gibberish where a file is sent as a page; in a corpus it would stand among the words.
pub fn page_kind(content_type: Option<&str>, bytes: &[u8]) -> PageKind {
    match said_kind(content_type, bytes) {
        PageKind::Html | PageKind::Xml if begins_file(bytes) => PageKind::Other,
        kind => kind,
    }
}

fn said_kind(content_type: Option<&str>, bytes: &[u8]) -> PageKind {
    let essence = content_type.map(essence).unwrap_or_default();
    match essence.as_str() {
        "text/html" if begins_feed(bytes) => PageKind::Feed,
        "text/html" | "application/xhtml+xml" => PageKind::Html,
        "text/plain" if says_little(content_type) && is_binary(bytes) => PageKind::Other,
        "text/plain" | "text/markdown" | "text/x-markdown" | "text/csv" | "text/tab-separated-values" => {
            PageKind::Text
        }
        "" | "unknown/unknown" | "application/unknown" | "*/*" => sniffed(bytes),
        _ if is_xml(&essence) => xml_kind(bytes),
        _ if stdx::media_type(&essence).is_none() => sniffed(bytes),
        _ => PageKind::Other,
    }
}

/// What all Content-Types of a response say together (Fetch, "extract a MIME type"): the last that names a type counts, unless it
/// only says less than one before it, the same without its charset. Where none names a type it is the first.
pub fn declared_type<'a>(mut values: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let names_one = |value: &&str| !matches!(stdx::media_type(&essence(value)), None | Some(("*", "*")));
    let says_less =
        |value: &str, than: &str| essence(value) == essence(than) && charset_labels(value).next().is_none();
    let last = |found: &'a str, value: &'a str| if says_less(value, found) { found } else { value };
    values.clone().flat_map(stdx::list_members).filter(names_one).reduce(last).or_else(|| values.next())
}

/// `text/html` of `Text/HTML; charset=utf-8`.
pub fn essence(content_type: &str) -> String {
    let end = content_type.find([';', ',']).unwrap_or(content_type.len());
    content_type[..end].trim().to_ascii_lowercase()
}

/// Whether it is XML by its type, XHTML too (MIME Sniffing, 4.6).
pub(crate) fn is_xml(content_type: &str) -> bool {
    let essence = essence(content_type);
    matches!(essence.as_str(), "text/xml" | "application/xml") || essence.ends_with("+xml")
}

/// The values of the `charset` parameters, quoted or not; the first that is a label counts.
pub(crate) fn charset_labels(content_type: &str) -> impl Iterator<Item = &str> {
    let mut rest = content_type.split_once(';').map_or("", |(_, parameters)| parameters);
    let labels = std::iter::from_fn(move || {
        loop {
            let equals = rest.find(['=', ';'])?;
            let (name, value) = (rest[..equals].trim_start(), &rest[equals..]);
            let Some(value) = value.strip_prefix('=') else {
                rest = &value[1..];
                continue;
            };
            let (value, after) = parameter_value(value);
            rest = after;
            if name.eq_ignore_ascii_case("charset") {
                return Some(value);
            }
        }
    });
    labels.filter(|label| !label.is_empty())
}

/// A parameter's value and what follows its semicolon. An unquoted one ends at a comma too: some servers join
/// two headers.
fn parameter_value(text: &str) -> (&str, &str) {
    let after = |rest: &str| rest.find(';').map_or(rest.len(), |at| at + 1);
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"').unwrap_or(quoted.len());
        let rest = &quoted[end..];
        return (&quoted[..end], &rest[after(rest)..]);
    }
    let end = text.find([';', ',']).unwrap_or(text.len());
    (text[..end].trim_end(), &text[after(text)..])
}

/// XHTML is read as HTML even where it is sent as XML.
fn xml_kind(bytes: &[u8]) -> PageKind {
    const ROOT_WITHIN: usize = 1024;
    if begins_feed(bytes) {
        return PageKind::Feed;
    }
    let head = &bytes[..bytes.len().min(ROOT_WITHIN)];
    let is_html = memmem::find(head, b"<html")
        .is_some_and(|at| head.get(at + 5).is_some_and(|byte| markup::ends_name(*byte)));
    if is_html { PageKind::Html } else { PageKind::Xml }
}

/// Whether it is a feed, which many servers send as HTML (MIME Sniffing 7.3).
fn begins_feed(bytes: &[u8]) -> bool {
    const WITHIN: usize = 4096;
    let head = &bytes[..bytes.len().min(WITHIN)];
    let narrow = narrowed(head);
    let mut rest = unmarked(narrow.as_deref().unwrap_or(head));
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            // `]` ends the declarations within a document type.
            [b'<', b'!', ..] | [b']', ..] => b">",
            [b'<', b'?', ..] => b"?>",
            _ => break,
        };
        let Some(at) = memmem::find(rest, end) else { return false };
        rest = &rest[at + end.len()..];
    }
    root_name(rest).is_some_and(|name| LISTS.contains(&name))
}

/// UTF-16 of which something is to be seen in ASCII, with a mark before it or a `<`; what is none becomes `?`.
fn narrowed(head: &[u8]) -> Option<Vec<u8>> {
    let (units, high) = match head {
        [0xff, 0xfe, units @ ..] => (units, 1),
        [0xfe, 0xff, units @ ..] => (units, 0),
        [b'<', 0, ..] => (head, 1),
        [0, b'<', ..] => (head, 0),
        _ => return None,
    };
    let (units, _) = units.as_chunks::<2>();
    Some(units.iter().map(|unit| if unit[high] == 0 { unit[1 - high] } else { b'?' }).collect())
}

/// The roots of what lists pages.
const LISTS: [&[u8]; 5] = [b"rss", b"feed", b"RDF", b"urlset", b"sitemapindex"];

/// The name of the element that begins here, without its prefix.
fn root_name(bytes: &[u8]) -> Option<&[u8]> {
    let name = bytes.strip_prefix(b"<")?;
    let name = &name[..name.iter().position(|byte| markup::ends_name(*byte))?];
    name.rsplit(|byte| *byte == b':').next()
}

/// Whether `text/plain` may be what a server says of files that it does not know (MIME Sniffing 5.1, of which Apache is the reason).
fn says_little(content_type: Option<&str>) -> bool {
    let is_usual =
        |label: &str| ["utf-8", "iso-8859-1"].iter().any(|usual| label.eq_ignore_ascii_case(usual));
    content_type.into_iter().flat_map(charset_labels).all(is_usual)
}

/// The rules of MIME Sniffing 7.1 that tell HTML, XML and text apart.
fn sniffed(bytes: &[u8]) -> PageKind {
    let start = unmarked(&bytes[..bytes.len().min(SNIFFED_BYTES)]).trim_ascii_start();
    if markup::begins_html(start) {
        return PageKind::Html;
    }
    if start.starts_with(b"<?xml") {
        return xml_kind(start);
    }
    if is_binary(bytes) { PageKind::Other } else { PageKind::Text }
}

/// As much as MIME Sniffing looks at.
const SNIFFED_BYTES: usize = 1445;

/// Whether there is a byte that no text has (MIME Sniffing 7.2).
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    let utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let binary = |b: &u8| matches!(b, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    !utf16 && head.iter().any(binary)
}

fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
