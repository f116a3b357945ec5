//! WARC 1.1 (ISO 28500:2017) records: write, read, index, check. Pure over bytes.
//!
//! What is written here is read by warcio, `FastWARC`, pywb and jwarc: one gzip member a record, exact
//! lengths, digests over the stored bytes, no transfer coding left over.
//!
//! * [`Encoder`]: plain values to one gzip member, appended to a buffer. [`write_large_response`]: the same for a payload
//!   that memory does not hold.
//!   [`write_whole_response`]: a revisit as the response that it was.
//! * [`write_void`], [`Removal`]: what stands in the place of a record that was removed, and moves nothing behind it.
//! * [`Reader`]: records out of any [`std::io::Read`], with where they stand. [`PayloadReader`]: the payload of one, as a
//!   stream.
//! * [`check()`]: the rules real readers hold a file to, as findings.
//! * [`IndexEntry`]: one line of a CDXJ index.
//! * [`HttpMessage`], [`header_lines`], [`archived_head`]: HTTP as it stands inside a record.
//! * [`refreshed_head`]: a stored head and that of a 304 as one.
//! * [`identify`]: what a payload is, whatever its header says.

mod cdxj;
mod check;
mod digest;
mod encode;
mod exchange;
mod fields;
mod gzip;
mod http;
mod id;
mod inflate;
pub mod limits;
mod payload;
mod read;
mod record;
mod refresh;
mod rules;
mod sniff;
mod void;

pub use cdxj::{IndexEntry, Place};
pub use check::{Finding, Report, Rule, Severity, check};
pub use digest::{DigestMatch, ResponseDigests, Sha1Digest, Sha1Stream, compare_digest, sha1_digest};
pub use encode::{Encoder, write_large_response, write_whole_response};
pub use exchange::{
    Conversion, Description, Exchange, Metadata, Request, Resource, Response, Revisit, RevisitProfile,
    Truncation, Warcinfo,
};
pub use fields::{Fields, ParsedFields};
pub use http::{HttpMessage, archived_head, header_lines, header_text};
pub use id::RecordId;
pub use payload::PayloadReader;
pub use read::{Note, NoteKind, ReadError, ReadErrorKind, Reader};
pub use record::{Record, RecordType};
pub use refresh::{field, refreshed_head};
pub use sniff::{identify, identify_payload};
pub use void::{Elsewhere, Removal, Void, write_void};

#[cfg(test)]
mod tests;
