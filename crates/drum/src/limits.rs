//! What a DRUM may grow to, and why.

/// Most buckets: 2^10 files of each kind and as many buffers; a billion keys in one process need 2^8.
pub const MAX_BUCKET_BITS: u8 = 10;
/// Smallest buffer of a bucket: below this a block is all header.
pub const MIN_BUFFER_BYTES: usize = 256;
/// Largest buffer of a bucket: a block's lengths are 32-bit, and beyond a few MiB compression gains nothing.
pub const MAX_BUFFER_BYTES: usize = 64 << 20;
/// Largest bucket: it is in memory while it is merged, and its requests are numbered with 32 bits.
pub const MAX_BUCKET_BYTES: u64 = 2 << 30;
/// A bucket refuses requests when this many times its due size waits: merging has fallen behind, and the
/// one who appends must wait.
pub const FULL_FACTOR: u64 = 2;
/// Aux that waits weighs this part of its bytes, unpacked, if that is more than what it takes packed: whoever merges a bucket may
/// hold all of its aux, and a merge is reckoned at four times the bytes of its bucket (`docs/memory.md`), of which aux has two.
/// Outlinks weigh alike either way.
pub const AUX_SHARE: u64 = 2;
/// Bytes of aux, unpacked, for each byte of a bucket file whose manifest does not say how many: outlinks have two, long ones more.
pub const AUX_RECKONED: u64 = 4;
/// Longest aux of one request: the longest URL with its metadata, many times over.
pub const MAX_AUX_BYTES: usize = 1 << 20;
/// Largest value: fixed-size records, not documents.
pub const MAX_VALUE_BYTES: usize = 4096;
/// Bytes of a block of a key file, roughly: one read of a point look-up, 13,000 bare keys.
pub const KEY_BLOCK_BYTES: usize = 64 << 10;
/// Key files, and buckets due, of this size and more bypass the operating system's cache: it would have
/// forgotten them before they are read again, and copying through it costs more than a merge. Smaller ones may
/// never reach the disk.
pub const DIRECT_BYTES: u64 = 8 << 20;
/// Bytes read and written at a time by a merge: a disk is sequential from here on.
pub const STREAM_BYTES: usize = 1 << 20;
