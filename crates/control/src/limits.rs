//! Every bound of what may be said, with its reason.

/// Bytes of an expression: longer ones are lists, and those go to `--exclude-hosts`.
pub const PATTERN_BYTES: usize = 1_000;

/// What an expression may take when compiled: a tenth of what the library allows, since a thousand of them may stand.
pub const PATTERN_PROGRAM_BYTES: usize = 1 << 20;

/// Hosts and domains that commands exclude at once: they are looked up by hash, and a checkpoint holds them.
pub const NAMES: usize = 100_000;

/// Expressions that commands exclude at once: each is tried on every URL that is drawn or found.
pub const PATTERNS: usize = 200;

/// Retries that are under way at once: each is a rule that parked URLs are read through.
pub const RETRIES: usize = 16;

/// Seeds of one command: more come in several.
pub const SEEDS: usize = 10_000;

/// Seeds that commands have given, kept with the crawl because they widen its scope: more are a list, and go to
/// `drumlin crawl --seeds`.
pub const SEEDS_KEPT: usize = 100_000;

/// Pages, bytes or milliseconds of a limit: the largest number that a file of settings holds.
pub const BOUND: u64 = i64::MAX as u64;

/// Bytes of one command as JSON: all its seeds, a hundred bytes each.
pub const COMMAND_BYTES: usize = 1 << 20;
