//! Every bound of this crate, with its reason.

/// Bytes of a text from elsewhere (a URL, what a server or a library said) in an event; the rest is cut off. Longer URLs are
/// whole in the attempts.
pub const TEXT_BYTES: usize = 2 << 10;

/// A file of events is at least this large, so that none is made for every few lines …
pub const FILE_BYTES_MIN: u64 = 64 << 10;

/// … and at most this: an editor still opens it.
pub const FILE_BYTES_MAX: u64 = 1 << 30;

/// Files of events: more would be a directory that nobody reads.
pub const FILES_MAX: u32 = 100;

/// Bytes looked through for the end of the last whole line, when a file is opened again: more than the longest line there
/// is, which has some texts of [`TEXT_BYTES`], each of whose bytes may be written as six.
pub const TAIL_BYTES: u64 = 64 << 10;

/// Hops of a discovery path; of a longer one Heritrix too writes the last ones, and how many there were before.
pub const PATH_HOPS: u32 = 50;
