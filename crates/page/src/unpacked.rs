use crate::coding::{Findings, Open, gunzip_into, is_plain, unpack};
use crate::limits::Limits;
use libdeflater::Decompressor;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead};

/// A body with its content-codings undone: the start of it, which is parsed, and what is known of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked<'a> {
    /// Its first bytes, as many as are parsed.
    pub start: Cow<'a, [u8]>,
    /// Bytes of the whole.
    pub len: u64,
    /// What undoing the codings has shown.
    pub findings: Findings,
}

/// Memory that bodies are unpacked into, one after the other: as much as the largest has taken, at most twice what is parsed.
#[derive(Default)]
pub struct Room {
    pub(crate) bytes: Vec<u8>,
    /// The tables of what unpacks them.
    pub(crate) gunzip: Decompressor,
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Room({} bytes)", self.bytes.len())
    }
}

impl<'a> Unpacked<'a> {
    /// Of a body in memory, with room for what comes out.
    pub fn of(body: &'a [u8], content_encoding: Option<&str>, limits: &Limits, room: &'a mut Room) -> Self {
        if is_plain(content_encoding) {
            let start = Cow::Borrowed(&body[..body.len().min(limits.parsed_bytes)]);
            return Self { start, len: body.len() as u64, findings: Findings::default() };
        }
        let at_once = limits.decoded_bytes.min(2 * limits.parsed_bytes);
        if let Some(whole) = gunzip_into(room, body, content_encoding, at_once) {
            let start = Cow::Borrowed(&whole[..whole.len().min(limits.parsed_bytes)]);
            return Self { start, len: whole.len() as u64, findings: Findings::default() };
        }
        let open = || Ok(Box::new(body) as Box<dyn BufRead>);
        Unpacked::read(&open, content_encoding, limits).expect("memory can be read")
    }
}

impl Unpacked<'static> {
    /// Of a body wherever it is; no more than its start is ever in memory.
    pub fn read(open: Open<'_, '_>, content_encoding: Option<&str>, limits: &Limits) -> io::Result<Self> {
        let cap = if is_plain(content_encoding) { usize::MAX } else { limits.decoded_bytes };
        let mut unpacking = unpack(open, content_encoding, cap)?;
        let (mut start, mut len) = (Vec::new(), 0);
        loop {
            let bytes = unpacking.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            let room = limits.parsed_bytes - start.len();
            start.extend_from_slice(&bytes[..bytes.len().min(room)]);
            let taken = bytes.len();
            len += taken as u64;
            unpacking.consume(taken);
        }
        Ok(Self { start: Cow::Owned(start), len, findings: unpacking.findings() })
    }
}
