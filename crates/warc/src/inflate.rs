//! Bytes out of a file of gzip members, or out of a plain file, and where each member begins and ends.

use crate::limits::{BEHIND_BYTES, BUFFER_BYTES, GLANCE_BYTES, REPEATS};
use crate::read::ReadErrorKind;
use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;
use std::io::{self, Read};

/// A file as a row of members. A plain file is one member.
pub(crate) struct Members<R> {
    input: Input<R>,
    gzip: Option<Box<Inflater>>,
    /// How far a search has come that began anew further back.
    searched_to: u64,
    /// Bytes that searches have gone over again.
    repeated: u64,
}

impl<R: Read> Members<R> {
    pub(crate) fn new(read: R) -> Self {
        Self::with_buffers(read, BUFFER_BYTES)
    }

    /// With buffers of `bytes`: small ones for a glance.
    fn with_buffers(read: R, bytes: usize) -> Self {
        Self { input: Input::new(read, bytes), gzip: None, searched_to: 0, repeated: 0 }
    }

    /// With [`BEHIND_BYTES`] at hand of what has been read, for whoever wants to go on where the file is broken.
    pub(crate) fn searching(read: R) -> Self {
        let mut members = Self::with_buffers(read, BEHIND_BYTES + 2 * BUFFER_BYTES);
        members.input.behind = BEHIND_BYTES;
        members
    }

    /// Whether the file is compressed; known after the first [`Self::begin`].
    pub(crate) fn is_gzip(&self) -> bool {
        self.gzip.is_some()
    }

    /// Starts the next member; `false` at the end of the file.
    pub(crate) fn begin(&mut self) -> Result<bool, ReadErrorKind> {
        if !self.input.refill()? {
            return Ok(false);
        }
        if self.input.position() == 0 && self.input.starts_with(&MAGIC)? {
            self.gzip = Some(Box::new(Inflater::new(self.input.buffer.len().min(BUFFER_BYTES))));
        }
        if let Some(inflater) = &mut self.gzip {
            skip_gzip_header(&mut self.input)?;
            inflater.reset();
        }
        Ok(true)
    }

    /// Makes [`Self::bytes`] non-empty; `false` at the end of the member.
    pub(crate) fn refill(&mut self) -> Result<bool, ReadErrorKind> {
        match &mut self.gzip {
            None => Ok(self.input.refill()?),
            Some(inflater) => inflater.refill(&mut self.input),
        }
    }

    /// Decoded bytes at hand.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.gzip.as_ref().map_or_else(|| self.input.bytes(), |inflater| inflater.bytes())
    }

    /// Steps over bytes at hand.
    pub(crate) fn consume(&mut self, count: usize) {
        match &mut self.gzip {
            None => self.input.consume(count),
            Some(inflater) => inflater.start += count,
        }
    }

    /// Offset in the file: exact between members, and anywhere in a plain file.
    pub(crate) fn position(&self) -> u64 {
        self.input.position()
    }

    /// Goes to the end of a compressed member; `false` if it has none that its checksum bears out.
    pub(crate) fn skip_member(&mut self) -> bool {
        while let (true, Ok(more)) = (self.is_gzip(), self.refill()) {
            if !more {
                return true;
            }
            self.consume(self.bytes().len());
        }
        false
    }

    /// Back to where the record behind the one at `broken` may begin: a decoder does not know that it has left a broken member, and takes
    /// what follows for a part of it. Where broken members lie one behind the other, the search for each goes over the same bytes; once that is
    /// too much, none is gone over more than twice.
    pub(crate) fn go_back(&mut self, broken: u64) {
        let came_to = self.position();
        let again = came_to.saturating_sub(broken);
        let may_repeat = self.repeated + again <= REPEATS * came_to;
        let from = if may_repeat { broken + 1 } else { self.searched_to.max(broken + 1) };
        self.input.go_back(from);
        self.repeated += came_to.saturating_sub(from);
        self.searched_to = self.searched_to.max(came_to);
    }

    /// Goes to the next member that holds a record, or in a plain file to the next line that begins one; `false` if there is none.
    pub(crate) fn find_record(&mut self) -> io::Result<bool> {
        let sign: &[u8] = if self.is_gzip() { &MEMBER } else { b"\nWARC/" };
        loop {
            let follows = self.input.fill(GLANCE_BYTES)?;
            let at_hand = self.input.bytes().len();
            match memmem::find(self.input.bytes(), sign) {
                None if !follows => {
                    self.input.consume(at_hand);
                    return Ok(false);
                }
                None => self.input.consume(at_hand + 1 - sign.len()),
                Some(0) if !self.is_gzip() => {
                    self.input.consume(1);
                    return Ok(true);
                }
                Some(0) if begins_record(self.input.bytes()) => return Ok(true),
                Some(0) => self.input.consume(1),
                Some(at) => self.input.consume(at),
            }
        }
    }
}

