//! What is promised, in numbers of its own, and every bound with its reason.

/// Rules of a robots.txt older than this may not be used (RFC 9309, section 2.4).
pub const RULES_MAX_AGE_MS: u64 = 24 * 3600 * 1000;

/// … unless the file cannot be had, which was tried so lately …
pub const RULES_AGAIN_MS: u64 = 3600 * 1000;

/// … and not for ever (section 2.3.1.4).
pub const RULES_STALE_AGE_MS: u64 = 30 * 24 * 3600 * 1000;

/// From the draw, at which the rules are judged, to the start of the contact: threads take their time on a busy machine.
pub const DRAW_TO_START_MS: u64 = 5_000;

/// After a slow answer the host is left alone this many times as long as that took …
pub const SLOWDOWN_FACTOR: u64 = 10;

/// … but for that reason no longer than this.
pub const SLOWDOWN_MAX_MS: u64 = 30_000;

/// The least between two requests to a registrable domain on the public internet: 4 a second.
pub const DOMAIN_FLOOR_MS: u64 = 250;

/// The least a host on the public internet rests after a 429 or 503 that asks for nothing.
pub const OVERLOAD_FLOOR_MS: u64 = 60_000;

/// A draw starts a domain's clock, the contact begins a little later or not at all, the next draw goes by the first; so two starts may
/// be this much closer than two draws.
pub const START_JITTER_MS: u64 = 20;

// A crawler that let contacts begin later would break what is judged here.
const _: () = assert!(crawler::limits::BEGIN_WITHIN_MS <= START_JITTER_MS);

/// A Retry-After is obeyed as far as this.
pub const RETRY_AFTER_MAX_MS: u64 = 365 * 24 * 3600 * 1000;

/// A crawl-delay beyond this is not waited for: no page of its authority is asked for before there are other rules.
pub const CRAWL_DELAY_MAX_MS: u64 = 300 * 1000;

/// Findings that are kept with their particulars; beyond that they are counted.
pub const FINDINGS_KEPT: usize = 1_000;

/// What a judge may remember, in bytes, before the domains are judged in several passes over the journal. With the rules that are
/// compiled it is 512 MiB.
pub const JUDGE_BYTES: u64 = (512 << 20) - COMPILED_BYTES as u64;

/// Compiled rules at hand, in bytes: what two thousand files of a kilobyte say, or four of the longest.
pub const COMPILED_BYTES: usize = 64 << 20;

/// Entries between two looks at how much it is.
pub const LOOK_EVERY: u64 = 256;

/// Passes at most: the last one has to do with what it takes.
pub const PASSES: u64 = 256;

/// Promises kept: those made while a contact may last, and the one after the last crash. An operator who makes more in so short a time has
/// some of what the first ones made longer go unjudged.
pub const PROMISES_KEPT: usize = 256;

/// Clocks kept before those that have run out are dropped.
pub const CLOCKS_KEPT: usize = 1 << 14;

/// URLs that both sides have once, by which the clock of a server is told from ours.
pub const OFFSET_SAMPLES: usize = 1 << 15;

/// A log is written in the order in which requests ended, and the ledger as well, but for this.
pub const DISORDER_MS: u64 = 60_000;

/// Lines that wait until it is known whose they are, those beside a crash and what comes behind them: two minutes of five hundred a second.
pub const LINES_HELD: usize = 1 << 16;

/// What had ended this long before a crash had reached the journal.
pub const SURELY_JOURNALED_MS: u64 = 10_000;

/// Bytes of a line of a log; longer ones are cut and unreadable.
pub const LINE_BYTES: usize = 64 << 10;
