use crate::Warning;
use crate::limits::{CODINGS, ZSTD_WINDOW_LOG};
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use memchr::memmem;
use std::borrow::Cow;
use std::io::{self, Read};

/// A body with its content-codings undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// What came out; the input itself where there was nothing to undo.
    pub bytes: Cow<'a, [u8]>,
    /// Whether all of it came out: neither broken, nor cut short, nor beyond the cap.
    pub complete: bool,
    /// Whether the cap was reached.
    pub capped: bool,
    /// What was wrong.
    pub warnings: Vec<Warning>,
}

/// Undoes the codings that a `Content-Encoding` header lists (RFC 9110, section 8.4), at most three, the last
/// first. Produces at most `cap` bytes; what could be decoded of a broken or truncated body is kept.
pub fn decode_body<'a>(body: &'a [u8], content_encoding: Option<&str>, cap: usize) -> Decoded<'a> {
    let mut decoded =
        Decoded { bytes: Cow::Borrowed(body), complete: true, capped: false, warnings: Vec::new() };
    let codings: Vec<&str> = content_encoding.map(names).unwrap_or_default();
    if codings.len() > CODINGS {
        decoded.complete = false;
        decoded.warnings.push(Warning::TooManyCodings(codings.len()));
        return decoded;
    }
    for name in codings.into_iter().rev() {
        decoded.undo(name, cap);
    }
    decoded.cut_to(cap);
    decoded
}

fn names(header: &str) -> Vec<&str> {
    let all = header.split(',').map(str::trim);
    all.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity")).collect()
}

impl Decoded<'_> {
    fn undo(&mut self, name: &str, cap: usize) {
        if self.bytes.is_empty() {
            return;
        }
        let Some(inflated) = inflate(&self.bytes, name, cap) else {
            self.complete = false;
            self.warnings.push(Warning::UnknownCoding(name.chars().take(32).collect()));
            return;
        };
        if inflated.bytes.is_empty() && inflated.end == End::Broken {
            self.warnings.push(Warning::NotCoded(name.to_ascii_lowercase()));
            return;
        }
        self.bytes = Cow::Owned(inflated.bytes);
        match inflated.end {
            End::Whole => {}
            End::Capped => self.capped = true,
            End::Broken => self.warnings.push(Warning::BrokenCoding(name.to_ascii_lowercase())),
        }
        self.complete &= inflated.end == End::Whole;
    }

    fn cut_to(&mut self, cap: usize) {
        if self.bytes.len() <= cap {
            return;
        }
        self.capped = true;
        self.complete = false;
        match &mut self.bytes {
            Cow::Borrowed(bytes) => *bytes = &bytes[..cap],
            Cow::Owned(bytes) => bytes.truncate(cap),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    Capped,
    Broken,
}

struct Inflated {
    bytes: Vec<u8>,
    end: End,
}

fn inflate(body: &[u8], name: &str, cap: usize) -> Option<Inflated> {
    match name.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => Some(gunzip(body, cap)),
        "deflate" => Some(inflate_deflate(body, cap)),
        "br" => Some(read_capped(brotli_decompressor::Decompressor::new(body, 4096), cap, Vec::new())),
        "zstd" => Some(unzstd(body, cap)),
        _ => None,
    }
}

fn gunzip(body: &[u8], cap: usize) -> Inflated {
    match gunzip_whole(body, cap) {
        Some(bytes) => Inflated { bytes, end: End::Whole },
        None => gunzip_members(body, cap),
    }
}

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b, 8];

/// The fast path: one member whose trailer says how long it becomes. Anything unusual is left to the slow one.
fn gunzip_whole(body: &[u8], cap: usize) -> Option<Vec<u8>> {
    const HIGHEST_RATIO: usize = 1032;
    let trailer = body.get(body.len().checked_sub(4)?..)?;
    let size = u32::from_le_bytes(trailer.try_into().ok()?) as usize;
    let plausible = size <= cap && size <= body.len().saturating_mul(HIGHEST_RATIO);
    if !plausible || !body.starts_with(GZIP_MAGIC) || memmem::find(&body[1..], GZIP_MAGIC).is_some() {
        return None;
    }
    let mut bytes = vec![0; size];
    let written = libdeflater::Decompressor::new().gzip_decompress(body, &mut bytes).ok()?;
    (written == size).then_some(bytes)
}

/// Member by member, as a stream; what follows the last member is ignored, as browsers do.
fn gunzip_members(body: &[u8], cap: usize) -> Inflated {
    let mut rest = body;
    let mut bytes = Vec::new();
    loop {
        let mut member = GzDecoder::new(rest);
        let inflated = read_capped(&mut member, cap, bytes);
        rest = member.into_inner();
        if inflated.end != End::Whole || !rest.starts_with(GZIP_MAGIC) {
            return inflated;
        }
        bytes = inflated.bytes;
    }
}

/// `deflate` means zlib (RFC 9110, section 8.4.1.2), but some servers send the bare stream.
fn inflate_deflate(body: &[u8], cap: usize) -> Inflated {
    let zlib = read_capped(ZlibDecoder::new(body), cap, Vec::new());
    if zlib.end == End::Broken && zlib.bytes.is_empty() {
        return read_capped(DeflateDecoder::new(body), cap, Vec::new());
    }
    zlib
}

fn unzstd(body: &[u8], cap: usize) -> Inflated {
    let broken = |_: io::Error| Inflated { bytes: Vec::new(), end: End::Broken };
    let open = || {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(body)?;
        decoder.window_log_max(ZSTD_WINDOW_LOG)?;
        Ok(decoder)
    };
    open().map_or_else(broken, |decoder| read_capped(decoder, cap, Vec::new()))
}

/// Appends what the reader gives, to `cap` bytes in all; one byte more tells whether there was more.
fn read_capped(mut reader: impl Read, cap: usize, mut bytes: Vec<u8>) -> Inflated {
    const STEP: usize = 64 << 10;
    loop {
        let filled = bytes.len();
        if filled > cap {
            bytes.truncate(cap);
            return Inflated { bytes, end: End::Capped };
        }
        bytes.resize(filled + STEP.max(filled / 2).min(cap + 1 - filled), 0);
        let read = reader.read(&mut bytes[filled..]);
        bytes.truncate(filled + read.as_ref().map_or(0, |n| *n));
        match read {
            Ok(0) => return Inflated { bytes, end: End::Whole },
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Inflated { bytes, end: End::Broken },
        }
    }
}
