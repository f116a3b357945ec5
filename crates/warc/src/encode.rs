use crate::digest::sha1_digest;
use crate::exchange::{Exchange, Metadata, Request, Resource, Response, Revisit, Warcinfo};
use crate::fields::Fields;
use crate::gzip::{Form, MemberWriter};
use crate::http::HttpMessage;
use crate::id::RecordId;
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
const WARC_FIELDS: &str = "application/warc-fields";
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
        header.push("WARC-Concurrent-To", &record.response.bracketed());
        self.finish(out, header, HTTP_REQUEST, &[record.head], Form::Deflated);
    }

    /// Appends a `response` record.
    pub fn response(&mut self, out: &mut Vec<u8>, exchange: &Exchange<'_>, record: &Response<'_>) {
        let mut header = begin_exchange("response", record.id, exchange);
        header.push("WARC-Payload-Digest", &sha1_digest(&[record.payload]));
        header.push_some("WARC-Identified-Payload-Type", record.payload_type);
        header.push_some("WARC-Truncated", record.truncated.map(crate::Truncation::name));
        let form = form_of(record);
        self.finish(out, header, HTTP_RESPONSE, &[record.head, record.payload], form);
    }

    /// Appends a `revisit` record: the HTTP head without a payload.
    pub fn revisit(&mut self, out: &mut Vec<u8>, exchange: &Exchange<'_>, record: &Revisit<'_>) {
        let mut header = begin_exchange("revisit", record.id, exchange);
        header.push("WARC-Profile", record.profile.uri());
        header.push_some("WARC-Refers-To", record.refers_to.map(RecordId::bracketed).as_deref());
        header.push("WARC-Refers-To-Target-URI", record.refers_to_url);
        header.push("WARC-Refers-To-Date", &record.refers_to_date.iso_seconds());
        header.push("WARC-Payload-Digest", record.payload_digest);
        self.finish(out, header, HTTP_RESPONSE, &[record.head], Form::Deflated);
    }

    /// Appends a `resource` record, whose block is its payload.
    pub fn resource(&mut self, out: &mut Vec<u8>, record: &Resource<'_>) {
        let mut header = begin("resource", record.id, record.date);
        header.push("WARC-Target-URI", record.url);
        header.push_some("WARC-Warcinfo-ID", record.warcinfo.map(RecordId::bracketed).as_deref());
        header.push("WARC-Payload-Digest", &sha1_digest(&[record.payload]));
        let form = form_for_type(record.content_type);
        self.finish(out, header, record.content_type, &[record.payload], form);
    }

    /// Appends a `metadata` record about a response.
    pub fn metadata(&mut self, out: &mut Vec<u8>, exchange: &Exchange<'_>, record: &Metadata) {
        let mut header = begin("metadata", record.id, exchange.date);
        header.push("WARC-Target-URI", exchange.url);
        header.push_some("WARC-Warcinfo-ID", exchange.warcinfo.map(RecordId::bracketed).as_deref());
        header.push("WARC-Concurrent-To", &record.response.bracketed());
        self.fields_record(out, header, &record.fields);
    }

    fn fields_record(&mut self, out: &mut Vec<u8>, header: Fields, fields: &Fields) {
        self.finish(out, header, WARC_FIELDS, &[&fields.to_bytes()], Form::Deflated);
    }

    fn finish(
        &mut self,
        out: &mut Vec<u8>,
        mut header: Fields,
        content_type: &str,
        block: &[&[u8]],
        form: Form,
    ) {
        let length: usize = block.iter().map(|part| part.len()).sum();
        header.push("WARC-Block-Digest", &sha1_digest(block));
        header.push("Content-Type", content_type);
        header.push("Content-Length", &length.to_string());
        let head = [b"WARC/1.1\r\n".as_slice(), &header.to_bytes(), b"\r\n"].concat();
        let parts: Vec<&[u8]> = [&[head.as_slice()], block, &[END]].concat();
        self.members.append(out, &parts, form);
    }
}

fn begin(record_type: &str, id: RecordId, date: WallTime) -> Fields {
    let mut header = Fields::new();
    header.push("WARC-Type", record_type);
    header.push("WARC-Record-ID", &id.bracketed());
    header.push("WARC-Date", &date.iso_seconds());
    header
}

fn begin_exchange(record_type: &str, id: RecordId, exchange: &Exchange<'_>) -> Fields {
    let mut header = begin(record_type, id, exchange.date);
    header.push("WARC-Target-URI", exchange.url);
    header.push_some("WARC-Warcinfo-ID", exchange.warcinfo.map(RecordId::bracketed).as_deref());
    header.push("WARC-IP-Address", &exchange.address.to_string());
    for protocol in exchange.protocols {
        header.push("WARC-Protocol", protocol);
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
    let coded = HttpMessage { head: record.head, payload: record.payload }.is_content_coded();
    if coded { Form::Stored } else { form_for_type(record.payload_type.unwrap_or_default()) }
}

fn form_for_type(kind: &str) -> Form {
    if COMPRESSED.contains(&kind) { Form::Stored } else { Form::Deflated }
}
