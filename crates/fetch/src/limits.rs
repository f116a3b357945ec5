//! Every bound of this crate, with its reason. [`Limits`] holds those an operator may change.

/// The bounds on one fetch that a configuration may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// TCP connect. A host that takes longer is down or drops our packets.
    pub connect_ms: u64,
    /// TLS handshake.
    pub tls_ms: u64,
    /// From the start of a request, which is one write, to the end of the response head: slow applications get
    /// their time, a head that drips does not.
    pub head_ms: u64,
    /// A body slower than this on average over a window is cut: a slow drip costs a slot, not memory.
    pub min_rate_bytes_per_s: u64,
    /// The length of that window; the first one is judged when it is over.
    pub rate_window_ms: u64,
    /// How long an idle connection is kept, unless the server says less.
    pub idle_ms: u64,
    /// How many idle connections are kept; the one nearest its end makes room.
    pub idle_connections: usize,
    /// How many names are remembered.
    pub names: usize,
    /// What sessions of TLS may take that are remembered for resumption, one a host: its ticket and its server's certificates,
    /// some 5 KB with what goes around them.
    pub tls_session_bytes: u64,
    /// How many names each upstream is asked for at once.
    pub concurrent_lookups: usize,
    /// One lookup over all upstreams, the wait for its turn excluded: as long as five take that say nothing. Who comes after
    /// them is not asked, but upstreams that say nothing soon rest, and come last.
    pub lookup_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect_ms: 10_000,
            tls_ms: 10_000,
            head_ms: 30_000,
            min_rate_bytes_per_s: 1_024,
            rate_window_ms: 20_000,
            idle_ms: 5_000,
            idle_connections: 256,
            names: 65_536,
            tls_session_bytes: 8 << 20,
            concurrent_lookups: 64,
            lookup_ms: 15_000,
        }
    }
}

/// Bytes from the first of a response to the end of its final head, interim heads included. Real heads
/// stay under 16 KB; RFC 9110, section 5.4, sets no limit but expects one.
pub const HEAD_BYTES: usize = 64 << 10;
/// What a head has, mostly: room that is made for one.
pub const HEAD_MOSTLY: usize = 512;
/// Header lines in one head.
pub const HEADERS: usize = 512;
/// Bytes of what a proxy says before it is a tunnel.
pub const PROXY_HEAD_BYTES: usize = 8 << 10;
/// Interim (1xx) responses before the final one. Honest servers send one or two (100, 103).
pub const INTERIM_HEADS: u32 = 16;
/// Bytes of a request head: twice the longest URL that is ever requested.
pub const REQUEST_BYTES: usize = 16 << 10;
/// Bytes of an entity tag or a date that are sent back. Servers turn requests with long headers down, and then a page that is there is not read.
pub const VALIDATOR_BYTES: usize = 1 << 10;
/// The longest read into memory at once; must hold a whole head.
pub const READ_BUFFER_BYTES: usize = HEAD_BYTES;
/// Bytes of frames before the head of an HTTP/2 response is whole: four times the head, since a server also sets itself up.
/// More is a flood of settings, pings or resets.
pub const H2_HEAD_WIRE_BYTES: u64 = 4 * HEAD_BYTES as u64;
/// Bytes that a response may take on the wire beside its body: heads, and whatever frames a server sends between. Beyond that …
pub const WIRE_BYTES_FREE: u64 = 512 << 10;
/// … so many for each byte of the body, which is more than what comes byte by byte takes; else it is a flood.
pub const WIRE_BYTES_A_BYTE: u64 = 16;
/// Bytes that one connection reads before others have their turn. As frames or chunks that hold next to nothing it is some
/// thousands of them, a few milliseconds.
pub const TURN_BYTES: usize = 64 << 10;
/// What a server may send of a body before it is read: it waits in memory.
pub const H2_WINDOW_BYTES: u32 = 128 << 10;
/// The same of all streams of a connection, of which one at a time is used. What frames cost that hold little is counted against half of it, each as
/// some dozens of bytes beside its own: a body of small ones is no flood.
pub const H2_CONNECTION_WINDOW_BYTES: u32 = 4 << 20;
/// The longest frame taken, the least that may be asked for (RFC 9113, section 6.5.2).
pub const H2_FRAME_BYTES: u32 = 16 << 10;
/// Streams that are reset and remembered. There is one stream at a time, so that more are no accident (rapid reset,
/// CVE-2023-44487, the other way round).
pub const H2_RESETS: usize = 8;
/// Streams reset because the server broke the protocol, before the connection ends.
pub const H2_FAULTY_RESETS: usize = 4;
/// Authorities that are remembered to want HTTP/1.1 though they agree to HTTP/2, and those that are remembered to drop kept connections: there are few, and
/// whoever is forgotten says it again.
pub const AUTHORITIES: usize = 256;
/// Signatures of certificates that are remembered to be good, by all loops of a process: 32 KiB.
pub const PROVEN_SIGNATURES: usize = 1024;
/// What is remembered of a host beside its session: its name, twice, and its place in two tables.
pub const TLS_HOST_BYTES: u64 = 1 << 10;
/// What a certificate in a session takes beside itself.
pub const TLS_CERTIFICATE_BYTES: u64 = 64;
/// The longest session that is remembered. Chains have 2 to 6 KB, and a ticket up to one; rustls would take 64 KB of either.
pub const TLS_SESSION_BYTES: u64 = 16 << 10;
/// What is remembered of a site beside its cookies: its name, twice, and its places in tables.
pub const COOKIE_SITE_BYTES: u64 = 1 << 10;
/// What a cookie takes beside its text.
pub const COOKIE_OVERHEAD_BYTES: u64 = 384;
/// The longest that is taken, with its attributes (RFC 6265, section 6.1).
pub const COOKIE_BYTES: usize = 4096;
/// What is shown of them at once, however many there are: beyond 8 KiB a field, servers turn requests down, and beside the longest URL
/// there has to be room in [`REQUEST_BYTES`].
pub const COOKIES_SHOWN_BYTES: usize = 4096;
/// What those of one site take: some fifty of ordinary length.
pub const COOKIES_OF_SITE_BYTES: u64 = 24 << 10;
/// Names of a certificate that are kept with each page: those of shared servers have hundreds.
pub const CERTIFICATE_NAMES: usize = 32;
/// Bytes of each: as long as a name in the DNS may be (RFC 1035, section 2.3.4).
pub const CERTIFICATE_NAME_BYTES: usize = 255;
/// Of them, those that are said where it is not trusted.
pub const NAMES_IN_WORDS: usize = 4;
/// How long a request may wait on an open connection before a byte of it is sent: a server that speaks HTTP/2 may allow no request for a short while
/// (RFC 9113, section 6.5.2). A connection that is kept is replaced then.
pub const UNSENT_MS: u64 = 1_000;
/// How long the end of a response may take to show that its connection can be used again.
pub const SETTLE_MS: u64 = 20;

