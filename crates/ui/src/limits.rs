//! Every bound of the server, with its reason.

use std::time::Duration;

/// Connections at once to one entrance: a browser has six, and there are a few who look.
pub const CONNECTIONS: usize = 32;

/// A request's head. hyper takes no less than 8 KiB.
pub const HEAD_BYTES: usize = 16 << 10;

/// A request's body: one command.
pub const BODY_BYTES: usize = control::limits::COMMAND_BYTES;

/// To send a request's head.
pub const HEAD_TIME: Duration = Duration::from_secs(5);

/// To send a request's body, and to be answered. A crawl that is merging answers late; `drumlin ctl` and the page wait for
/// thirty seconds.
pub const ANSWER_TIME: Duration = Duration::from_secs(26);

/// A connection is closed after this, whatever it is doing: who reads slowly comes again.
pub const CONNECTION_TIME: Duration = Duration::from_mins(2);

/// … and is given this long to finish what it is doing.
pub const GOODBYE_TIME: Duration = Duration::from_secs(5);

/// Threads that ask the desk: one asks while another waits.
pub const ASKING: usize = 2;

/// An answer that comes through another server's socket: far more than any that is given.
pub const THROUGH_BYTES: usize = 16 << 20;

/// How often the crawl is sampled for charts.
pub const SAMPLE_EVERY: Duration = Duration::from_secs(1);

/// Samples of the last minutes, one a second.
pub const RECENT_SAMPLES: usize = 600;

/// Samples of the whole run: when there are so many, every other goes and they come half as often.
pub const WHOLE_SAMPLES: usize = 720;

/// Percentiles are of the requests that ended within so many samples.
pub const PERCENTILE_SAMPLES: usize = 10;

/// Rows of the hosts table in one answer.
pub const HOST_ROWS: usize = 200;

/// Letters of a search.
pub const SEARCH_BYTES: usize = 200;

/// Letters of a URL that is asked about, as long as the crawl takes them.
pub const URL_BYTES: usize = 8 << 10;

/// Values of a label. A server may answer with any number, so what is rare is counted together.
pub const LABELS: usize = 50;
