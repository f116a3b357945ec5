//! Time on the clock, and time on cores: the figure that other programs do not spoil.

use meter::cpu_s;
use std::ops::AddAssign;
use std::time::Instant;

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
    let (started, cpu) = (Instant::now(), cpu_s());
    let done = what();
    *spent += Spent { wall_s: started.elapsed().as_secs_f64(), cpu_s: cpu_s() - cpu };
    done
}
