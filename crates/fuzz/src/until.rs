use rustix::time::{ClockId, clock_gettime};
use std::str::FromStr;
use std::time::Duration;

/// When a run ends: after a fixed number of executions, the same every time, or where `DRUMLIN_FUZZ_MINUTES` says so, after that
/// long on a processor: a machine that has other things to do makes a run longer, not smaller. `DRUMLIN_FUZZ_SEED` says from where
/// such a run sets out.
pub(crate) enum Until {
    Executions(u64),
    /// Of the processor time of this thread.
    Processor(Duration),
}

impl Until {
    pub(crate) fn of(executions: u64) -> Self {
        let minutes = said::<f64>("DRUMLIN_FUZZ_MINUTES");
        minutes.map_or(Self::Executions(executions), |minutes| {
            Self::Processor(time(ClockId::ThreadCPUTime) + Duration::from_secs_f64(minutes * 60.0))
        })
    }

    pub(crate) fn is_over(&self, executions: u64) -> bool {
        match self {
            Self::Executions(all) => executions >= *all,
            Self::Processor(end) => time(ClockId::ThreadCPUTime) >= *end,
        }
    }

    /// The seed of a run: the same for all that are of fixed length; a long run should not repeat the last one.
    pub(crate) fn seed(&self) -> u64 {
        match self {
            Self::Executions(_) => 1,
            Self::Processor(_) => {
                said("DRUMLIN_FUZZ_SEED").unwrap_or_else(|| time(ClockId::Realtime).as_secs())
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "how to fuzz is said by who starts it")]
fn said<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// What the process has spent on processors.
pub(crate) fn spent() -> Duration {
    time(ClockId::ProcessCPUTime)
}

fn time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanoseconds.unwrap_or(0))
}