/// Whether a gzip member begins here that holds a record.
fn begins_record(bytes: &[u8]) -> bool {
    gunzip_prefix(&bytes[..bytes.len().min(GLANCE_BYTES)], VERSION.len()) == VERSION
}

/// The first bytes of gzip-coded `data`, decoded, at most `limit`; what could be had if it is broken.
pub(crate) fn gunzip_prefix(data: &[u8], limit: usize) -> Vec<u8> {
    let mut members = Members::with_buffers(data, limit.max(MAGIC.len()));
    let mut out = Vec::new();
    if !matches!(members.begin(), Ok(true)) || !members.is_gzip() {
        return out;
    }
    while out.len() < limit && matches!(members.refill(), Ok(true)) {
        let take = members.bytes().len().min(limit - out.len());
        out.extend_from_slice(&members.bytes()[..take]);
        members.consume(take);
    }
    out
}

const MAGIC: [u8; 2] = [0x1F, 0x8B];
/// How a member begins that is deflated, as all are (RFC 1952, section 2.3.1).
const MEMBER: [u8; 3] = [0x1F, 0x8B, 8];
/// How a record begins.
const VERSION: &[u8] = b"WARC/";

struct Inflater {
    state: Decompress,
    crc: crc32fast::Hasher,
    size: u32,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
}

impl Inflater {
    fn new(buffer_bytes: usize) -> Self {
        Self {
            state: Decompress::new(false),
            crc: crc32fast::Hasher::new(),
            size: 0,
            buffer: vec![0; buffer_bytes],
            start: 0,
            end: 0,
            ended: false,
        }
    }

