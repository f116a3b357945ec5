use crate::http::HttpMessage;
use crate::inflate::gunzip_prefix;
use crate::limits::{BUFFER_BYTES, SNIFF_BYTES};
use std::borrow::Cow;

/// What the payload of a response is: its `WARC-Identified-Payload-Type`. The first [`BUFFER_BYTES`] of it serve as
/// well as all.
///
/// Looks through gzip; under another content coding the server's word has to do. `None` for an empty
/// payload, or where neither bytes nor header tell.
pub fn identify_payload(http: HttpMessage<'_>) -> Option<String> {
    if http.payload.is_empty() {
        return None;
    }
    let http = HttpMessage { payload: &http.payload[..http.payload.len().min(BUFFER_BYTES)], ..http };
    let declared = http.media_type().filter(|media_type| stdx::media_type(media_type).is_some());
    if !http.is_content_coded() {
        return Some(identify(http.payload, declared.as_deref()).into_owned());
    }
    let plain = gunzip_prefix(http.payload, SNIFF_BYTES);
    if plain.is_empty() {
        return declared;
    }
    Some(identify(&plain, declared.as_deref()).into_owned())
}

/// What `payload` is by its first [`SNIFF_BYTES`], after the tables of the WHATWG MIME sniffing standard
/// (section 7), with XML and JSON told apart from text. Among kinds of text that bytes do not tell apart
/// the `declared` one is believed.
pub fn identify<'a>(payload: &[u8], declared: Option<&'a str>) -> Cow<'a, str> {
    let prefix = &payload[..payload.len().min(SNIFF_BYTES)];
    let found = by_magic(prefix).unwrap_or_else(|| by_text(prefix));
    match declared {
        Some(kind) if found == TEXT && is_textual(kind) => Cow::Borrowed(kind),
        Some(kind) if found == BINARY && !is_textual(kind) => Cow::Borrowed(kind),
        _ => Cow::Borrowed(found),
    }
}

const TEXT: &str = "text/plain";
const BINARY: &str = "application/octet-stream";

const MAGIC: [(&[u8], &str); 27] = [
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\x89PNG\r\n\x1A\n", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\x1F\x8B\x08", "application/gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"Rar!\x1A\x07", "application/x-rar-compressed"),
    (b"7z\xBC\xAF\x27\x1C", "application/x-7z-compressed"),
    (b"\xFD7zXZ\0", "application/x-xz"),
    (b"BZh", "application/x-bzip2"),
    (b"\x28\xB5\x2F\xFD", "application/zstd"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO", "font/otf"),
    (b"ID3", "audio/mpeg"),
    (b"OggS\0", "application/ogg"),
    (b"\x1A\x45\xDF\xA3", "video/webm"),
    (b"\0asm", "application/wasm"),
    (b"\x7FELF", "application/x-executable"),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "application/x-ole-storage"),
];

const XML_ROOTS: [(&[u8], &str); 4] = [
    (b"<rss", "application/rss+xml"),
    (b"<feed", "application/atom+xml"),
    (b"<svg", "image/svg+xml"),
    (b"<urlset", "application/xml"),
];

fn by_magic(prefix: &[u8]) -> Option<&'static str> {
    let container = |at: usize, tag: &[u8]| prefix.get(at..).is_some_and(|rest| rest.starts_with(tag));
    if prefix.starts_with(b"RIFF") {
        return container(8, b"WEBP")
            .then_some("image/webp")
            .or(container(8, b"WAVE").then_some("audio/wave"));
    }
    if container(4, b"ftyp") {
        return Some(if container(8, b"avif") { "image/avif" } else { "video/mp4" });
    }
    let hit = MAGIC.iter().find(|(magic, _)| prefix.starts_with(magic));
    hit.filter(|(magic, _)| magic.len() > 4 || prefix.iter().any(|&b| is_binary(b))).map(|&(_, kind)| kind)
}

fn by_text(prefix: &[u8]) -> &'static str {
    if prefix.starts_with(b"\xFE\xFF") || prefix.starts_with(b"\xFF\xFE") {
        return by_markup(&utf16_ascii(prefix)).unwrap_or(TEXT);
    }
    let text = prefix.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(prefix);
    if let Some(kind) = by_markup(text.trim_ascii_start()) {
        return kind;
    }
    if text.iter().any(|&b| is_binary(b)) { BINARY } else { TEXT }
}

fn by_markup(text: &[u8]) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    if lower.starts_with(b"<?xml") || lower.starts_with(b"<!--") || lower.starts_with(b"<!doctype") {
        return Some(by_root(&lower));
    }
    if markup::begins_html(text) {
        return Some("text/html");
    }
    let root = XML_ROOTS.iter().find(|(root, _)| is_tag(&lower, root));
    root.map(|&(_, kind)| kind).or_else(|| is_json(text).then_some("application/json"))
}

/// The kind of a document that begins with a declaration or a comment: its first known root decides.
fn by_root(lower: &[u8]) -> &'static str {
    let holds = |tag: &[u8]| memchr::memmem::find(lower, tag).is_some();
    let xml = lower.starts_with(b"<?xml");
    match () {
        () if holds(b"<html") || holds(b"<!doctype html") => {
            if xml {
                "application/xhtml+xml"
            } else {
                "text/html"
            }
        }
        () if holds(b"<rss") => "application/rss+xml",
        () if holds(b"<feed") => "application/atom+xml",
        () if holds(b"<svg") => "image/svg+xml",
        () if xml => "application/xml",
        () => "text/html",
    }
}

fn is_tag(lower: &[u8], tag: &[u8]) -> bool {
    let Some(rest) = lower.strip_prefix(tag) else { return false };
    rest.first().is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
}

/// An object that begins with a member, or an array that begins with a value.
fn is_json(text: &[u8]) -> bool {
    let second = |rest: &[u8]| rest.trim_ascii_start().first().copied();
    match text.split_first() {
        Some((b'{', rest)) => matches!(second(rest), Some(b'"' | b'}')),
        Some((b'[', rest)) => matches!(second(rest), Some(b'"' | b'{' | b'[' | b']' | b'0'..=b'9' | b'-')),
        _ => false,
    }
}

/// WHATWG, section 3: a binary data byte.
fn is_binary(byte: u8) -> bool {
    matches!(byte, 0x00..=0x08 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F)
}

fn is_textual(kind: &str) -> bool {
    const MARKS: [&str; 5] = ["json", "xml", "javascript", "ecmascript", "x-www-form"];
    kind.starts_with("text/") || MARKS.iter().any(|mark| kind.contains(mark))
}

fn utf16_ascii(prefix: &[u8]) -> Vec<u8> {
    let text: Vec<u8> = prefix[2..].iter().copied().filter(|&b| b != 0).collect();
    text.trim_ascii_start().to_vec()
}
