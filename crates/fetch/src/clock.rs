use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stdx::{Timestamp, WallTime};

/// The crawl's timeline, driven by a monotone clock from a moment at which it was known, also while the machine is suspended (on Linux;
/// elsewhere as the system's monotone clock has it). Wall time is the system's, which somebody may set meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    origin: Origin,
    crawl: Timestamp,
    /// What there is between the system's clock and this one.
    ahead_ms: i64,
}

impl Clock {
    /// A clock on which it is now `crawl` and `wall`.
    pub fn starting_at(crawl: Timestamp, wall: WallTime) -> Self {
        let ahead_ms = wall.unix_ms() as i64 - system_ms();
        Self { origin: Origin::now(), crawl, ahead_ms }
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
        WallTime::from_unix_ms((system_ms() + self.ahead_ms).max(0) as u64)
    }

    fn elapsed_ms(&self) -> u64 {
        whole_ms(self.origin.elapsed())
    }
}

#[cfg(not(target_os = "linux"))]
use tokio::time::Instant as Origin;

/// A moment on the clock that counts from the boot. The one of `Instant` stands still while the machine is suspended.
#[cfg(target_os = "linux")]
#[derive(Debug, Clone, Copy)]
struct Origin(Duration);

#[cfg(target_os = "linux")]
impl Origin {
    fn now() -> Self {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        Self(Duration::new(now.tv_sec as u64, now.tv_nsec as u32))
    }

    fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

/// The system's clock.
#[expect(
    clippy::disallowed_methods,
    reason = "what an archive says of its time is what the system says of it"
)]
fn system_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| whole_ms(since) as i64)
}

/// Milliseconds of a duration, rounded down.
pub(crate) fn whole_ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
