//! Traps: URLs that look as if a program made them without end. All of them delay and none discards; every delay has a
//! [`TrapReason`] in plain words.
//!
//! * [`shape`](judge_shape): by the form of the URL alone.
//! * [`template`](Templates): patterns of a host's URLs that give nothing new.
//! * [`absences`](Absences): pages that say that there is none.
//! * [`farm`](crate::Acquaintance::New): more hosts of one domain than it has a name for.
//! * [`flood`](Listed): more URLs from sitemaps than the site links to.
//! * [`chain`](judge_hops): redirects on redirects.
//! * [`tally`](TrapTally): how many URLs each [rule](TrapRule) has held back, and the patterns of the most of them.

mod absences;
mod chain;
mod farm;
mod flood;
mod form;
pub(crate) mod limits;
mod reason;
mod rule;
mod shape;
mod tally;
mod template;
#[cfg(test)]
mod tests;

pub(crate) use absences::Absences;
pub use chain::judge_hops;
pub(crate) use farm::hosts_a_round;
pub use flood::{Listed, Source};
pub use reason::{Penalty, Suspicion, TrapReason};
pub use rule::TrapRule;
pub use shape::judge_shape;
pub(crate) use tally::HeldBack;
pub use tally::{SuspectTemplate, TrapTally};
pub use template::{Fingerprint, Pattern, Template, Templates, Yield};
