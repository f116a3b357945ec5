//! The plain values that records are made of.

use crate::{Fields, Place, RecordId, Sha1Digest};
use std::net::IpAddr;
use stdx::WallTime;

/// What the records of one request and its response have in common.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// `WARC-Target-URI`: the URL as requested.
    pub url: &'a str,
    /// `WARC-Date`, the same in all records of the exchange.
    pub date: WallTime,
    /// `WARC-IP-Address`.
    pub address: IpAddr,
    /// `WARC-Protocol`, one header a value: `http/1.1` or `h2`, then `tls/1.3`.
    pub protocols: &'a [String],
    /// `WARC-Cipher-Suite`.
    pub cipher_suite: Option<&'a str>,
    /// `WARC-Warcinfo-ID` of the file.
    pub warcinfo: Option<RecordId>,
}

/// The first record of a file.
#[derive(Debug, Clone)]
pub struct Warcinfo<'a> {
    /// This record's id.
    pub id: RecordId,
    /// When the file was begun.
    pub date: WallTime,
    /// `WARC-Filename`, as it will be called when closed.
    pub filename: &'a str,
    /// software, operator, robots, … ; `format` and `conformsTo` are added.
    pub fields: Fields,
}

/// A `request` record.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// This record's id.
    pub id: RecordId,
    /// The response it belongs to.
    pub response: RecordId,
    /// Request line and headers as sent, to the empty line inclusive.
    pub head: &'a [u8],
}

/// A `response` record, without the bytes of its payload.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// This record's id.
    pub id: RecordId,
    /// The head as it is to be stored: see [`crate::archived_head`].
    pub head: &'a [u8],
    /// Bytes of the payload: transfer coding removed, content coding kept.
    pub payload_len: u64,
    /// `WARC-Payload-Digest`.
    pub payload_digest: Sha1Digest,
    /// `WARC-Block-Digest`, where that was made together with the payload's: see [`crate::ResponseDigests`].
    pub block_digest: Option<Sha1Digest>,
    /// `WARC-Truncated`.
    pub truncated: Option<Truncation>,
    /// `WARC-Identified-Payload-Type`: see [`crate::identify_payload`].
    pub payload_type: Option<&'a str>,
}

/// A `revisit` record: the response was what an earlier one had been, its original.
#[derive(Debug, Clone, Copy)]
pub struct Revisit<'a> {
    /// This record's id.
    pub id: RecordId,
    /// How sameness was found.
    pub profile: RevisitProfile,
    /// The HTTP head of *this* response.
    pub head: &'a [u8],
    /// `WARC-Refers-To-Target-URI`: the original's URL.
    pub refers_to_url: &'a str,
    /// `WARC-Refers-To-Date`: the original's date.
    pub refers_to_date: WallTime,
    /// `WARC-Refers-To`, where the original's id is known: in angle brackets.
    pub refers_to: Option<&'a str>,
    /// `WARC-Refers-To-Filename` and `-File-Offset`, where that is known: two headers of Heritrix' that no standard has.
    pub refers_to_place: Option<Place<'a>>,
    /// The *original's* payload digest.
    pub payload_digest: Sha1Digest,
    /// `WARC-Identified-Payload-Type`, of the original's payload.
    pub payload_type: Option<&'a str>,
}

/// `WARC-Profile`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevisitProfile {
    /// The payload came again and its digest is the same.
    IdenticalPayloadDigest,
    /// The server answered 304.
    ServerNotModified,
}

/// A `resource` record: bytes without a protocol around them.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'a> {
    /// This record's id.
    pub id: RecordId,
    /// `WARC-Target-URI`.
    pub url: &'a str,
    /// When the bytes were as they are.
    pub date: WallTime,
    /// `WARC-Warcinfo-ID` of the file.
    pub warcinfo: Option<RecordId>,
    /// `Content-Type` of the bytes.
    pub content_type: &'a str,
    /// The bytes.
    pub payload: &'a [u8],
}

/// A `conversion` record: what a response says, as plain text (WET).
#[derive(Debug, Clone, Copy)]
pub struct Conversion<'a> {
    /// This record's id.
    pub id: RecordId,
    /// `WARC-Target-URI`.
    pub url: &'a str,
    /// The response's date.
    pub date: WallTime,
    /// `WARC-Warcinfo-ID` of the file.
    pub warcinfo: RecordId,
    /// `WARC-Refers-To`: the response's id, in angle brackets.
    pub refers_to: &'a str,
    /// `WARC-Identified-Content-Language`: ISO 639-3.
    pub language: Option<&'a str>,
    /// The text.
    pub text: &'a str,
}

/// A `metadata` record of `application/json`: what there is to know of another record (WAT).
#[derive(Debug, Clone, Copy)]
pub struct Description<'a> {
    /// This record's id.
    pub id: RecordId,
    /// `WARC-Target-URI`.
    pub url: &'a str,
    /// The date of what is described.
    pub date: WallTime,
    /// `WARC-Warcinfo-ID` of the file.
    pub warcinfo: RecordId,
    /// `WARC-Refers-To`: the id of what is described, in angle brackets.
    pub refers_to: &'a str,
    /// What is said.
    pub json: &'a str,
}

/// A `metadata` record of `application/warc-fields`.
#[derive(Debug, Clone)]
pub struct Metadata {
    /// This record's id.
    pub id: RecordId,
    /// The response it belongs to.
    pub response: RecordId,
    /// `fetchTimeMs`, `via`, `hopsFromSeed`, …
    pub fields: Fields,
}

/// `WARC-Truncated`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// A length limit.
    Length,
    /// A time limit.
    Time,
    /// The connection ended early.
    Disconnect,
    /// Nobody knows.
    Unspecified,
}

impl Truncation {
    /// The word in the header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Time => "time",
            Self::Disconnect => "disconnect",
            Self::Unspecified => "unspecified",
        }
    }

    /// The word back; case aside.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Length, Self::Time, Self::Disconnect, Self::Unspecified];
        all.into_iter().find(|reason| reason.name().eq_ignore_ascii_case(name))
    }
}

impl RevisitProfile {
    /// The URI in the header.
    pub fn uri(self) -> &'static str {
        match self {
            Self::IdenticalPayloadDigest => {
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            }
            Self::ServerNotModified => "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
        }
    }

    /// The profile that a URI names, of whatever version of WARC.
    pub fn from_uri(uri: &str) -> Option<Self> {
        match uri.rsplit('/').next()? {
            "identical-payload-digest" => Some(Self::IdenticalPayloadDigest),
            "server-not-modified" => Some(Self::ServerNotModified),
            _ => None,
        }
    }
}
