//! Every limit of this crate, with its reason.

/// Bytes of one record's block that [`crate::Reader`] keeps in memory; what exceeds it is counted and
/// dropped. Four times the crawler's default body limit.
pub const BLOCK_BYTES: usize = 64 << 20;

/// Bytes of one record's header: more than any writer makes, small enough for a hostile file.
pub const HEADER_BYTES: usize = 256 << 10;

/// CR and LF bytes read after a block before the record is given up as broken; four are right.
pub const TRAILER_BYTES: usize = 16;

/// Notes a [`crate::Reader`] keeps; a file of a million odd members needs no million notes.
pub const NOTES: usize = 64;

/// Findings a [`crate::Report`] keeps, and as many errors again beyond those; the rest is counted.
pub const FINDINGS: usize = 10_000;

/// Characters of what a file says that are kept in a finding: a header may be as long as [`HEADER_BYTES`], and all findings with it.
pub const QUOTED_CHARS: usize = 512;

/// Bytes of a media type, and of a charset: a type and a subtype have at most 127 each (RFC 6838, section 4.2).
pub const MEDIA_TYPE_BYTES: usize = 255;

/// Bytes of a `Location` that an index tells: as many as a URL has that anybody asks for (RFC 9110, section 4.1).
pub const LOCATION_BYTES: usize = 8_000;

/// Earlier records that `WARC-Concurrent-To` is resolved against when checking.
pub const CONCURRENT_WINDOW: usize = 16;

/// Bytes of a payload that decide what it is: the resource header of the WHATWG MIME sniffing standard.
pub const SNIFF_BYTES: usize = 1445;

/// Bytes of one buffer between the file and the decoder.
pub const BUFFER_BYTES: usize = 64 << 10;

/// Bytes behind the place where a broken file is read that a search may go back over: of a member that was cut, a decoder takes what
/// follows for the rest of a stored block, 64 KiB at most (RFC 1951, section 3.2.4), and then goes on for a while before it notices.
pub const BEHIND_BYTES: usize = 128 << 10;

/// How often a broken file may be gone over again, all in all. Little damage costs next to nothing, and a file that is made of broken
/// members must come to its end.
pub const REPEATS: u64 = 4;

/// Bytes of a gzip member in which its first decoded bytes must be, where a broken file is searched for the next record: the fields
/// of a header, and the tables of a code.
pub const GLANCE_BYTES: usize = 4 << 10;
