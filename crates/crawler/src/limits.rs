//! Every bound of the machine, with its reason.

/// Entries of one group commit: a thousand pages and what goes with them, so that a disk that takes its time for the two syncs does not
/// hold up ten thousand pages a second; few enough to keep one frame small.
pub const COMMIT_ENTRIES: usize = 4_096;

/// … and bytes of one, well below the archive's limit on a frame: a page with long links journals megabytes.
pub const COMMIT_BYTES: usize = 16 << 20;

/// Entries that may wait for a commit before dispatch stops: the disk is slower than the network. As many as two commits take.
pub const UNCOMMITTED_ENTRIES: usize = 2 * COMMIT_ENTRIES;

/// Bytes of a robots.txt that are taken in: what its reader reads (RFC 9309, section 2.5: 500 KiB at least), and one to know that there
/// was more.
pub const ROBOTS_BODY_BYTES: usize = robots::limits::ROBOTS_BYTES + 1;

/// Bytes of a sitemap that are taken in, as received and decoded, however little of a page is kept: what the protocol allows (sitemaps.org:
/// 52,428,800). It is read as a stream.
pub const SITEMAP_BODY_BYTES: u64 = 50 << 20;

/// Indexes one below the other that are followed from a robots.txt on. The protocol knows one; sites have two.
pub const SITEMAP_LEVELS: u32 = 3;

/// Captures of this run committed and not parsed before dispatch stops, where memory has room for their heads: the parsers are slower than the
/// network. What two commits may bring.
pub const UNPARSED_CAPTURES: usize = 2_048;

/// So many captures of this run are given to parsers before one of those that are read back, if there are any.
pub const FRESH_IN_A_ROW: u32 = 7;

/// Captures read back that wait to have their links derived by other rules: enough for all parsers, whatever was fetched.
pub const CAPTURES_DERIVED_AHEAD: usize = 256;

/// Shards of a crawl, from the first format on: a range of domains each.
pub const SHARDS: usize = 256;

/// While few shards are in use, each gets a share of the memory as if there were so many more: those that are yet to come
/// find room.
pub const SHARDS_TO_COME: u64 = 3;

/// Who has had merges for so long and is as hungry as before starves: what waits for a verdict may all be known. Enough for one
/// of every shard, and no more than a host's delay.
pub const STARVING_MS: u64 = 1000;

/// Jobs that hunger alone asks for take this share of one processor's time: a crawl that waits for the delays of few servers has free slots for days, and
/// what it finds would have every shard gone through again and again …
pub const APPETITE_SHARE: u64 = 8;

/// … but for so much of it that comes first: a hunger that passes is satisfied at once.
pub const APPETITE_MS: u64 = 1_000;

/// Jobs of shards under way at once: merges are sequential, and a disk serves few such streams well. Each takes memory.
pub const JOBS_AT_ONCE: usize = 2;

/// Domains are ranked by in-degree this often, and memory is shared out anew: budgets follow the web's opinion, which
/// changes slowly, and so do the sizes of shards.
pub const REVIEW_MS: u64 = 10_000;

/// What making a file durable weighs against writing this much: a checkpoint of many files is taken more rarely.
pub const SYNC_WEIGHT_BYTES: u64 = 128 << 10;

/// Discoveries of one journal record: a page with a hundred thousand links becomes several …
pub const DISCOVERIES_PER_RECORD: usize = 1024;

/// … and bytes of their URLs.
pub const DISCOVERY_BYTES_PER_RECORD: usize = 1 << 20;

/// A checkpoint is due when this much has been journaled since the last …
pub const CHECKPOINT_BYTES: u64 = 8 << 20;

/// … or this much of what the last checkpoint weighed, so that saving costs a fixed share of the journal.
pub const CHECKPOINT_SHARE: u64 = 1;

/// Of the memory of hosts, the part in which those that are larger than their shard's are let in although all of it is taken.
pub const GUEST_SHARE: u64 = 4;

/// A replay looks whether hosts take more memory than they may whenever it has read one part of so many of that; what is read may take twelve times its bytes.
pub const RELIEF_SHARE: u64 = 64;

/// Bytes of the journal read at a time for batches that memory had no room for: as much as a window to another node holds,
/// and as much again of other records.
pub const JOURNAL_READ_BYTES: usize = 4 << 20;

