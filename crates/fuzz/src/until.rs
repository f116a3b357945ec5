use std::time::{Duration, Instant};

/// When a run ends: after a fixed number of executions, the same every time, or where `DRUMLIN_FUZZ_MINUTES` says so, after that
/// long.
pub(crate) enum Until {
    Executions(u64),
    Moment(Instant),
}

impl Until {
    #[expect(clippy::disallowed_methods, reason = "how long to fuzz is said by who starts it")]
    pub(crate) fn of(executions: u64) -> Self {
        let minutes = std::env::var("DRUMLIN_FUZZ_MINUTES").ok().and_then(|text| text.parse::<f64>().ok());
        minutes.map_or(Self::Executions(executions), |minutes| {
            Self::Moment(Instant::now() + Duration::from_secs_f64(minutes * 60.0))
        })
    }

    #[expect(clippy::disallowed_methods, reason = "nothing but when to stop depends on it")]
    pub(crate) fn is_over(&self, executions: u64) -> bool {
        match self {
            Self::Executions(all) => executions >= *all,
            Self::Moment(end) => Instant::now() >= *end,
        }
    }

    /// The seed of a run: the same for all that are of fixed length.
    #[expect(clippy::disallowed_methods, reason = "a long run should not repeat the last one")]
    pub(crate) fn seed(&self) -> u64 {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        match self {
            Self::Executions(_) => 1,
            Self::Moment(_) => now.map_or(2, |since| since.as_secs()),
        }
    }
}
