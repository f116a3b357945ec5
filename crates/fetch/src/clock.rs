use std::time::Duration;
use stdx::{Timestamp, WallTime};
use tokio::time::Instant;

/// The crawl's timeline, driven by a monotone clock: a moment on which crawl time and wall time were
/// known, from which both run on. A machine that was suspended needs a new one.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    origin: Instant,
    crawl: Timestamp,
    wall: WallTime,
}

impl Clock {
    /// A clock on which it is now `crawl` and `wall`.
    pub fn starting_at(crawl: Timestamp, wall: WallTime) -> Self {
        Self { origin: Instant::now(), crawl, wall }
    }

    /// The same clock by the instant at which it showed `crawl` and `wall`.
    pub fn with_origin(origin: std::time::Instant, crawl: Timestamp, wall: WallTime) -> Self {
        Self { origin: Instant::from_std(origin), crawl, wall }
    }

    /// Now, on the crawl's timeline.
    pub fn now(&self) -> Timestamp {
        self.crawl + self.elapsed_ms()
    }

    /// The first whole millisecond that is not before now: a delay that is counted from it is never short.
    pub fn now_rounded_up(&self) -> Timestamp {
        let elapsed = self.origin.elapsed();
        let begun = u64::from(!elapsed.subsec_nanos().is_multiple_of(1_000_000));
        self.crawl + (whole_ms(elapsed) + begun)
    }

    /// Now, in UTC.
    pub fn wall(&self) -> WallTime {
        WallTime::from_unix_ms(self.wall.unix_ms() + self.elapsed_ms())
    }

    fn elapsed_ms(&self) -> u64 {
        whole_ms(self.origin.elapsed())
    }
}

/// Milliseconds of a duration, rounded down.
pub(crate) fn whole_ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
