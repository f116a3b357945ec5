use crate::capture::{Capture, Truncation};
use crate::group::{CERTIFICATE_ERROR, FETCH_START, FETCH_TIME};
use bytes::Bytes;
use std::net::{IpAddr, Ipv4Addr};
use stdx::WallTime;
use warc::{Fields, HttpMessage, Reader, Record, RecordType};

/// A capture as it was read back from the archive.
#[derive(Debug, Clone)]
pub struct StoredCapture {
    /// As it was given, but for the response head: that is the archived one (no transfer coding, a
    /// `Content-Length` that was wrong under another name).
    pub capture: Capture,
    /// `urn:uuid:…` of the response record.
    pub record_id: String,
    /// Labelled digest of the body.
    pub payload_digest: String,
}

impl StoredCapture {
    /// Reads the three records of a group; the error says what is wrong with it.
    pub(crate) fn from_group(group: &[u8]) -> Result<Self, String> {
        let records: Result<Vec<Record>, _> = Reader::new(group).with_block_limit(usize::MAX).collect();
        let records = records.map_err(|error| error.to_string())?;
        let of = |kind: RecordType| {
            let found = records.iter().find(|record| record.record_type() == kind);
            found.ok_or_else(|| format!("no {kind:?} record"))
        };
        let (request, response, metadata) =
            (of(RecordType::Request)?, of(RecordType::Response)?, of(RecordType::Metadata)?);
        let capture = capture_of(request, response, &Fields::parse(&metadata.block).fields);
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        Ok(Self {
            capture: capture.ok_or("a header of the response record is missing")?,
            record_id: text(response.id()),
            payload_digest: text(response.header.get("WARC-Payload-Digest")),
        })
    }
}

fn capture_of(request: &Record, response: &Record, metadata: &Fields) -> Option<Capture> {
    let http: HttpMessage<'_> = response.http()?;
    let header = |name: &str| response.header.get(name);
    let address = header("WARC-IP-Address").and_then(|text| text.parse().ok());
    let truncated = header("WARC-Truncated").and_then(warc::Truncation::from_name);
    Some(Capture {
        url: response.target_uri()?.to_owned(),
        started: metadata.get(FETCH_START).and_then(WallTime::parse_iso).or(response.date())?,
        elapsed_ms: metadata.get(FETCH_TIME).and_then(|text| text.parse().ok()).unwrap_or(0),
        address: address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        protocols: response.header.get_all("WARC-Protocol").map(str::to_owned).collect(),
        cipher_suite: header("WARC-Cipher-Suite").map(str::to_owned),
        certificate_error: metadata.get(CERTIFICATE_ERROR).map(str::to_owned),
        request_head: Bytes::copy_from_slice(&request.block),
        response_head: Bytes::copy_from_slice(http.head),
        status: http.status()?,
        body: Bytes::copy_from_slice(http.payload),
        truncated: truncated.map(Truncation::from_warc),
    })
}
