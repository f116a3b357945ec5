use crate::digest::{Sha1Digest, Sha1Stream, sha1_digest};
use crate::exchange::{
    Conversion, Description, Exchange, Metadata, Request, Resource, Response, Revisit, RevisitProfile,
    Truncation, Warcinfo,
};
use crate::fields::Fields;
use crate::gzip::{Form, MemberWriter, member_stream};
use crate::http::HttpMessage;
use crate::id::RecordId;
use crate::limits::BUFFER_BYTES;
use crate::record::{REFERS_TO_FILE_OFFSET, REFERS_TO_FILENAME, Record};
use std::io::{self, Read, Write};
use stdx::WallTime;

/// Turns plain values into records: each call appends exactly one gzip member to `out`.
///
/// Where the payload is compressed already (a content coding, an image, an archive) the member uses
/// stored blocks; else the cheapest deflate. Equal values give equal bytes.
pub struct Encoder {
    members: MemberWriter,
}

const HTTP_REQUEST: &str = "application/http; msgtype=request";
const HTTP_RESPONSE: &str = "application/http; msgtype=response";
const JSON: &str = "application/json";
const PLAIN_TEXT: &str = "text/plain";
const WARC_FIELDS: &str = "application/warc-fields";
const VERSION: &[u8] = b"WARC/1.1\r\n";
const LINE_END: &[u8] = b"\r\n";
const END: &[u8] = b"\r\n\r\n";

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder with its own tables (about 100 KB).
    pub fn new() -> Self {
        Self { members: MemberWriter::new() }
    }

    /// Appends a `warcinfo` record.
    pub fn warcinfo(&mut self, out: &mut Vec<u8>, record: &Warcinfo<'_>) {
        let mut header = begin("warcinfo", record.id, record.date);
        header.push("WARC-Filename", record.filename);
        let mut fields = record.fields.clone();
        fields.push("format", "WARC File Format 1.1");
        fields.push(
            "conformsTo",
            "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        );
        self.fields_record(out, header, &fields);
    }

    /// Appends a `request` record.
    pub fn request(&mut self, out: &mut Vec<u8>, exchange: &Exchange<'_>, record: &Request<'_>) {
        let mut header = begin_exchange("request", record.id, exchange);
        push_id(&mut header, "WARC-Concurrent-To", record.response);
        self.finish(out, header, HTTP_REQUEST, &[record.head], Form::Deflated);
    }

    /// Appends a `response` record with its payload.
    pub fn response(
        &mut self,
        out: &mut Vec<u8>,
        exchange: &Exchange<'_>,
        record: &Response<'_>,
        payload: &[u8],
    ) {
        assert_eq!(payload.len() as u64, record.payload_len, "the payload that the record is about");
        let header = begin_response(exchange, record);
        let block = [record.head, payload];
        let digest = record.block_digest.unwrap_or_else(|| sha1_digest(&block));
        self.finish_digested(out, header, HTTP_RESPONSE, &block, digest, form_of(record));
    }

    /// Appends a `revisit` record: the HTTP head without a payload.
    pub fn revisit(&mut self, out: &mut Vec<u8>, exchange: &Exchange<'_>, record: &Revisit<'_>) {
        let mut header = begin_exchange("revisit", record.id, exchange);
        header.push("WARC-Profile", record.profile.uri());
        header.push_some("WARC-Refers-To", record.refers_to);
        header.push("WARC-Refers-To-Target-URI", record.refers_to_url);
        header.push("WARC-Refers-To-Date", record.refers_to_date.iso_seconds());
        header.push_some(REFERS_TO_FILENAME, record.refers_to_place.map(|place| place.filename));
        header.push_some(REFERS_TO_FILE_OFFSET, record.refers_to_place.map(|place| place.offset));
        push_digest(&mut header, "WARC-Payload-Digest", record.payload_digest);
        header.push_some("WARC-Identified-Payload-Type", record.payload_type);
        // ISO 28500:2017, section 6.7.2: the block lacks what the original has.
        let left_out = record.profile == RevisitProfile::IdenticalPayloadDigest;
        header.push_some("WARC-Truncated", left_out.then_some(Truncation::Length.name()));
        self.finish(out, header, HTTP_RESPONSE, &[record.head], Form::Deflated);
    }

    /// Appends a `resource` record, whose block is its payload.
    pub fn resource(&mut self, out: &mut Vec<u8>, record: &Resource<'_>) {
        let mut header = begin("resource", record.id, record.date);
        push_subject(&mut header, record.url, record.warcinfo);
        push_digest(&mut header, "WARC-Payload-Digest", sha1_digest(&[record.payload]));
        let form = form_for_type(record.content_type);
        self.finish(out, header, record.content_type, &[record.payload], form);
    }

    /// Appends a `conversion` record: the text of a response.
    pub fn conversion(&mut self, out: &mut Vec<u8>, record: &Conversion<'_>) {
        let mut header = begin("conversion", record.id, record.date);
        push_subject(&mut header, record.url, Some(record.warcinfo));
        header.push("WARC-Refers-To", record.refers_to);
        header.push_text("WARC-Identified-Payload-Type", PLAIN_TEXT);
        header.push_some("WARC-Identified-Content-Language", record.language);
        self.finish(out, header, PLAIN_TEXT, &[record.text.as_bytes()], Form::Deflated);
    }

    /// Appends a `metadata` record that describes another in JSON.
    pub fn description(&mut self, out: &mut Vec<u8>, record: &Description<'_>) {
        let mut header = begin("metadata", record.id, record.date);
        push_subject(&mut header, record.url, Some(record.warcinfo));
        header.push("WARC-Refers-To", record.refers_to);
        self.finish(out, header, JSON, &[record.json.as_bytes()], Form::Deflated);
    }

    /// Appends a `metadata` record about a response.
    pub fn metadata(&mut self, out: &mut Vec<u8>, exchange: &Exchange<'_>, record: &Metadata) {
        let mut header = begin("metadata", record.id, exchange.date);
        push_subject(&mut header, exchange.url, exchange.warcinfo);
        push_id(&mut header, "WARC-Concurrent-To", record.response);
        self.fields_record(out, header, &record.fields);
    }

    fn fields_record(&mut self, out: &mut Vec<u8>, header: Fields, fields: &Fields) {
        self.finish(out, header, WARC_FIELDS, &[fields.as_bytes()], Form::Deflated);
    }

    fn finish(&mut self, out: &mut Vec<u8>, header: Fields, content_type: &str, block: &[&[u8]], form: Form) {
        self.finish_digested(out, header, content_type, block, sha1_digest(block), form);
    }

    fn finish_digested(
        &mut self,
        out: &mut Vec<u8>,
        mut header: Fields,
        content_type: &str,
        block: &[&[u8]],
        digest: Sha1Digest,
        form: Form,
    ) {
        let length: usize = block.iter().map(|part| part.len()).sum();
        push_digest(&mut header, "WARC-Block-Digest", digest);
        push_content(&mut header, content_type, length as u64);
        let parts: Vec<&[u8]> = [&[VERSION, header.as_bytes(), LINE_END], block, &[END]].concat();
        self.members.append(out, &parts, form);
    }
}

