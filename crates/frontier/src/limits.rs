//! Every bound of the frontier, with its reason.

/// Rules older than this are fetched again before the next draw (RFC 9309, section 2.4: 24 hours at most).
pub const ROBOTS_MAX_AGE_MS: u64 = 24 * 3600 * 1000;

/// While a server does not give its rules, those it gave before are obeyed (RFC 9309, section 2.4), for as long as it calls reasonable
/// (section 2.3.1.4).
pub const ROBOTS_STALE_AGE_MS: u64 = 30 * 24 * 3600 * 1000;

/// … and asked for again each hour.
pub const ROBOTS_AGAIN_MS: u64 = 3600 * 1000;

/// Redirects followed for robots.txt (RFC 9309, section 2.3.1.2: at least five).
pub const ROBOTS_MAX_HOPS: u8 = 5;

/// Authorities (scheme and port) of one host whose rules are remembered; honest hosts have two, and a page can name
/// 65,535. The rules of the one asked longest ago are forgotten and fetched again when they are needed.
pub const ROBOTS_PER_HOST: usize = 16;

/// Errands for robots.txt of others that a host is given at once: a CDN that holds them for many. Those beyond are taken
/// for unreachable and tried again, as by a host that does not answer.
pub const ERRANDS_PER_HOST: usize = 256;

/// Longest URL of such an errand; a longer one is taken for unreachable.
pub const ERRAND_URL_BYTES: usize = 1024;

/// Hosts of a shard, not in memory, that a job is to wake for such errands.
pub const HOSTS_WOKEN: usize = 1024;

/// Redirects followed for a page, over all hosts of the chain; browsers stop at 20, few honest chains pass 3.
pub const MAX_HOPS: u8 = 10;

/// URLs a host has at hand, drawn from its front queues at once.
pub const BACK_QUEUE_WINDOW: usize = 16;

/// URLs looked at in one draw before the turn goes to another host: a long run of forbidden URLs must not hold the shard.
pub const LOOKED_AT_PER_DRAW: usize = 256;

/// Pages forbidden (403) one after the other that are their own affair: a page may link to as many of a closed part of its site.
/// From there on it is the host that turns us away.
pub const REFUSALS_FREE: u8 = 16;

/// Pages that fail one after the other, different ones, that are their own affair. From there on the host is in trouble, and
/// rests after each.
pub const TROUBLES_FREE: u8 = 4;

/// Such a rest doubles so many times, less one.
pub const TROUBLE_RESTS: u8 = 4;

/// Longest `Retry-After` that is believed to be meant: a year. What is longer is read as this.
pub const RETRY_AFTER_MAX_MS: u64 = 365 * 24 * 3600 * 1000;

/// A crawl-delay above this parks the host.
pub const CRAWL_DELAY_MAX_MS: u64 = 300_000;

/// A delay learned from slow answers stops here, so that one slow answer does not end a host's crawl.
pub const SLOWDOWN_MAX_MS: u64 = 30_000;

/// A delay learned from 429s and 503s stops here: what wants to be left alone for longer says so.
pub const OVERLOAD_DELAY_MAX_MS: u64 = 120_000;

/// The delay learned from slow answers: this many times the last response time.
pub const SLOWDOWN_FACTOR: u64 = 10;

/// Weights of the front queues, high to low.
pub const CLASS_WEIGHTS: [u64; 3] = [60, 30, 10];

/// Hosts compared when the one with the most to do is sought: enough for any honest domain, and a bound on what a farm of
/// subdomains costs a turn.
pub const HOSTS_COMPARED: usize = 64;

/// B0: pages a round of a domain that nobody knows (`IRLbot`, §VIII-B).
pub const BUDGET_DEFAULT: u32 = 10;

/// Pages a round of the domain with the highest in-degree (`IRLbot`, §VIII-B).
pub const BUDGET_MOST: u32 = 10_000;

/// Domains that get more than the default (`IRLbot`, §VIII-B).
pub const BUDGET_TOP: u64 = 10_000;

/// In a crawl of fewer than a million domains, one in so many gets more than the default.
pub const BUDGET_TOP_ONE_IN: u64 = 100;