    fn reset(&mut self) {
        self.state.reset(false);
        self.crc = crc32fast::Hasher::new();
        (self.size, self.start, self.end, self.ended) = (0, 0, 0, false);
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn refill<R: Read>(&mut self, input: &mut Input<R>) -> Result<bool, ReadErrorKind> {
        while self.start == self.end {
            if self.ended {
                return Ok(false);
            }
            self.inflate(input)?;
        }
        Ok(true)
    }

    fn inflate<R: Read>(&mut self, input: &mut Input<R>) -> Result<(), ReadErrorKind> {
        if !input.refill()? {
            return Err(ReadErrorKind::Truncated);
        }
        let before = (self.state.total_in(), self.state.total_out());
        let status = self.state.decompress(input.bytes(), &mut self.buffer, FlushDecompress::None);
        let status = status.map_err(|_| ReadErrorKind::Gzip("not deflate data"))?;
        let taken = (self.state.total_in() - before.0) as usize;
        let made = (self.state.total_out() - before.1) as usize;
        input.consume(taken);
        (self.start, self.end) = (0, made);
        self.crc.update(&self.buffer[..made]);
        self.size = self.size.wrapping_add(made as u32);
        match status {
            Status::StreamEnd => self.finish(input),
            _ if taken == 0 && made == 0 => Err(ReadErrorKind::Gzip("the decoder is stuck")),
            _ => Ok(()),
        }
    }

    fn finish<R: Read>(&mut self, input: &mut Input<R>) -> Result<(), ReadErrorKind> {
        let crc = u32::from_le_bytes(input.take()?);
        let size = u32::from_le_bytes(input.take()?);
        if crc != self.crc.clone().finalize() || size != self.size {
            return Err(ReadErrorKind::Gzip("the checksum of the member is wrong"));
        }
        self.ended = true;
        Ok(())
    }
}

/// RFC 1952, section 2.3.
fn skip_gzip_header<R: Read>(input: &mut Input<R>) -> Result<(), ReadErrorKind> {
    const HEADER_CRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let fixed: [u8; 10] = input.take()?;
    if fixed[..2] != MAGIC || fixed[2] != 8 {
        return Err(ReadErrorKind::Gzip("no gzip member begins here"));
    }
    let flags = fixed[3];
    if flags & EXTRA != 0 {
        let len = u16::from_le_bytes(input.take()?);
        for _ in 0..len {
            input.take::<1>()?;
        }
    }
    for _ in 0..(flags & (NAME | COMMENT)).count_ones() {
        while input.take()? != [0] {}
    }
    if flags & HEADER_CRC != 0 {
        input.take::<2>()?;
    }
    Ok(())
}

/// A buffered reader that knows its offset.
struct Input<R> {
    read: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset of the buffer's end in the file.
    read_to: u64,
    /// Bytes before `start` that stay in the buffer when more is read.
    behind: usize,
}

impl<R: Read> Input<R> {
    fn new(read: R, buffer_bytes: usize) -> Self {
        Self { read, buffer: vec![0; buffer_bytes], start: 0, end: 0, read_to: 0, behind: 0 }
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn consume(&mut self, count: usize) {
        assert!(count <= self.end - self.start, "consumed more than there was");
        self.start += count;
    }

    fn position(&self) -> u64 {
        self.read_to - (self.end - self.start) as u64
    }

    /// Makes `bytes` non-empty; `false` at the end.
    fn refill(&mut self) -> io::Result<bool> {
        if self.start == self.end {
            if self.end + BUFFER_BYTES > self.buffer.len() {
                let behind = self.behind.min(self.end);
                self.buffer.copy_within(self.end - behind..self.end, 0);
                (self.start, self.end) = (behind, behind);
            }
            self.read_more()?;
        }
        Ok(self.start < self.end)
    }

    /// Puts at least `count` bytes at hand; `false` if the file ends before them.
    fn fill(&mut self, count: usize) -> io::Result<bool> {
        if self.bytes().len() < count {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        while self.bytes().len() < count && self.read_more()? > 0 {}
        Ok(self.bytes().len() >= count)
    }

    /// Back to `position`, as far as it is still at hand.
    fn go_back(&mut self, position: u64) {
        let behind = self.read_to.saturating_sub(position).min(self.end as u64);
        self.start = self.start.min(self.end - behind as usize);
    }

    fn read_more(&mut self) -> io::Result<usize> {
        loop {
            match self.read.read(&mut self.buffer[self.end..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
                Ok(count) => {
                    self.end += count;
                    self.read_to += count as u64;
                    return Ok(count);
                }
            }
        }
    }

    fn starts_with(&mut self, wanted: &[u8]) -> io::Result<bool> {
        while self.bytes().len() < wanted.len() && self.end < self.buffer.len() && self.read_more()? > 0 {}
        Ok(self.bytes().starts_with(wanted))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], ReadErrorKind> {
        let mut out = [0; N];
        for slot in &mut out {
            if !self.refill()? {
                return Err(ReadErrorKind::Truncated);
            }
            *slot = self.buffer[self.start];
            self.start += 1;
        }
        Ok(out)
    }
}
