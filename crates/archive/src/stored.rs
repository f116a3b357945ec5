use crate::body::Body;
use crate::capture::{Capture, Truncation};
use crate::error::Error;
use crate::group::{FETCH_START, FETCH_TIME, ROBOTS_USAGE};
use crate::handshake::Handshake;
use crate::layout::{ARCHIVE_DIR, closed_path, parse_warc_name};
use crate::limits::{HEAD_BYTES, MOVES, STORED_BODY_BYTES};
use crate::location::Location;
use crate::original::{Original, answer_behind, body_of, open_warc};
use bytes::Bytes;
use disk::{File, Mode, SequentialReader, SharedDisk};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::WallTime;
use warc::{Elsewhere, Fields, HttpMessage, ReadError, Reader, Record, RecordType, Removal, RevisitProfile};

/// A capture in the archive, found and not yet read.
pub struct StoredGroup {
    disk: SharedDisk,
    path: PathBuf,
    file: Arc<dyn File>,
    location: Location,
}

/// A capture as it was read back from the archive.
#[derive(Debug, Clone)]
pub struct StoredCapture {
    /// As it was given, but for the response head: that is the archived one (no transfer coding, a
    /// `Content-Length` that was wrong under another name).
    pub capture: Capture,
    /// `urn:uuid:…` of the response or revisit record.
    pub record_id: String,
    /// The file that this record stands in, as it is called when closed: another than the location's where a purge has moved it.
    pub path: PathBuf,
    /// Its first byte there.
    pub offset: u64,
}

impl StoredGroup {
    /// Finds a capture for somebody who only looks, beside whoever writes the archive. `None` if its file is no longer there. A location
    /// that a journal names is of durable bytes.
    pub fn find(disk: &SharedDisk, location: Location) -> crate::Result<Option<Self>> {
        let entries = disk.list(Path::new(ARCHIVE_DIR))?;
        let mut names = entries.iter().filter_map(|entry| parse_warc_name(entry));
        let Some(name) = names.find(|name| name.serial == location.serial) else { return Ok(None) };
        let file = open_warc(disk.as_ref(), Path::new(ARCHIVE_DIR), &name.name)?;
        let path = closed_path(&name.name);
        Ok(file.map(|file| Self::new(disk.clone(), path, file, location)))
    }

    pub(crate) fn new(disk: SharedDisk, path: PathBuf, file: Box<dyn File>, location: Location) -> Self {
        Self { disk, path, file: file.into(), location }
    }

    /// Reads the three records of the group, wherever it has moved; of a revisit the body of its original. A body of more than
    /// [`STORED_BODY_BYTES`] stays where it is, to be read as a stream. [`Error::TakenDown`] where voids stand in its place.
    pub fn read(mut self) -> crate::Result<StoredCapture> {
        for _ in 0..=MOVES {
            let records = self.records().map_err(|what| self.not_stored(what))?;
            match records.first().and_then(Removal::of) {
                None => return self.capture(records),
                Some(Removal::TakenDown { by }) => return Err(Error::TakenDown { by }),
                Some(Removal::Moved(place)) => self = self.moved(&place)?,
            }
        }
        Err(self.not_stored("it has moved too often"))
    }

    /// The same group where it stands now.
    fn moved(self, place: &Elsewhere) -> crate::Result<Self> {
        let path = closed_path(&place.filename);
        let file = self.disk.open(&path, Mode::Read)?;
        let location = Location { offset: place.offset, length: place.length, ..self.location };
        Ok(Self::new(self.disk, path, file, location))
    }

    fn not_stored(&self, what: impl Into<String>) -> Error {
        Error::not_stored(&self.path, self.location, what)
    }

    fn capture(&self, records: Vec<Record>) -> crate::Result<StoredCapture> {
        let [request, answer, metadata] = group_of(records).map_err(|what| self.not_stored(what))?;
        let said = self.said(&answer)?;
        let fields = Fields::parse(&metadata.block).fields;
        let capture = said.and_then(|said| capture_of(&request, &answer, &fields, said));
        Ok(StoredCapture {
            capture: capture.ok_or_else(|| self.not_stored("its response is not one of ours"))?,
            record_id: answer.id().unwrap_or_default().to_owned(),
            path: self.path.clone(),
            offset: self.location.offset + answer.offset,
        })
    }

    fn said(&self, answer: &Record) -> crate::Result<Option<Said>> {
        if answer.record_type() != RecordType::Revisit {
            return Ok(body_of(&self.file, self.location.offset, answer).map(Said::Body));
        }
        let original = answer_behind(self.disk.as_ref(), Path::new(ARCHIVE_DIR), answer)?;
        Ok(Some(match answer.profile() {
            Some(RevisitProfile::ServerNotModified) => Said::Unchanged(original),
            _ => Said::Body(original.body),
        }))
    }

    fn records(&self) -> Result<Vec<Record>, String> {
        let Location { offset, length, .. } = self.location;
        let stream = SequentialReader::new(Arc::clone(&self.file), offset..offset.saturating_add(length));
        let records = Reader::new(stream).with_block_limit(HEAD_BYTES + STORED_BODY_BYTES);
        records.collect::<Result<_, _>>().map_err(|error: ReadError| error.to_string())
    }
}

/// What an answer says.
enum Said {
    /// This.
    Body(Body),
    /// What an earlier one did.
    Unchanged(Original),
}

/// Request, response or revisit, metadata.
fn group_of(records: Vec<Record>) -> Result<[Record; 3], String> {
    let kinds: Vec<RecordType> = records.iter().map(Record::record_type).collect();
    match kinds[..] {
        [RecordType::Request, RecordType::Response | RecordType::Revisit, RecordType::Metadata] => {
            Ok(records.try_into().expect("there are three"))
        }
        _ => Err(format!("these are no group: {kinds:?}")),
    }
}

fn capture_of(request: &Record, answer: &Record, metadata: &Fields, said: Said) -> Option<Capture> {
    let http: HttpMessage<'_> = answer.http()?;
    let (body, unchanged) = match said {
        Said::Body(body) => (body, None),
        Said::Unchanged(original) => (Body::default(), Some(Arc::new(original))),
    };
    let header = |name: &str| answer.header.get(name);
    // A revisit says of its block that it was cut: its payload never was.
    let is_cut = answer.record_type() == RecordType::Response;
    let address = header("WARC-IP-Address").and_then(|text| text.parse().ok());
    let truncated = header("WARC-Truncated").filter(|_| is_cut).and_then(warc::Truncation::from_name);
    Some(Capture {
        url: answer.target_uri()?.to_owned(),
        started: metadata.get(FETCH_START).and_then(WallTime::parse_iso).or(answer.date())?,
        elapsed_ms: metadata.get(FETCH_TIME).and_then(|text| text.parse().ok()).unwrap_or(0),
        address: address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        protocols: answer.header.get_all("WARC-Protocol").map(str::to_owned).collect(),
        cipher_suite: header("WARC-Cipher-Suite").map(str::to_owned),
        handshake: Handshake::of_fields(metadata).map(Arc::new),
        request_head: Bytes::copy_from_slice(&request.block),
        response_head: Bytes::copy_from_slice(http.head),
        status: http.status()?,
        body,
        truncated: truncated.map(Truncation::from_warc),
        cut_because: None,
        usage: metadata.get(ROBOTS_USAGE).map(str::to_owned),
        unchanged,
    })
}