/// An errand at another node is repeated after this: a host with many errands answers late, and a repetition costs it nothing.
pub const ERRAND_AGAIN_MS: u64 = 10_000;

/// Errands of other nodes that wait here; more are not heard, and repeated by those who want them.
pub const ERRANDS_FOR_OTHERS: usize = 4_096;

/// Server clocks that are kept before those that have run out and that nobody waits for are dropped: two megabytes. Those
/// that have not run out are no more than the contacts of a delay.
pub const IDLE_SERVERS: usize = 16_384;

/// Hosts that stand in one line, a server's or a named group's: as many as are compared for the one with the most to do. They stay in memory, however
/// few such a server can serve; the others may go to disk.
pub const IN_LINE: usize = frontier::limits::HOSTS_COMPARED;

/// The same of hosts of a shard that is short of memory: what a server is given until they could be brought back.
pub const IN_LINE_PRESSED: usize = 8;

/// Nobody is put off for longer: rules and clocks may have changed.
pub const PUT_OFF_MS: u64 = 3_600_000;

/// A connection is worth keeping when the host is due again within this.
pub const KEEP_ALIVE_MS: u64 = 5_000;

/// A server that is kept for a host is kept this long beyond the moment at which that host is due: it has yet to come.
pub const ARRIVAL_MS: u64 = 10;

/// How long a server is kept for a host that has it and waits for its domain's moment: the delay that either has between contacts unless told otherwise.
pub const KEPT_MS: u64 = 250;

/// A contact that has not begun so long after its draw is not begun: clocks that run from start to start count from the draw, so that two starts are at
/// most this much closer than the clock says. Far more than a thread takes to hand over a job, and what the audit allows for.
pub const BEGIN_WITHIN_MS: u64 = 20;

/// Turns that are taken by one reading of the clock, where there is anything to do before the next: a millisecond or two of those within which a
/// contact has to begin.
pub const TURNS_AT_ONCE: usize = 256;

/// Names that are asked for ahead at once: some seconds of work for a name server, and a fraction of a megabyte.
pub const NAMES_AHEAD: usize = 1_024;

/// Failures in a row, while nobody is heard, that are of hosts which answered before or of this machine, until it is the way out that is blamed: two may
/// be chance.
pub const OUTAGE_DOUBTS: u8 = 3;

/// Contacts begun at a time while nobody is heard: some of them may be with hosts that are down themselves.
pub const OUTAGE_PROBES: usize = 4;

/// From the first few to the next; twice as long each time …
pub const OUTAGE_WAIT_MS: u64 = 1_000;

/// … and no longer than this: what a crawl loses at most when the way is free again.
pub const OUTAGE_WAIT_MOST_MS: u64 = 60_000;

/// An outage is believed in for no longer than a day, over all runs: then it is the hosts that are blamed again.
pub const OUTAGE_BELIEVED_MS: u64 = 24 * 3_600_000;

/// URLs of which is remembered that a condition was answered as nothing else had been asked: some 10 bytes each.
pub const FALSE_CONDITIONS: usize = 65_536;

/// Attempts at a URL that ask only for what has changed, where something is known of it; all further ones ask for everything.
pub const CONDITIONAL_ATTEMPTS: u8 = 3;

/// URLs on their way from form to form of which is remembered where they began: some 25 bytes each.
pub const CIRCLES: usize = 65_536;

/// Seeds that redirect out of scope and are named, not only counted.
pub const SEEDS_LED_OUT: usize = 8;

/// Hosts in memory that are looked at for one picture of what a crawl waits for, shard after shard …
pub const HOSTS_LOOKED_AT: usize = 16_384;

/// … and besides those of shards that were looked at so long ago.
pub const LOOK_AGAIN_MS: u64 = 10_000;

/// Bytes of a file of `crawl.log`: some two million lines, which a pager and `grep` still take at once. A start reads the one that is written
/// through, and a rotation waits until it is synced: a second or two.
pub const LOG_FILE_BYTES: u64 = 256 << 20;

/// Rules by which links were left aside that are counted each for itself, of all the excluded hosts that there may be; the others are
/// counted together.
pub const RULES_COUNTED: usize = 1_000;
