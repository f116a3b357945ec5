use crate::fields::{Fields, LINES_BYTES, ParsedFields};
use crate::inflate::Members;
use crate::limits::{BLOCK_BYTES, BUFFER_BYTES, HEADER_BYTES, NOTES, TRAILER_BYTES};
use crate::record::Record;
use std::io::{self, Read};
use thiserror::Error;

/// Records out of a WARC: gzip members, a whole file in one gzip member (noted), or plain.
///
/// An iterator; after an error it ends. Memory is one block of at most the limit, whatever the file says.
pub struct Reader<R> {
    members: Members<R>,
    block_limit: usize,
    inside: bool,
    member_offset: u64,
    records_in_member: u64,
    notes: Vec<Note>,
    ended: bool,
}

/// What is odd about a file without hiding a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// Where, in the file.
    pub offset: u64,
    /// What.
    pub kind: NoteKind,
}

/// The oddities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// A gzip member holds more than one record: no record can be read on its own.
    SharedMember,
    /// A gzip member holds no record.
    EmptyMember,
}

/// Where and why a file cannot be read on.
#[derive(Debug, Error)]
#[error("at byte {offset}: {kind}")]
pub struct ReadError {
    /// Where the record or member begins that could not be read.
    pub offset: u64,
    /// Why.
    pub kind: ReadErrorKind,
}

/// Why a file cannot be read on.
#[derive(Debug, Error)]
pub enum ReadErrorKind {
    /// The file could not be read.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// The gzip layer is broken.
    #[error("{0}")]
    Gzip(&'static str),
    /// Something stands where a record should.
    #[error("this is no WARC record: its first line is not WARC/…")]
    NotWarc,
    /// A header beyond the limit, or without an end.
    #[error("the header is longer than {HEADER_BYTES} bytes")]
    HeaderTooLong,
    /// No `Content-Length`, or one that is no number: where the record ends is unknown.
    #[error("Content-Length is missing or no number")]
    ContentLength,
    /// The file ends inside a record.
    #[error("the file ends inside a record")]
    Truncated,
}

impl<R: Read> Reader<R> {
    /// A reader from the start of `read`.
    pub fn new(read: R) -> Self {
        Self::of(Members::new(read))
    }

    /// A reader that can [go on](Self::recover) behind what is broken.
    pub(crate) fn searching(read: R) -> Self {
        Self::of(Members::searching(read))
    }

    fn of(members: Members<R>) -> Self {
        Self {
            members,
            block_limit: BLOCK_BYTES,
            inside: false,
            member_offset: 0,
            records_in_member: 0,
            notes: Vec::new(),
            ended: false,
        }
    }

    /// Keeps at most `bytes` of each block.
    #[must_use]
    pub fn with_block_limit(mut self, bytes: usize) -> Self {
        self.block_limit = bytes;
        self
    }

    /// What was odd so far, at most [`NOTES`] of it.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    fn read_record(&mut self) -> Result<Option<Record>, ReadErrorKind> {
        if !self.find_record()? {
            return Ok(None);
        }
        let head = self.read_head()?;
        let block_len = head.block_len.ok_or(ReadErrorKind::ContentLength)?;
        let mut record = Record {
            offset: self.member_offset,
            length: None,
            version: head.version,
            header: head.parsed.fields,
            malformed_lines: head.parsed.malformed_lines,
            bare_line_ends: head.bare_line_ends,
            block: self.read_block(block_len)?,
            block_len,
            trailer: self.read_trailer()?,
        };
        record.length = self.end_record()?;
        Ok(Some(record))
    }

    /// After an error: goes on with the next record that can be found. Gives how many bytes of the file are passed over, from where
    /// what could not be read began.
    pub(crate) fn recover(&mut self) -> Result<u64, ReadError> {
        let is_behind_others = self.inside && self.records_in_member > 0;
        let began = if is_behind_others { self.members.position() } else { self.member_offset };
        if !(self.inside && self.members.skip_member()) {
            self.members.go_back(self.member_offset);
        }
        (self.inside, self.records_in_member) = (false, 0);
        let found = self.members.find_record();
        let position = self.members.position();
        self.ended = !found.map_err(|error| ReadError { offset: position, kind: error.into() })?;
        Ok(position.saturating_sub(began))
    }

    /// Steps over the next record's header; gives the length of its block.
    pub(crate) fn enter_block(&mut self) -> Result<u64, ReadErrorKind> {
        if !self.find_record()? {
            return Err(ReadErrorKind::Truncated);
        }
        self.read_head()?.block_len.ok_or(ReadErrorKind::ContentLength)
    }

    /// Fills a part of `out` from the block entered; the caller knows where that ends.
    pub(crate) fn read_in_block(&mut self, out: &mut [u8]) -> Result<usize, ReadErrorKind> {
        if !self.members.refill()? {
            return Err(ReadErrorKind::Truncated);
        }
        let bytes = self.members.bytes();
        let count = bytes.len().min(out.len());
        out[..count].copy_from_slice(&bytes[..count]);
        self.members.consume(count);
        Ok(count)
    }

