//! Time on the clock, and time on cores: the figure that other programs do not spoil.

use rustix::time::{ClockId, Timespec, clock_gettime};
use std::ops::AddAssign;

/// Seconds spent on something.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) wall_s: f64,
    /// Of all threads of the process, in the system too.
    pub(crate) cpu_s: f64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, more: Self) {
        self.wall_s += more.wall_s;
        self.cpu_s += more.cpu_s;
    }
}

/// Runs `what` and adds what it took to `spent`.
pub(crate) fn timed<T>(spent: &mut Spent, what: impl FnOnce() -> T) -> T {
    let before = now();
    let done = what();
    let after = now();
    *spent += Spent { wall_s: after.wall_s - before.wall_s, cpu_s: after.cpu_s - before.cpu_s };
    done
}

fn now() -> Spent {
    let seconds = |time: Timespec| time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    Spent {
        wall_s: seconds(clock_gettime(ClockId::Monotonic)),
        cpu_s: seconds(clock_gettime(ClockId::ProcessCPUTime)),
    }
}
