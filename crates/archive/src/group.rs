//! A capture as its group of records: request, response, metadata, side by side.

use crate::archive::Kept;
use crate::capture::{Capture, CaptureMeta, Purpose, Truncation};
use crate::config::ArchiveConfig;
use crate::limits::HOPS_SHOWN;
use crate::location::Location;
use stdx::WallTime;
use warc::{
    Encoder, Exchange, Fields, HttpMessage, IndexEntry, Metadata, Place, RecordId, Request, Response,
    Warcinfo,
};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Which record of a group; its id is made of its place and its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Warcinfo,
    Request,
    Response,
    Metadata,
}

/// The id of a record whose group begins at `offset` of file `serial`. A group that is cut off and written
/// again gets the same ids; no two groups of an archive share one.
pub(crate) fn record_id(seed: u64, serial: u32, offset: u64, role: Role) -> RecordId {
    let mut place = [0; 13];
    place[..4].copy_from_slice(&serial.to_le_bytes());
    place[4..12].copy_from_slice(&offset.to_le_bytes());
    place[12] = role as u8;
    RecordId::from_value(xxh3_128_with_seed(&place, seed))
}

/// Encodes groups.
pub(crate) struct GroupEncoder {
    encoder: Encoder,
    seed: u64,
}

/// Where a group goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupPlace<'a> {
    pub(crate) serial: u32,
    pub(crate) offset: u64,
    pub(crate) filename: &'a str,
}

/// A group as it was encoded.
pub(crate) struct Group {
    pub(crate) location: Location,
    pub(crate) index: IndexEntry,
}

impl GroupEncoder {
    pub(crate) fn new(seed: u64) -> Self {
        Self { encoder: Encoder::new(), seed }
    }

    /// Appends the first record of a file.
    pub(crate) fn warcinfo(
        &mut self,
        out: &mut Vec<u8>,
        file: GroupPlace<'_>,
        begun: WallTime,
        config: &ArchiveConfig,
    ) {
        let mut fields = Fields::new();
        fields.push("software", &config.software);
        fields.push_some("operator", config.operator.as_deref());
        fields.push("hostname", &config.host);
        fields.push("robots", &config.robots);
        fields.push("http-header-user-agent", &config.user_agent);
        fields.push("isPartOf", &config.prefix);
        let id = record_id(self.seed, file.serial, 0, Role::Warcinfo);
        self.encoder.warcinfo(out, &Warcinfo { id, date: begun, filename: file.filename, fields });
    }

    /// Appends the group of a capture; `place.offset` is where the end of `out` will stand in the file.
    pub(crate) fn append(&mut self, out: &mut Vec<u8>, place: GroupPlace<'_>, kept: &Kept) -> Group {
        let capture = kept.capture.as_ref();
        let id = |role| record_id(self.seed, place.serial, place.offset, role);
        let exchange = exchange(capture, record_id(self.seed, place.serial, 0, Role::Warcinfo));
        let (request, response, metadata) = (id(Role::Request), id(Role::Response), id(Role::Metadata));
        let begin = out.len();
        let offset_of = |len: usize| place.offset + (len - begin) as u64;

        self.encoder.request(out, &exchange, &Request { id: request, response, head: &capture.request_head });
        let response_offset = offset_of(out.len());
        let head = warc::archived_head(&capture.response_head, capture.body.len() as u64);
        let payload_type = warc::identify_payload(HttpMessage { head: &head, payload: &capture.body });
        let record = Response {
            id: response,
            head: &head,
            payload: &capture.body,
            truncated: capture.truncated.map(Truncation::to_warc),
            payload_type: payload_type.as_deref(),
        };
        self.encoder.response(out, &exchange, &record);
        let response_length = offset_of(out.len()) - response_offset;
        let fields = metadata_fields(capture, &kept.meta);
        self.encoder.metadata(out, &exchange, &Metadata { id: metadata, response, fields });

        let place_of_response =
            Place { filename: place.filename, offset: response_offset, length: response_length };
        Group {
            location: Location {
                serial: place.serial,
                offset: place.offset,
                length: (out.len() - begin) as u64,
                response_offset,
                response_length,
            },
            index: IndexEntry::of_response(&exchange, &record, place_of_response),
        }
    }
}

fn exchange(capture: &Capture, warcinfo: RecordId) -> Exchange<'_> {
    Exchange {
        url: &capture.url,
        date: capture.started,
        address: capture.address,
        protocols: &capture.protocols,
        cipher_suite: capture.cipher_suite.as_deref(),
        warcinfo: Some(warcinfo),
    }
}

pub(crate) const FETCH_TIME: &str = "fetchTimeMs";
pub(crate) const FETCH_START: &str = "fetchStart";
pub(crate) const CERTIFICATE_ERROR: &str = "certificateError";

fn metadata_fields(capture: &Capture, meta: &CaptureMeta) -> Fields {
    let mut fields = Fields::new();
    fields.push_some("via", meta.via.as_deref());
    let hops = hops_from_seed(meta);
    fields.push_some("hopsFromSeed", Some(hops.as_str()).filter(|hops| !hops.is_empty()));
    fields.push(FETCH_TIME, &capture.elapsed_ms.to_string());
    fields.push(FETCH_START, &capture.started.iso_millis());
    fields.push_some(CERTIFICATE_ERROR, capture.certificate_error.as_deref());
    fields
}

/// One letter a hop, in Heritrix' alphabet: L a link, P a prerequisite (robots.txt), M a manifest (sitemap).
fn hops_from_seed(meta: &CaptureMeta) -> String {
    let last = match meta.purpose {
        Purpose::Page => "",
        Purpose::Robots => "P",
        Purpose::Sitemap => "M",
    };
    let shown = "L".repeat(meta.hops.min(HOPS_SHOWN) as usize);
    match meta.hops.saturating_sub(HOPS_SHOWN) {
        0 => format!("{shown}{last}"),
        hidden => format!("{hidden}+{shown}{last}"),
    }
}
