//! Every bound between nodes, with its reason.

/// Nodes of a crawl: with 256 shards to give away, a 257th would own nothing.
pub const MOST_NODES: usize = 256;

/// Batches to one node that memory holds until they are acknowledged: what a link of 100 ms carries between two syncs.
/// What is beyond waits in the journal …
pub const WINDOW_BATCHES: usize = 64;

/// … and bytes of them; one batch at least, however large.
pub const WINDOW_BYTES: usize = 2 << 20;

/// A batch that is not acknowledged is sent again after this: far more than a sync and a round trip …
pub const RESEND_MS: u64 = 2_000;

/// … and after twice that, and so on up to this: a node that is down is not to be drowned when it comes back.
pub const RESEND_MAX_MS: u64 = 60_000;

/// A claim on a server's clock is repeated after this until it is granted; it also tells the owner that the node lives.
pub const ASK_AGAIN_MS: u64 = 2_000;

/// A grant is repeated after this while the clock is not given back: the grant or the release may be lost.
pub const GRANT_AGAIN_MS: u64 = 2_000;

/// Claims of a node that has not been heard of for so long are dropped: it is dead, or asks again.
pub const SILENCE_MS: u64 = 7_000;

/// A granted contact begins within this or not at all.
pub const BEGIN_WITHIN_MS: u64 = 5_000;

/// What a lease lasts beyond the latest end of its contact: clocks that differ in pace, a fetch that ends late.
pub const LEASE_MARGIN_MS: u64 = 2_000;

/// Claims of one node that are waiting or granted. What is beyond is not heard, and repeated by the one who asks.
pub const CLAIMS_PER_NODE: usize = 65_536;

/// Claims, grants or releases of one message.
pub const CLAIMS_PER_MESSAGE: usize = 1_024;

/// Bytes of a message: a batch of a megabyte of links, and some.
pub const MESSAGE_BYTES: usize = 4 << 20;

/// From a round of the census to the next, while somebody has something to do: it costs a message a node, and is the sign by
/// which the others know that the crawl goes on.
pub const CENSUS_EVERY_MS: u64 = 2_000;

/// Who has not answered is asked again after this, who has not left is told again.
pub const CENSUS_AGAIN_MS: u64 = 1_000;

/// Times everybody is told that the crawl is over before the one who asks leaves too.
pub const OVER_TRIES: u32 = 30;
