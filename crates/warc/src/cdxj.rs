use crate::exchange::{Exchange, Response, Revisit};
use crate::http::HttpMessage;
use crate::limits::{LOCATION_BYTES, MEDIA_TYPE_BYTES};
use crate::record::{Record, RecordType};
use std::fmt::Write;

/// What a line seldom exceeds.
const LINE_BYTES: usize = 384;

/// What stands in the place of a media type.
const REVISIT: &str = "warc/revisit";

/// What a CDXJ index says of one response or revisit. Fields as in Common Crawl's index, all strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntry {
    /// The URL as requested.
    pub url: String,
    /// 14 digits.
    pub timestamp: String,
    /// The media type the server gave, without parameters; `unk` if none that may be one, `warc/revisit` for a revisit.
    pub mime: String,
    /// The media type the payload has.
    pub mime_detected: Option<String>,
    /// The HTTP status.
    pub status: Option<String>,
    /// The payload digest, labelled.
    pub digest: Option<String>,
    /// Bytes of the gzip member.
    pub length: u64,
    /// Where it begins.
    pub offset: u64,
    /// The file, without its directory.
    pub filename: String,
    /// The charset the server gave, if it is a token.
    pub charset: Option<String>,
    /// ISO 639-3 codes, comma-separated.
    pub languages: Option<String>,
    /// `WARC-Truncated`.
    pub truncated: Option<String>,
    /// `Location` of a redirect, as sent, unless it is longer than a URL may be.
    pub redirect: Option<String>,
}

impl IndexEntry {
    /// The entry of a record; `None` for records an index does not list, and for those that cannot be
    /// read on their own.
    pub fn of(record: &Record, filename: &str) -> Option<Self> {
        let revisit = match record.record_type() {
            RecordType::Response => false,
            RecordType::Revisit => true,
            _ => return None,
        };
        let owned = |name: &str| record.header.get(name).map(str::to_owned);
        let http = HttpFacts::of(record.http());
        Some(Self {
            url: record.target_uri()?.to_owned(),
            timestamp: record.date()?.digits14(),
            mime: if revisit { REVISIT.to_owned() } else { http.mime },
            mime_detected: owned("WARC-Identified-Payload-Type"),
            status: http.status,
            digest: owned("WARC-Payload-Digest"),
            length: record.length?,
            offset: record.offset,
            filename: filename.to_owned(),
            charset: http.charset,
            languages: owned("WARC-Identified-Content-Language"),
            // Of a revisit the header is about its block, which is no payload.
            truncated: owned("WARC-Truncated").filter(|_| !revisit),
            redirect: http.redirect,
        })
    }

    /// The entry of a response that has just been encoded: what [`Self::of`] gives when it is read back.
    pub fn of_response(exchange: &Exchange<'_>, response: &Response<'_>, place: Place<'_>) -> Self {
        let http = HttpFacts::of(Some(HttpMessage { head: response.head, payload: &[] }));
        Self {
            url: exchange.url.to_owned(),
            timestamp: exchange.date.digits14(),
            mime: http.mime,
            mime_detected: response.payload_type.map(str::to_owned),
            status: http.status,
            digest: Some(response.payload_digest.to_string()),
            length: place.length,
            offset: place.offset,
            filename: place.filename.to_owned(),
            charset: http.charset,
            languages: None,
            truncated: response.truncated.map(|reason| reason.name().to_owned()),
            redirect: http.redirect,
        }
    }

    /// The same of a revisit.
    pub fn of_revisit(exchange: &Exchange<'_>, revisit: &Revisit<'_>, place: Place<'_>) -> Self {
        let response = Response {
            id: revisit.id,
            head: revisit.head,
            payload_len: 0,
            payload_digest: revisit.payload_digest,
            block_digest: None,
            truncated: None,
            payload_type: revisit.payload_type,
        };
        Self { mime: REVISIT.to_owned(), ..Self::of_response(exchange, &response, place) }
    }

    /// `<surt> <timestamp> {…}`, without a line end.
    pub fn line(&self, surt: &str) -> String {
        let mut line = String::with_capacity(LINE_BYTES);
        for (nth, part) in surt.split(' ').enumerate() {
            line.extend([if nth == 0 { "" } else { "%20" }, part]);
        }
        line.extend([" ", &self.timestamp, " {"]);
        let mut json = JsonObject { begun: line.len(), line };
        json.push("url", Some(&self.url));
        json.push("mime", Some(&self.mime));
        json.push("mime-detected", self.mime_detected.as_deref());
        json.push("status", self.status.as_deref());
        json.push("digest", self.digest.as_deref());
        json.push("length", Some(&self.length.to_string()));
        json.push("offset", Some(&self.offset.to_string()));
        json.push("filename", Some(&self.filename));
        json.push("charset", self.charset.as_deref());
        json.push("languages", self.languages.as_deref());
        json.push("truncated", self.truncated.as_deref());
        json.push("redirect", self.redirect.as_deref());
        let mut line = json.line;
        line.push('}');
        line
    }
}

/// Where a record stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The file, without its directory.
    pub filename: &'a str,
    /// Where its gzip member begins.
    pub offset: u64,
    /// Bytes of the member.
    pub length: u64,
}

/// The object at the end of a line.
struct JsonObject {
    line: String,
    /// Where its members begin.
    begun: usize,
}

impl JsonObject {
    fn push(&mut self, name: &str, value: Option<&str>) {
        let Some(value) = value else { return };
        if self.line.len() > self.begun {
            self.line.push_str(", ");
        }
        self.line.extend(["\"", name, "\": "]);
        if value.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
            self.line.extend(["\"", value, "\""]);
        } else {
            let escaped = serde_json::Value::from(value);
            write!(self.line, "{escaped}").expect("a string takes any text");
        }
    }
}

struct HttpFacts {
    mime: String,
    status: Option<String>,
    charset: Option<String>,
    redirect: Option<String>,
}

impl HttpFacts {
    fn of(http: Option<HttpMessage<'_>>) -> Self {
        let header = |name: &str| http.and_then(|http| http.header(name));
        let status = http.as_ref().and_then(HttpMessage::status);
        let is_redirect = status.is_some_and(|code| (300..400).contains(&code));
        let is_place = |location: &String| !location.is_empty() && location.len() <= LOCATION_BYTES;
        Self {
            mime: http.and_then(|http| http.media_type()).unwrap_or("unk".to_owned()),
            status: status.map(|code| code.to_string()),
            charset: header("content-type").as_deref().and_then(charset_of),
            redirect: header("location").filter(|location| is_redirect && is_place(location)),
        }
    }
}

fn charset_of(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1);
    let value = parameters.filter_map(|p| p.split_once('=')).find(|(name, _)| is_charset(name))?.1;
    let value = value.trim().trim_matches(['"', '\'']).trim();
    (stdx::is_token(value) && value.len() <= MEDIA_TYPE_BYTES).then(|| value.to_owned())
}

fn is_charset(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("charset")
}
