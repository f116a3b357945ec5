//! Every bound of the node, with its reason.

use std::time::Duration;

/// How often whoever watches is shown the crawl: five times a second looks live.
pub const WATCH_EVERY: Duration = Duration::from_millis(200);

/// Time between two commits of little: two syncs take a hundred microseconds of processor, whether they make one page durable or
/// twenty. Nobody waits for them but parsers and operators.
pub const COMMIT_EVERY: Duration = Duration::from_millis(50);

/// Entries that are not little.
pub const COMMIT_AT_ONCE: usize = 128;

/// Time between two looks of the loop at an empty queue: it costs who tells it something and itself a switch of threads each time it is
/// woken, and a page tells it three things or four.
pub const EVENTS_GATHER: Duration = Duration::from_millis(1);

/// How often work that holds up the end says how far it is: often enough for a line that moves, and nothing beside the work.
pub const WORK_SHOWN_EVERY_MS: u64 = 100;

/// How often free disk space is looked at.
pub const SPACE_EVERY: Duration = Duration::from_secs(1);

/// Room in the event channel beyond what can be under way, for the few events nobody asked for.
pub const SPARE_EVENTS: usize = 64;

/// What operators say that may wait for the loop: whoever says more waits.
pub const CONTROLS_WAITING: usize = 64;

/// Of what operators say, so much is heard before time and actions are looked at again.
pub const CONTROLS_AT_ONCE: usize = 16;

/// Events handled before time and actions are looked at again.
pub const EVENTS_AT_ONCE: usize = 256;

/// Threads of a fetch core that put long bodies to disk: one that writes while another waits for the disk. More bodies
/// than that wait for their turn, and their servers with them.
pub const SPOOL_THREADS: usize = 2;

/// Bytes of rows that the corpus thread is woken for: some fifteen pages, since waking it takes longer than what it does with one.
pub const ROWS_GATHERED_BYTES: u64 = 256 << 10;

/// So many times that may wait for the corpus thread before a parser waits; the last row of each is up to two megabytes of text.
pub const ROWS_WAITING: usize = 2;

/// Characters of a parser's panic that the journal keeps: assertions quote what they compare, and that may be a page.
pub const PANIC_CHARS: usize = 200;

/// A machine's clock that is so far behind the crawl's own was ahead before: clocks that are only corrected are nearer.
pub const CLOCK_BEHIND_MS: u64 = 60_000;

/// Hosts that wait, as listed at the end.
pub const WAITING_LISTED: usize = 20;

/// Threads that do the work of shards: one for each job that may be under way.
pub const WORKERS: usize = crawler::limits::JOBS_AT_ONCE;
