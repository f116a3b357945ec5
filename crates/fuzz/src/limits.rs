//! Every bound of this crate, with its reason.

use std::time::Duration;

/// Bytes of an input: every parser here has its states within a few hundred, and short inputs are fast.
pub(crate) const INPUT_BYTES: usize = 8 << 10;
/// Inputs that reached something new and are kept to be mutated further; the oldest go, but never the seeds.
pub(crate) const KEPT: usize = 4096;
/// Mutations of one input on top of each other.
pub(crate) const STACKED: u64 = 6;
/// Attempts to make a failing input shorter.
pub(crate) const SHRINKING: usize = 2000;
/// Executions of a target in an ordinary test run, where it names no other number: about a second.
pub(crate) const EXECUTIONS: u64 = 10_000;
/// Processor time of one execution, from which it hangs: what is linear needs milliseconds for so short an input, however slowly it was
/// compiled.
pub(crate) const HANG: Duration = Duration::from_secs(5);
/// Between two looks at whether it does.
pub(crate) const LOOK: Duration = Duration::from_secs(1);
