//! What a backlog may grow to, and why.

/// Largest payload of a record and largest entry: the longest URL with its metadata, or a host with all that is known
/// of it, many times over.
pub const MAX_ENTRY_BYTES: usize = 1 << 20;
/// Largest block before compression, keys counted, unless a single entry is larger: one read of a host's next URLs.
pub const MAX_BLOCK_BYTES: usize = 64 << 10;
/// Entries that the owner appends to a queue are in memory until they are this many bytes: 256 shards with one such
/// queue each make 4 MiB.
pub const APPEND_BYTES: usize = 16 << 10;
/// Runs a backlog may have before the smallest are moved into the next: open files of a job, lines of a manifest.
pub const MAX_RUNS: usize = 64;
/// Bytes read and written at a time by a job: a disk is sequential from here on.
pub const STREAM_BYTES: usize = 256 << 10;
/// Generations set aside for a job: a directory, a run, and more queue files than a disk has room for.
pub const JOB_GENERATIONS: u64 = 1 << 16;
/// Stretches that a queue may be in before what is left over of it goes to a file of its own: lines of a manifest, files
/// to open for its reader, and files that stay for a little of it.
pub const SCATTERED_STRETCHES: usize = 4;