/// Writes a `response` record whose payload is too large for memory: the same record, in the same gzip member form, in
/// one buffer's memory. `open` gives the payload from its start; it is read twice, since the digest of the block
/// stands before the block.
pub fn write_large_response<R: Read>(
    out: impl Write,
    exchange: &Exchange<'_>,
    record: &Response<'_>,
    open: impl Fn() -> io::Result<R>,
) -> io::Result<()> {
    let block = LargeBlock { head: record.head, payload_len: record.payload_len, form: form_of(record) };
    block.write(out, begin_response(exchange, record), open)
}

/// Writes a `revisit` record as the response that it was, with the payload of what it refers to: under its own id, with its own
/// head, in one buffer's memory. `payload_type` is what that response says its payload is; `open` as in [`write_large_response`].
pub fn write_whole_response<R: Read>(
    out: impl Write,
    revisit: &Record,
    payload_type: Option<&str>,
    payload_len: u64,
    open: impl Fn() -> io::Result<R>,
) -> io::Result<()> {
    let mut header = Fields::new();
    for (name, value) in revisit.header.names().zip(revisit.header.values()) {
        if !is_of_revisits(name) {
            header.push(name, if name.eq_ignore_ascii_case("WARC-Type") { "response" } else { value });
        }
    }
    header.push_some("WARC-Identified-Payload-Type", payload_type);
    let head = &revisit.block[..];
    let coded = HttpMessage { head, payload: &[] }.is_content_coded();
    let form = if coded { Form::Stored } else { form_for_type(payload_type.unwrap_or_default()) };
    LargeBlock { head, payload_len, form }.write(out, header, open)
}