/// E\[Bx\], which `IRLbot` measured among 33 million domains (§VII-B). With a default of 10, the reputation of the top domains
/// adds a tenth to all budgets, in a crawl of any size.
pub const BUDGET_MEAN: u32 = 11;

/// A page of budget costs so many votes at least; in `IRLbot`'s crawl it was 295 (10,000 pages for 2,948,085 domains), in a
/// small crawl the line would be as steep as the highest in-degree is low. A page has one vote, so what bought domains can cast
/// for each other in a round brings them 1/4 + 1/16 + … of the default budget in the mean, however many they are.
pub const VOTES_A_PAGE: u64 = 4;

/// Queues that BEAST spreads URLs among, each a file of the shard: what `IRLbot` had after 8 billion pages (§VII-B).
pub const BEAST_QUEUES: u64 = 16;

/// Sitemaps that a host is asked for before anybody asks how many pages it has: those of a large site, far fewer than indexes of indexes
/// make up.
pub const SITEMAPS_FREE: u64 = 100;

/// Sitemaps for each other contact. While pages are at hand there are six at most (60/10 of the lottery), so that only a host without any comes
/// beyond its share.
pub const SITEMAPS_A_PAGE: u64 = 10;

/// How long a host rests after a sitemap beyond its share: a thousand and more come in a day, and all of them in the end.
pub const SITEMAP_REST_MS: u64 = 60_000;

/// The least a host on the public internet is left alone.
pub const HOST_FLOOR_MS: u64 = 500;

/// The least a host on the public internet rests after a 429 or 503 that asks for nothing, a challenge, or pages that fail in a row.
pub const OVERLOAD_FLOOR_MS: u64 = 60_000;

/// … and what it may rest at least when that happens again and again, each time for twice as long.
pub const REST_FLOOR_MS: u64 = 300_000;

/// The least time between two requests to one registrable domain on the public internet: 4 a second.
pub const GROUP_FLOOR_MS: u64 = 250;

/// Domains of a server address that are remembered, for the average of their budgets.
pub const TENANTS_SAMPLED: usize = 8;

/// From so many of them on, a server is one that serves many unrelated domains.
pub const MANY_TENANTS: u64 = 4;

/// Hosts and domains that an operator may put into groups by name: what a person writes down.
pub const NAMED_HOSTS: usize = 10_000;

/// URLs of one host that wait for a retry at once; while there are so many, nothing new of it is asked for. A host that
/// fails that often has enough to do, and a bound on what it takes of memory.
pub const RETRIES_PER_HOST: usize = 256;

/// What a host takes beside its own fields: its places in calendars and tables.
pub const HOST_OVERHEAD_BYTES: usize = 160;

/// The same of a group.
pub const GROUP_OVERHEAD_BYTES: usize = 128;

/// Largest record of a host in the directory, its queues apart: rules that make it larger are left out and asked for
/// again. One robots.txt as long as it is read (500 KiB) has room: else a host that leaves memory before its first page would
/// ask for its rules for ever. With the queues it stays below the megabyte that an entry of a backlog may have.
pub const HOST_RECORD_BYTES: usize = 640 << 10;

/// A host whose retries and URLs at hand take more than this stays in memory, for the same reason.
pub const LEAVING_BYTES: u64 = 128 << 10;

/// URLs of one class that stand in a host's record in the directory; from here on they go to a section: below, a block
/// of their own would be mostly header.
pub const INLINE_ENTRIES: usize = 16;

/// Bytes of them: a few long URLs are a block too.
pub const INLINE_BYTES: usize = 16 << 10;

/// What a host takes in the directory at most, its habits apart, for which a tenth of an entry is left: its rules, what is at hand, and of
/// each class what stands at the head and at the tail, which may go over their bound by one URL.
const STORED_HOST_BYTES: usize =
    HOST_RECORD_BYTES + LEAVING_BYTES as usize + 6 * (INLINE_BYTES + weburl::limits::URL_BYTES);

const _: () =
    assert!(STORED_HOST_BYTES <= backlog::limits::MAX_ENTRY_BYTES / 10 * 9, "a host can always be stored");

/// The least that a section is begun for, but where memory is short.
pub const SECTION_ENTRIES: usize = 64;

