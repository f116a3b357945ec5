//! The judges. None of them trusts the crawler: they read the server's log, the archive on the disk, and the web itself.
//! Each says what it found wrong, a line a violation.

mod archive;
mod attempts;
mod audited;
mod budget;
mod complete;
mod fates;
mod findings;
mod groups;
mod handover;
mod memory;
mod obedience;
mod once;
mod politeness;
mod purged;
mod robots;
mod rows;
mod sample;
mod work;

pub use archive::{Captured, captures, index_complete, warcs_sound};
pub use attempts::attempts_logged;
pub use audited::audited;
pub use budget::within_budget;
pub use complete::complete;
pub use fates::fates;
pub use findings::Findings;
pub use groups::groups;
pub use handover::{NodeDisk, Progress, handed_over};
pub use memory::BoundedMemory;
pub use obedience::obeyed;
pub use once::{HeldAtStart, Once, archived_once, never_again, requested_once};
pub use politeness::{Delays, Politeness, politeness};
pub use purged::{Holdings, left_out, purged};
pub use robots::{RobotsKnown, is_forbidden, robots_known, robots_obeyed};
pub use rows::{rows, rows_exact};
pub use sample::Sample;
pub use work::WorkConservation;