/// What a revisit says that a response does not, and what is said anew.
fn is_of_revisits(name: &str) -> bool {
    const AGAIN: [&str; 5] = [
        "WARC-Block-Digest",
        "WARC-Identified-Payload-Type",
        "WARC-Truncated",
        "Content-Type",
        "Content-Length",
    ];
    let refers = name.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("WARC-Refers-To"));
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    refers || is("WARC-Profile") || AGAIN.into_iter().any(is)
}

/// The block of a response whose payload is read as a stream.
struct LargeBlock<'a> {
    head: &'a [u8],
    payload_len: u64,
    form: Form,
}

impl LargeBlock<'_> {
    fn write<R: Read>(
        &self,
        out: impl Write,
        mut header: Fields,
        open: impl Fn() -> io::Result<R>,
    ) -> io::Result<()> {
        let mut block = Sha1Stream::default();
        block.update(self.head);
        pass(open()?, self.payload_len, |bytes| {
            block.update(bytes);
            Ok(())
        })?;
        push_digest(&mut header, "WARC-Block-Digest", block.finish());
        push_content(&mut header, HTTP_RESPONSE, self.head.len() as u64 + self.payload_len);
        let mut member = member_stream(out, self.form);
        for part in [VERSION, header.as_bytes(), LINE_END, self.head] {
            member.write_all(part)?;
        }
        pass(open()?, self.payload_len, |bytes| member.write_all(bytes))?;
        member.write_all(END)?;
        member.finish().map(drop)
    }
}

/// Shows all bytes of a payload, a buffer at a time; fails if there are not as many as were promised.
fn pass(
    mut payload: impl Read,
    promised: u64,
    mut show: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut passed = 0;
    loop {
        match payload.read(&mut buffer) {
            Ok(0) if passed == promised => return Ok(()),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                passed += count as u64;
                show(&buffer[..count])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn push_content(header: &mut Fields, content_type: &str, length: u64) {
    header.push_text("Content-Type", content_type);
    header.push("Content-Length", length);
}

/// What a record is about, and the file it is in.
fn push_subject(header: &mut Fields, url: &str, warcinfo: Option<RecordId>) {
    header.push_text("WARC-Target-URI", url);
    if let Some(warcinfo) = warcinfo {
        push_id(header, "WARC-Warcinfo-ID", warcinfo);
    }
}

fn push_id(header: &mut Fields, name: &str, id: RecordId) {
    header.push_with(name, |line| id.write_bracketed(line));
}

fn push_digest(header: &mut Fields, name: &str, digest: Sha1Digest) {
    header.push_with(name, |line| digest.write(line));
}

fn begin(record_type: &str, id: RecordId, date: WallTime) -> Fields {
    let mut header = Fields::new();
    header.push_text("WARC-Type", record_type);
    push_id(&mut header, "WARC-Record-ID", id);
    header.push_with("WARC-Date", |line| date.write_iso_seconds(line));
    header
}

fn begin_response(exchange: &Exchange<'_>, record: &Response<'_>) -> Fields {
    let mut header = begin_exchange("response", record.id, exchange);
    push_digest(&mut header, "WARC-Payload-Digest", record.payload_digest);
    header.push_some("WARC-Identified-Payload-Type", record.payload_type);
    header.push_some("WARC-Truncated", record.truncated.map(Truncation::name));
    header
}

fn begin_exchange(record_type: &str, id: RecordId, exchange: &Exchange<'_>) -> Fields {
    let mut header = begin(record_type, id, exchange.date);
    push_subject(&mut header, exchange.url, exchange.warcinfo);
    header.push("WARC-IP-Address", exchange.address);
    for protocol in exchange.protocols {
        header.push_text("WARC-Protocol", protocol);
    }
    header.push_some("WARC-Cipher-Suite", exchange.cipher_suite);
    header
}

/// Types whose bytes are compressed already.
const COMPRESSED: [&str; 8] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "application/zip",
    "application/gzip",
    "video/mp4",
    "font/woff2",
];

fn form_of(record: &Response<'_>) -> Form {
    let coded = HttpMessage { head: record.head, payload: &[] }.is_content_coded();
    if coded { Form::Stored } else { form_for_type(record.payload_type.unwrap_or_default()) }
}

fn form_for_type(kind: &str) -> Form {
    if COMPRESSED.contains(&kind) { Form::Stored } else { Form::Deflated }
}