/// Entries of a host that are brought into memory at once, as bytes before compression: a hundred URLs.
pub const BLOCK_BYTES: usize = 16 << 10;

/// A file of one of BEAST's queues.
pub const QUEUE_FILE_BYTES: u64 = 8 << 20;

/// The queue of parked URLs, with all that is needed to put them back; BEAST has the numbers below.
pub const PARKED: backlog::QueueId = backlog::QueueId(u8::MAX);

/// The queue of those of them that an operator's word is being applied to.
pub const REVIVING: backlog::QueueId = backlog::QueueId(u8::MAX - 1);

/// Records have this share of the seen-set's buffers: one an outcome, against some fifty discoveries a page.
pub const RECORD_BUFFER_SHARE: usize = 4;

/// Edges have this share: most links stay within their domain or repeat a pair.
pub const EDGE_BUFFER_SHARE: usize = 8;

/// A job begins at least this long after the last …
pub const JOB_INTERVAL_MS: u64 = 20;

/// … and one more millisecond for each of these bytes of keys and directory, which it goes through: 50 MB/s. The sum is
/// the refill latency: how long a host that is due may wait on disk while slots are free.
pub const JOB_BYTES_PER_MS: u64 = 50_000;

/// Of keys a processor goes through so many bytes in a millisecond …
pub const KEY_BYTES_PER_MS: u64 = 200_000;

/// … and of a directory, packed, so many.
pub const DIRECTORY_BYTES_PER_MS: u64 = 10_000;

/// A job is worth its while once so many discoveries wait …
pub const GATHERED_LEAST: u64 = 1024;

/// … and each of them pays for so many bytes of keys and directory that it goes through: a shard that grows is merged each time
/// it has grown by a part, until that is more than a bucket.
pub const GATHERED_BYTES: u64 = 64;

/// Fewer wait so long for one …
pub const RIPE_MS: u64 = 60_000;

/// … and so many times what it takes to go through keys and directory: a shard of 30 MB is gone through for a few once in an hour and a
/// half.
pub const RIPE_TIMES: u64 = 8_192;

/// What a discovery that waits takes unpacked, usually; many that take more count as more.
pub const USUAL_ENTRY_BYTES: u64 = 128;

/// Keys and directories of fewer bytes are gone through as often as the crawl is hungry, whomever that may feed: it takes a
/// millisecond or two.
pub(crate) const FREE_PASS_BYTES: u64 = 256 << 10;

/// Hosts that will be due within so many refill latencies are brought into memory …
pub const AHEAD_LATENCIES: u64 = 2;

/// … and those that are due within some seconds in any case: hosts on disk that come one after the other would have the shard gone through for each.
pub const AHEAD_MS: u64 = 5_000;

/// Memory that runs short is looked after so often: what takes too much by itself is not sent off and brought back all the time.
pub const PRESSURE_INTERVAL_MS: u64 = 1_000;

/// Hosts that found no share of their domain's memory are looked at again after so many refill latencies: a pass for a farm
/// of hosts takes an eighth of a disk's time at most.
pub const AGAIN_LATENCIES: u64 = 8;

/// One domain may take this share of the memory for hosts: a farm of a million hosts leaves room for others.
pub const DOMAIN_SHARE: u64 = 8;

/// Where its hosts take turns in that, those that have had theirs in the present round keep a half.
pub const SERVED_SHARE: u64 = 2;

/// Seeds and sitemaps have this share of the room to themselves.
pub const HIGH_CLASS_SHARE: u64 = 4;

/// Above this share of the limit (in eighths) memory is made free.
pub const PRESSURE_EIGHTHS: u64 = 7;

/// At most this share of memory changes hands in one job, so that hosts don't go back and forth.
pub const EXCHANGE_SHARE: u64 = 4;

/// A host that is not due for so long makes room for one that is.
pub const EXCHANGE_MS: u64 = 10_000;

/// URLs that are read from BEAST's queues in one job: enough to fill any number of slots, and a bound on its memory.
pub const ADVANCE_URLS: u64 = 16_384;

/// Hosts that came into memory and whose names nobody has asked about: more is not asked for ahead at once.
pub const NEWCOMERS: usize = 64;
