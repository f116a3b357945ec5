//! Every bound of this crate, with its reason.

/// Distinct server addresses: 127.1.0.0 to 127.128.255.255, well clear of 127.0.0.1 and of the end of the block.
pub const ADDRESSES: u32 = 128 << 16;

/// Links a page may be configured to have: beyond it a page is a hostile test of its own.
pub const LINKS: u32 = 1_000;

/// No page is larger than this many medians: it keeps one draw of the tail from owning a test.
pub const SIZE_MEDIANS: u32 = 32;

/// A URL longer than this names nothing here: the maze ends where servers refuse too.
pub const URL_BYTES: usize = 8_000;

/// Pages listed in one host's sitemaps.
pub const SITEMAP_URLS: u64 = 2_000;

/// Pages in one sitemap file, so that larger hosts need an index.
pub const SITEMAP_PART_URLS: u64 = 500;

/// Length of the huge robots.txt: more than the 500 KiB that RFC 9309 asks a crawler to read.
pub const HUGE_ROBOTS_BYTES: usize = 600 << 10;

/// Hosts of an ordinary domain.
pub const HOSTS_PER_DOMAIN: u64 = 48;

/// How many domains hang below a domain in the tree that makes every domain reachable.
pub const DOMAIN_FAN: u64 = 4;

/// How many hosts hang below a host in the tree that makes every host of a domain reachable.
pub const HOST_FAN: u64 = 64;

/// Hops of the longest redirect chain: below the ten or so that clients follow.
pub const CHAIN_HOPS: u64 = 4;

/// Bytes of compressed bodies the server keeps.
pub const CACHED_BYTES: usize = 512 << 20;

/// Certificates the server keeps; beyond it the cache is emptied.
pub const CACHED_CERTIFICATES: usize = 10_000;

/// Connections served at once; one more is closed unanswered.
pub const CONNECTIONS: usize = 20_000;

/// Idle time after which the server closes a kept connection, in milliseconds: what nginx does.
pub const KEEP_ALIVE_MS: u64 = 75_000;

/// Contacts the server remembers; later ones go to the log's writer only.
pub const LOGGED_CONTACTS: usize = 4_000_000;

/// Bytes of a DNS query over UDP that are read: RFC 1035 §2.3.4, and nothing asked here is longer.
pub const DNS_QUERY_BYTES: usize = 512;

/// Bytes of a request that the hostile server reads: more than any client sends.
pub const HOSTILE_REQUEST_BYTES: usize = 64 << 10;