    /// Stands at the first byte of the next record; `false` at the end of the file.
    fn find_record(&mut self) -> Result<bool, ReadErrorKind> {
        loop {
            if !self.inside {
                self.member_offset = self.members.position();
                if !self.members.begin()? {
                    return Ok(false);
                }
                (self.inside, self.records_in_member) = (true, 0);
            }
            while self.members.refill()? && matches!(self.members.bytes()[0], b'\r' | b'\n') {
                self.members.consume(1);
            }
            if self.members.refill()? {
                if !self.members.is_gzip() {
                    self.member_offset = self.members.position();
                }
                return Ok(true);
            }
            self.inside = false;
            if self.records_in_member == 0 && self.members.is_gzip() {
                self.note(NoteKind::EmptyMember);
            }
        }
    }

    /// Version line and fields, to the empty line.
    fn read_head(&mut self) -> Result<Head, ReadErrorKind> {
        let mut head = Vec::with_capacity(LINES_BYTES);
        let mut bare_line_ends = 0;
        loop {
            let line_start = head.len();
            self.read_line(&mut head)?;
            if line_start == 0 && !head.starts_with(b"WARC/") {
                return Err(ReadErrorKind::NotWarc);
            }
            let line = &head[line_start..];
            bare_line_ends += usize::from(!line.ends_with(b"\r\n"));
            if matches!(line, b"\r\n" | b"\n") {
                return Ok(Head::parse(&head[..line_start], bare_line_ends));
            }
        }
    }

    fn read_line(&mut self, out: &mut Vec<u8>) -> Result<(), ReadErrorKind> {
        loop {
            if !self.members.refill()? {
                return Err(ReadErrorKind::Truncated);
            }
            let bytes = self.members.bytes();
            let end = memchr::memchr(b'\n', bytes).map(|at| at + 1);
            let take = end.unwrap_or(bytes.len());
            if out.len() + take > HEADER_BYTES {
                return Err(ReadErrorKind::HeaderTooLong);
            }
            out.extend_from_slice(&bytes[..take]);
            self.members.consume(take);
            if end.is_some() {
                return Ok(());
            }
        }
    }

    fn read_block(&mut self, length: u64) -> Result<Vec<u8>, ReadErrorKind> {
        // What a file says of itself is believed up to a point.
        let expected = usize::try_from(length).unwrap_or(usize::MAX).min(self.block_limit).min(BUFFER_BYTES);
        let mut block = Vec::with_capacity(expected);
        let mut left = length;
        while left > 0 {
            if !self.members.refill()? {
                return Err(ReadErrorKind::Truncated);
            }
            let bytes = self.members.bytes();
            let take = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let keep = take.min(self.block_limit - block.len());
            block.extend_from_slice(&bytes[..keep]);
            self.members.consume(take);
            left -= take as u64;
        }
        Ok(block)
    }

    fn read_trailer(&mut self) -> Result<Vec<u8>, ReadErrorKind> {
        let mut trailer = Vec::new();
        while trailer.len() < TRAILER_BYTES && self.members.refill()? {
            let byte = self.members.bytes()[0];
            if !matches!(byte, b'\r' | b'\n') {
                break;
            }
            trailer.push(byte);
            self.members.consume(1);
        }
        Ok(trailer)
    }

    /// How many bytes of the file the record took, if they are its own.
    fn end_record(&mut self) -> Result<Option<u64>, ReadErrorKind> {
        let more = self.members.refill()?;
        let length = self.members.position() - self.member_offset;
        if !self.members.is_gzip() {
            return Ok(Some(length));
        }
        self.records_in_member += 1;
        self.inside = more;
        if more && self.records_in_member == 1 {
            self.note(NoteKind::SharedMember);
        }
        Ok((!more && self.records_in_member == 1).then_some(length))
    }

    fn note(&mut self, kind: NoteKind) {
        if self.notes.len() < NOTES {
            self.notes.push(Note { offset: self.member_offset, kind });
        }
    }
}

/// A record's header, taken apart.
struct Head {
    version: String,
    parsed: ParsedFields,
    bare_line_ends: usize,
    block_len: Option<u64>,
}

impl Head {
    fn parse(head: &[u8], bare_line_ends: usize) -> Self {
        let version_end = memchr::memchr(b'\n', head).map_or(head.len(), |at| at + 1);
        let parsed = Fields::parse(&head[version_end..]);
        let length = parsed.fields.get("Content-Length").and_then(|v| crate::http::number(v.as_bytes()));
        let version = String::from_utf8_lossy(&head[..version_end]).trim_end().to_owned();
        Self { version, parsed, bare_line_ends, block_len: length }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let result = self.read_record();
        self.ended = !matches!(result, Ok(Some(_)));
        result.map_err(|kind| ReadError { offset: self.member_offset, kind }).transpose()
    }
}
