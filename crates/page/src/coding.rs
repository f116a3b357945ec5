mod members;
mod unpacking;
mod zlib;

pub use unpacking::{Findings, Open, Unpacking, unpack};

use crate::Warning;
use crate::unpacked::Room;
use members::MAGIC;
use memchr::memmem;
use std::borrow::Cow;
use std::io::{BufRead, Read};

/// A body with its content-codings undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// What came out; the input itself where there was no coding.
    pub bytes: Cow<'a, [u8]>,
    /// Whether all of it came out: neither broken, nor cut short, nor beyond the cap.
    pub complete: bool,
    /// Whether the cap was reached.
    pub capped: bool,
    /// What was wrong.
    pub warnings: Vec<Warning>,
}

/// Undoes the codings that a `Content-Encoding` header lists (RFC 9110, section 8.4), at most three, the last
/// first. Produces at most `cap` bytes; what could be decoded of a broken or truncated body is kept. [`unpack`] does
/// the same as a stream.
pub fn decode_body<'a>(body: &'a [u8], content_encoding: Option<&str>, cap: usize) -> Decoded<'a> {
    if is_plain(content_encoding) {
        let bytes = Cow::Borrowed(&body[..body.len().min(cap)]);
        let capped = bytes.len() < body.len();
        return Decoded { bytes, complete: !capped, capped, warnings: Vec::new() };
    }
    let mut room = Room::default();
    if gunzip_into(&mut room, body, content_encoding, cap).is_some() {
        return Decoded {
            bytes: Cow::Owned(room.bytes),
            complete: true,
            capped: false,
            warnings: Vec::new(),
        };
    }
    let open = || Ok(Box::new(body) as Box<dyn BufRead>);
    let mut unpacking = unpack(&open, content_encoding, cap).expect("memory can be read");
    let mut bytes = Vec::new();
    unpacking.read_to_end(&mut bytes).expect("memory can be read");
    let Findings { complete, capped, warnings } = unpacking.findings();
    Decoded { bytes: Cow::Owned(bytes), complete, capped, warnings }
}

/// Whether there is nothing to undo.
pub(crate) fn is_plain(content_encoding: Option<&str>) -> bool {
    content_encoding.is_none_or(|header| names(header).is_empty())
}

/// The codings that a header lists.
fn names(header: &str) -> Vec<&str> {
    let all = header.split(',').map(str::trim);
    all.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity")).collect()
}

/// The fast path: gzip alone, one member, whose trailer says how long it becomes. Anything unusual is left to the slow
/// one.
pub(crate) fn gunzip_into<'r>(
    room: &'r mut Room,
    body: &[u8],
    content_encoding: Option<&str>,
    cap: usize,
) -> Option<&'r [u8]> {
    const HIGHEST_RATIO: usize = 1032;
    let coding = content_encoding.unwrap_or_default().trim();
    if !coding.eq_ignore_ascii_case("gzip") && !coding.eq_ignore_ascii_case("x-gzip") {
        return None;
    }
    let trailer = body.get(body.len().checked_sub(4)?..)?;
    let size = u32::from_le_bytes(trailer.try_into().ok()?) as usize;
    let plausible = size <= cap && size <= body.len().saturating_mul(HIGHEST_RATIO);
    if !plausible || !body.starts_with(&MAGIC) || memmem::find(&body[1..], &MAGIC).is_some() {
        return None;
    }
    if room.bytes.len() < size {
        room.bytes = vec![0; size];
    }
    let bytes = &mut room.bytes[..size];
    let written = room.gunzip.gzip_decompress(body, bytes).ok()?;
    (written == size).then_some(&*bytes)
}
