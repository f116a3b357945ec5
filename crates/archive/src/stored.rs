use crate::body::{Body, Member};
use crate::capture::{Capture, Truncation};
use crate::error::Error;
use crate::group::{CERTIFICATE_ERROR, FETCH_START, FETCH_TIME};
use crate::limits::{HEAD_BYTES, STORED_BODY_BYTES};
use crate::location::Location;
use bytes::Bytes;
use disk::{File, SequentialReader};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use stdx::WallTime;
use warc::{Fields, HttpMessage, ReadError, Reader, Record, RecordType, Sha1Digest};

/// A capture in the archive, found and not yet read.
pub struct StoredGroup {
    file: Arc<dyn File>,
    location: Location,
}

/// A capture as it was read back from the archive.
#[derive(Debug, Clone)]
pub struct StoredCapture {
    /// As it was given, but for the response head: that is the archived one (no transfer coding, a
    /// `Content-Length` that was wrong under another name).
    pub capture: Capture,
    /// `urn:uuid:…` of the response record.
    pub record_id: String,
}

impl StoredGroup {
    pub(crate) fn new(file: Box<dyn File>, location: Location) -> Self {
        Self { file: file.into(), location }
    }

    /// Reads the three records of the group. A body of more than [`STORED_BODY_BYTES`] stays where it is, to be read as
    /// a stream.
    pub fn read(self) -> crate::Result<StoredCapture> {
        self.records().map_err(|what| Error::not_stored(self.location, what))
    }

    fn records(&self) -> Result<StoredCapture, String> {
        let Location { offset, length, .. } = self.location;
        let stream = SequentialReader::new(Arc::clone(&self.file), offset..offset.saturating_add(length));
        let records = Reader::new(stream).with_block_limit(HEAD_BYTES + STORED_BODY_BYTES);
        let records: Vec<Record> =
            records.collect::<Result<_, _>>().map_err(|error: ReadError| error.to_string())?;
        let of = |kind: RecordType| {
            let found = records.iter().find(|record| record.record_type() == kind);
            found.ok_or_else(|| format!("no {kind:?} record"))
        };
        let (request, response, metadata) =
            (of(RecordType::Request)?, of(RecordType::Response)?, of(RecordType::Metadata)?);
        let body = self.body_of(response).ok_or("the response record is not one of ours")?;
        let capture = capture_of(request, response, &Fields::parse(&metadata.block).fields, body);
        Ok(StoredCapture {
            capture: capture.ok_or("a header of the response record is missing")?,
            record_id: response.id().unwrap_or_default().to_owned(),
        })
    }

    fn body_of(&self, response: &Record) -> Option<Body> {
        let http = response.http()?;
        let digest = Sha1Digest::from_label(response.header.get("WARC-Payload-Digest")?)?;
        if response.is_whole() {
            return Some(Body::in_memory(Bytes::copy_from_slice(http.payload), digest));
        }
        let start = self.location.offset + response.offset;
        let head_len = http.head.len() as u64;
        let range = start..start + response.length?;
        let member = Member { file: Arc::clone(&self.file), range, head_len };
        Some(Body::in_archive(member, response.block_len - head_len, digest))
    }
}

fn capture_of(request: &Record, response: &Record, metadata: &Fields, body: Body) -> Option<Capture> {
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
        body,
        truncated: truncated.map(Truncation::from_warc),
    })
}