/// Addresses kept of one name: more is a farm or an attack, and one is enough to fetch.
pub const ADDRESSES_PER_NAME: usize = 16;
/// A name is not asked for again sooner than this, however short its TTL: a crawl comes back to a host for hours, and
/// those who set 30 s do so for people who come back at once. Where a contact or a look-up has failed, it is, whatever is kept.
pub const TTL_FLOOR_MS: u64 = 300_000;
/// A name is asked for again after this at the latest, however long its TTL.
pub const TTL_CEILING_MS: u64 = 24 * 3_600_000;
/// How long it is believed that a name does not exist: as long as that it does.
pub const NEGATIVE_TTL_MS: u64 = 300_000;
/// How long a lookup that nobody answered is not repeated, but for a host that tries again after it (RFC 9520 asks for 1 s to 5 min): it may
/// have been an accident.
pub const SILENCE_TTL_MS: u64 = 60_000;
/// How long beyond its time an address serves while it is asked for anew, or nobody answers: a day (RFC 8767, section 5).
pub const STALE_MS: u64 = 24 * 3_600_000;
/// How long such an answer may be used before it is looked at again (RFC 8767, section 4).
pub const STALE_TTL_MS: u64 = 30_000;
/// Failures in a row after which an upstream rests: one is a lost packet.
pub const UPSTREAM_FAILURES: u32 = 3;
/// Its first rest …
pub const UPSTREAM_REST_MS: u64 = 5_000;
/// … which doubles up to this.
pub const UPSTREAM_REST_MAX_MS: u64 = 60_000;
/// One question to one upstream by TCP.
pub const QUERY_MS: u64 = 3_000;
/// How often a question is sent to one upstream in datagrams, one of which may be lost …
pub const QUERY_SENDS: usize = 3;
/// … and after which silence again.
pub const SEND_AGAIN_MS: u64 = 1_000;
/// A datagram that no network cuts in pieces: the size that resolvers agreed on (DNS flag day 2020).
pub const DATAGRAM_BYTES: usize = 1_232;
/// How long `localhost` stays what it is: a day.
pub const LOOPBACK_TTL_S: u32 = 86_400;
/// Aliases that are followed to an address.
pub const ALIASES: usize = 16;
/// How long the slower of A and AAAA may keep the faster waiting.
pub const FAMILY_GRACE_MS: u64 = 500;
/// Tries after the first where there are fewer upstreams to try; of more, each is asked once.
pub const QUERY_RETRIES: usize = 2;
/// Upstreams read from a system configuration; glibc uses three.
pub const UPSTREAMS: usize = 8;
