use super::html;
use crate::captures::{fields_of, headers};
use serde_json::{Map, Value, json};
use warc::{Fields, HttpMessage, Record, RecordType};

/// What a record ends with, behind its block.
const END: &str = "\r\n\r\n";

/// What a record says: its header, and of its block all but the payload, of which so much is parsed.
pub(super) fn of(record: &Record, parsed_bytes: usize) -> Value {
    let header_bytes = record.version.len() + record.header.as_bytes().len() + 2 * "\r\n".len();
    json!({
        "Format": "WARC",
        "WARC-Header-Length": header_bytes.to_string(),
        "WARC-Header-Metadata": object(record.header.names().zip(record.header.values())),
        "Payload-Metadata": payload(record, parsed_bytes),
    })
}

fn payload(record: &Record, parsed_bytes: usize) -> Value {
    let kind = record.header.get("Content-Type").unwrap_or_default();
    let mut payload = json!({
        "Actual-Content-Type": kind,
        "Actual-Content-Length": record.block_len.to_string(),
        "Trailing-Slop-Length": END.len().to_string(),
    });
    if let Some(digest) = record.header.get("WARC-Block-Digest") {
        payload["Block-Digest"] = digest.into();
    }
    match record.record_type() {
        RecordType::Metadata => payload["WARC-Metadata-Metadata"] = metadata(record),
        RecordType::Request => payload["HTTP-Request-Metadata"] = request(record),
        _ => payload["HTTP-Response-Metadata"] = response(record, parsed_bytes),
    }
    payload
}

fn metadata(record: &Record) -> Value {
    let fields = Fields::parse(&record.block).fields;
    let pairs = fields.names().zip(fields.values());
    json!({ "Metadata-Records": pairs.map(|(name, value)| json!({ "Name": name, "Value": value })).collect::<Vec<_>>() })
}

fn request(record: &Record) -> Value {
    let http = HttpMessage::split(&record.block);
    let line = warc::header_text(http.start_line().into());
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default().to_owned();
    let mut said = message(http, record.block_len);
    said["Request-Message"] = json!({ "Method": word(), "Path": word(), "Version": word() });
    said
}

fn response(record: &Record, parsed_bytes: usize) -> Value {
    let http = HttpMessage::split(&record.block);
    let line = warc::header_text(http.start_line().into());
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default().to_owned();
    let mut said = message(http, record.block_len);
    let [version, status, reason] = [word(), word(), word()];
    said["Response-Message"] = json!({ "Version": version, "Status": status, "Reason": reason });
    if let Some(digest) = record.header.get("WARC-Payload-Digest") {
        said["Entity-Digest"] = digest.into();
    }
    if let Some(page) = html::of(record, parsed_bytes) {
        said["HTML-Metadata"] = page;
    }
    said
}

fn message(http: HttpMessage<'_>, block_len: u64) -> Value {
    let fields = fields_of(http);
    let headers = headers(&fields);
    let head_len = http.head.len();
    json!({
        "Headers": object(headers.iter().map(|header| (header.name, header.value))),
        "Headers-Length": head_len.to_string(),
        "Entity-Length": (block_len - head_len as u64).to_string(),
        "Entity-Trailing-Slop-Length": "0",
    })
}

/// Fields by name; the values of one that is repeated stand between commas, as HTTP lets them.
fn object<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        match object.get_mut(name) {
            Some(Value::String(before)) => before.extend([", ", value]),
            _ => _ = object.insert(name.to_owned(), value.into()),
        }
    }
    object.into()
}
