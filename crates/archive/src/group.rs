//! A capture as its group of records: request, response, metadata, side by side.

use crate::archive::Kept;
use crate::body::Body;
use crate::capture::{Capture, CaptureMeta, Purpose, Truncation};
use crate::config::ArchiveConfig;
use crate::ids::{GroupPlace, RecordIds, Role};
use crate::limits::HOPS_SHOWN;
use crate::location::Location;
use crate::original::Original;
use crate::tail::Tail;
use std::io;
use stdx::WallTime;
use warc::{
    Encoder, Exchange, Fields, HttpMessage, IndexEntry, Metadata, Place, RecordId, Request, Response,
    Revisit, RevisitProfile, Sha1Digest, Warcinfo,
};

/// Encodes groups.
pub(crate) struct GroupEncoder {
    encoder: Encoder,
    ids: RecordIds,
}

/// A group as it was encoded.
pub(crate) struct Group {
    pub(crate) location: Location,
    pub(crate) index: IndexEntry,
}

impl GroupEncoder {
    pub(crate) fn new(ids: RecordIds) -> Self {
        Self { encoder: Encoder::new(), ids }
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
        let id = self.ids.of_file(file);
        self.encoder.warcinfo(out, &Warcinfo { id, date: begun, filename: file.filename, fields });
    }

    /// Appends the group of a capture at the end of its file, where `place` says it stands.
    pub(crate) fn append(
        &mut self,
        out: &mut Tail,
        place: GroupPlace<'_>,
        kept: &Kept,
        archived: &ArchivedResponse,
        original: Option<&Original>,
    ) -> io::Result<Group> {
        let capture = kept.capture.as_ref();
        let id = |role| self.ids.id(place, role);
        let exchange = exchange(capture, self.ids.of_file(place));
        let (request, response, metadata) = (id(Role::Request), id(Role::Response), id(Role::Metadata));

        let record = Request { id: request, response, head: &capture.request_head };
        self.encoder.request(out.pending(), &exchange, &record);
        let response_offset = out.len();
        let record = archived.record(response, capture);
        let standing = capture.unchanged.as_deref().or(original);
        let refers_to = standing.map(|original| format!("<{}>", original.id));
        let revisit =
            standing.map(|original| revisit(&record, profile_of(capture), original, refers_to.as_deref()));
        match &revisit {
            None => self.write_response(out, &exchange, &record, &capture.body)?,
            Some(revisit) => self.encoder.revisit(out.pending(), &exchange, revisit),
        }
        let response_length = out.len() - response_offset;
        let fields = metadata_fields(capture, &kept.meta);
        self.encoder.metadata(out.pending(), &exchange, &Metadata { id: metadata, response, fields });

        let place_of_response =
            Place { filename: place.filename, offset: response_offset, length: response_length };
        Ok(Group {
            location: Location {
                serial: place.serial,
                offset: place.offset,
                length: out.len() - place.offset,
                response_offset,
                response_length,
            },
            index: match &revisit {
                None => IndexEntry::of_response(&exchange, &record, place_of_response),
                Some(revisit) => IndexEntry::of_revisit(&exchange, revisit, place_of_response),
            },
        })
    }

    fn write_response(
        &mut self,
        out: &mut Tail,
        exchange: &Exchange<'_>,
        record: &Response<'_>,
        body: &Body,
    ) -> io::Result<()> {
        match body.held() {
            Some(bytes) => self.encoder.response(out.pending(), exchange, record, bytes),
            None => warc::write_large_response(out, exchange, record, || body.read())?,
        }
        Ok(())
    }
}

/// The head of a response as it is archived, and what its body shows itself to be.
pub(crate) struct ArchivedResponse {
    head: Vec<u8>,
    payload_type: Option<String>,
    block_digest: Option<Sha1Digest>,
}

impl ArchivedResponse {
    pub(crate) fn of(capture: &Capture) -> io::Result<Self> {
        let head = warc::archived_head(&capture.response_head, capture.body.len());
        let content = capture.content();
        let start = content.body.start(warc::limits::BUFFER_BYTES)?;
        let of = capture.unchanged.as_ref().map_or(&head[..], |_| content.head);
        let payload_type = warc::identify_payload(HttpMessage { head: of, payload: &start });
        Ok(Self { payload_type, block_digest: capture.body.block_digest(&head), head })
    }

    fn record(&self, id: RecordId, capture: &Capture) -> Response<'_> {
        Response {
            id,
            head: &self.head,
            payload_len: capture.body.len(),
            payload_digest: capture.body.digest(),
            block_digest: self.block_digest,
            truncated: capture.truncated.map(Truncation::to_warc),
            payload_type: self.payload_type.as_deref(),
        }
    }
}

/// By what it is known that nothing new came.
fn profile_of(capture: &Capture) -> RevisitProfile {
    match capture.unchanged {
        Some(_) => RevisitProfile::ServerNotModified,
        None => RevisitProfile::IdenticalPayloadDigest,
    }
}

/// The same without its body, which is the original's.
fn revisit<'a>(
    response: &Response<'a>,
    profile: RevisitProfile,
    original: &'a Original,
    refers_to: Option<&'a str>,
) -> Revisit<'a> {
    // Nobody asks a reference how long the original is.
    let place = Place { filename: &original.filename, offset: original.offset, length: 0 };
    Revisit {
        id: response.id,
        profile,
        head: response.head,
        refers_to_url: &original.url,
        refers_to_date: original.date,
        refers_to,
        refers_to_place: Some(place),
        payload_digest: original.body.digest(),
        payload_type: response.payload_type,
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
pub(crate) const ROBOTS_USAGE: &str = "robotsUsage";

fn metadata_fields(capture: &Capture, meta: &CaptureMeta) -> Fields {
    let mut fields = Fields::new();
    fields.push_some("via", meta.via.as_deref());
    let hops = hops_from_seed(meta);
    fields.push_some("hopsFromSeed", Some(hops.as_str()).filter(|hops| !hops.is_empty()));
    fields.push(FETCH_TIME, capture.elapsed_ms);
    fields.push(FETCH_START, capture.started.iso_millis());
    if let Some(handshake) = &capture.handshake {
        handshake.put(&mut fields);
    }
    fields.push_some(ROBOTS_USAGE, capture.usage.as_deref());
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
